import CounterModel
import Glibc
package import Linux

/// Rings what is due in a journal: what of it is heard and shown, and the unit for the next end.
final class AlarmRinging {
    /// What is to be heard.
    enum Sound {
        /// The volume is in percent.
        case tone(volume: Int)
        case text(String)
        /// Nothing rings any more: what still sounds is to stop.
        case silence
    }

    private let journal: String
    private let alarms: Alarms
    private let registry: AlarmRegistry
    private let unitName: String
    private let makeDesktop: () -> any Desktop
    private var desktop: (any Desktop)?
    private var shown: AlarmNotification?
    private var insistence = 1
    /// Why the desktop does not show what rings; `nil` where it does, or nothing rings.
    private(set) var notShown: String?

    /// - Throws: `JournalError`, `SystemCallError`
    init(journal: String, at place: RingerPlace, desktop: @escaping () -> any Desktop) throws {
        self.journal = journal
        alarms = try Alarms(journal: journal, at: place)
        registry = AlarmRegistry(place)
        unitName = "counter-alarm-\(place.name)"
        makeDesktop = desktop
    }

    /// Something is to be heard or is about to, the desktop shows what rings, or a call has not been answered.
    var isBusy: Bool { alarms.hasAlerts || isShown || alarms.endsSoon || desktop?.isBusy ?? false }

    /// The desktop shows what rings: the notification lasts as long as this process.
    private var isShown: Bool { shown != nil && notShown == nil && !(desktop?.isOver ?? true) }

    var deadline: MonotonicTime? { [alarms.deadline, desktop?.deadline].compactMap(\.self).min() }

    func watch(_ polled: inout PollSet) {
        alarms.watch(&polled)
        desktop?.watch(&polled)
    }

    /// The journal is to be read again, and its next end to be armed.
    func journalChanged() { alarms.journalChanged() }

    /// Handles what is due.
    func update() -> [Sound] {
        for event in desktop?.handle() ?? [] { handle(event) }
        let alerts = alarms.update()
        insistence = alerts.map(\.insistence).max() ?? insistence
        let hasRung = shown != nil
        show()
        arm()
        if hasRung, shown == nil { return [.silence] }
        let heard = alerts.filter(\.timer.isSoundOn)
        guard let volume = heard.map(\.timer.setup.volume).max() else { return [] }
        guard heard.contains(where: { $0.index == 0 }) else { return [.tone(volume: volume)] }
        // A text interrupts the one before, so it names all.
        let titles = alarms.ringing.filter(\.isSoundOn).map(\.setup.title)
        return [.tone(volume: volume), .text("\(titles.joined(separator: ", ")): time is up")]
    }

    private func handle(_ event: DesktopEvent) {
        switch event {
        case .acknowledged: alarms.acknowledge()
        case .again: alarms.startAgain()
        case .notShown(let reason):
            notShown = reason
            return
        case .notArmed: forgetUnitName()
        }
        alarms.journalChanged()
    }

    private func show() {
        let wanted = AlarmNotification(alarms.ringing, insistence: insistence)
        guard wanted != shown else { return }
        shown = wanted
        if let wanted { connected().show(wanted) } else { connected().closeNotification() }
        if wanted == nil { (insistence, notShown) = (1, nil) }
    }

    private func connected() -> any Desktop {
        if let desktop, !desktop.isOver { return desktop }
        let new = makeDesktop()
        desktop = new
        return new
    }

    // MARK: - The next end

    /// At login no unit is armed any more, whatever the registry says.
    func forgetUnit() {
        forgetUnitName()
        isArmed = nil
    }

    private func forgetUnitName() {
        guard var record = registry.record else { return }
        record.unit = ""
        registry.write(record)
    }

    /// The end that this process has tried to arm.
    private var isArmed: Timestamp?

    private func arm() {
        let end = alarms.nextEnd
        // Also where the registry cannot be written, or the service manager did not take the unit.
        if let end, isArmed == end { return }
        let record = registry.record
        if end == nil, record == nil, alarms.ringing.isEmpty { return }
        if let end, let record, record.end == end.microseconds, !record.unit.isEmpty { return }
        if let old = record?.unit, !old.isEmpty { connected().disarm(old) }
        isArmed = end
        guard let end else { return remember(record) }
        // The old name may be in use until its unit has stopped.
        let generation = String(Clock.realtime.microseconds, radix: 36)
        let unit = AlarmUnit(
            name: "\(unitName)-\(generation)", calendar: end.systemdTime, journal: PlainPath.word(journal))
        connected().arm(unit)
        registry.write(AlarmRegistry.Record(directory: journal, unit: unit.name, end: end.microseconds))
    }

    /// With no end to come, a journal stays in the registry as long as something rings: that is to ring again after a boot.
    private func remember(_ record: AlarmRegistry.Record?) {
        let kept = AlarmRegistry.Record(directory: journal, unit: "", end: 0)
        let wanted = alarms.ringing.isEmpty ? nil : kept
        if wanted != record { registry.write(wanted) }
    }
}

// MARK: - The desktop

/// The desktop's notification of the timers that have ended.
package struct AlarmNotification: Hashable, Sendable {
    /// Plain text.
    package let summary: String
    /// Plain text without characters that markup uses.
    package let body: String
    /// Whether it is shown in spite of Do Not Disturb.
    package let isUrgent: Bool
}

/// A timer unit of the user's service manager, which starts the ringer.
package struct AlarmUnit: Hashable, Sendable {
    /// The name without `.timer`.
    package let name: String
    /// When, as of systemd.time(7).
    package let calendar: String
    /// The journal's directory, as a word that needs no quoting.
    package let journal: String
}

/// What the user's message bus has told.
package enum DesktopEvent: Hashable, Sendable {
    /// The user has acknowledged the alarm, or dismissed the notification.
    case acknowledged
    /// The user wants the timer once more.
    case again
    case notShown(String)
    /// The service manager has not taken the unit, or not been reached.
    case notArmed(String)
}

/// The user's message bus: notifications and the service manager. No call waits.
package protocol Desktop: AnyObject {
    /// Shows a notification in place of the one that is shown.
    func show(_ notification: AlarmNotification)
    func closeNotification()
    func arm(_ unit: AlarmUnit)
    /// Stops the unit with a name.
    func disarm(_ name: String)
    /// Adds the descriptor to wait for.
    func watch(_ polled: inout PollSet)
    /// When to call `handle` though nothing happened.
    var deadline: MonotonicTime? { get }
    /// What has happened since the last call.
    func handle() -> [DesktopEvent]
    /// A call has not been answered.
    var isBusy: Bool { get }
    /// The connection cannot be used any more, and `handle` has told why.
    var isOver: Bool { get }
}
