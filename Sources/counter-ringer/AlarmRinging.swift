import Alarms
import CounterModel
import CounterStore
import Linux

/// Rings what is due in a journal, which other programs change meanwhile: what of it is heard and shown, and the unit for the next end.
final class AlarmRinging {
    enum Sound {
        /// The volume is in percent.
        case tone(volume: Int)
        case text(String)
        /// Nothing rings any more: what still sounds is to stop.
        case silence
    }

    /// How long a read or an acknowledgement may wait for another program, in seconds.
    private static let busyTimeout = 0.5
    private static let soon = Duration.milliseconds(300)

    /// The journal's directory.
    private let journal: String
    private let place: RingerPlace
    private let service: TimerService<SQLiteJournal>
    private let follower: JournalFollower
    private let clock: WallClockTimer
    private let registry: AlarmRegistry
    private var desktop: UserBus?
    /// The journal was removed: nothing rings any more, and nobody could acknowledge it.
    private var isGone = false
    private var schedule = AlarmSchedule()
    private var isDue = true
    /// Those that ring and are not silent, in the order of their ends.
    private var ringing: [TimerData] = []
    private var shown: AlarmNotification?
    private var insistence = 1
    /// Why the desktop does not show what rings; `nil` where it does, or nothing rings.
    private(set) var notShown: String?

    /// Opens the journal; to read where it cannot be written to. Throws `JournalError`, `SystemCallError`.
    init(journal directory: String, at place: RingerPlace) throws {
        (self.journal, self.place) = (directory, place)
        registry = AlarmRegistry(place)
        func open(isReadOnly: Bool) throws(JournalError) -> SQLiteJournal {
            try SQLiteJournal(
                directory: directory, timezone: "UTC", creating: false, isReadOnly: isReadOnly,
                allowsNetwork: true, busyTimeout: Self.busyTimeout)
        }
        let journal = try (try? open(isReadOnly: false)) ?? open(isReadOnly: true)
        follower = try JournalFollower(journal)
        clock = try WallClockTimer()
        service = TimerService(journal, userId: LoginName.current)
    }

    private static var now: Timestamp { Timestamp(microseconds: Clock.realtime.microseconds) }

    private static var moment: TimerMoment { TimerMoment(present: now) }

    /// Something is to be heard or is about to, the desktop shows what rings, or a call has not been answered.
    var isBusy: Bool { schedule.next != nil || isShown || endsSoon || desktop?.isBusy ?? false }

    /// The desktop shows what rings: the notification lasts as long as this process.
    private var isShown: Bool { shown != nil && notShown == nil && !(desktop?.isOver ?? true) }

    /// An end is so near that a unit of the service manager may be armed too late for it; one that is past never fires.
    private var endsSoon: Bool { nextEnd.map { $0 - Self.now < Self.soon } ?? false }

    /// When to call `update` though nothing happened. Alerts and ends report at the descriptor of the wall clock.
    var deadline: MonotonicTime? { [follower.deadline, desktop?.deadline].compactMap(\.self).min() }

    func watch(_ polled: inout PollSet) {
        polled.add(follower.number)
        polled.add(clock.number)
        desktop?.watch(&polled)
    }

    /// The journal is to be read again, and its next end to be armed.
    func journalChanged() { isDue = true }

    func update() -> [Sound] {
        for event in desktop?.handle() ?? [] { handle(event) }
        let alerts = readTimers()
        insistence = alerts.map(\.insistence).max() ?? insistence
        let hasRung = shown != nil
        show()
        arm()
        if hasRung, shown == nil { return [.silence] }
        let heard = alerts.filter(\.timer.isSoundOn)
        guard let volume = heard.map(\.timer.setup.volume).max() else { return [] }
        guard heard.contains(where: { $0.index == 0 }) else { return [.tone(volume: volume)] }
        // A text interrupts the one before, so it names all.
        let titles = ringing.filter(\.isSoundOn).map(\.setup.title)
        return [.tone(volume: volume), .text("\(titles.joined(separator: ", ")): time is up")]
    }

    /// Reads what other programs have done. Returns the alerts that are due, in the order of the ends.
    private func readTimers() -> [AlarmAlert] {
        // inotify(7) tells that the directory is removed.
        isGone = RingerPlace.name(of: journal) != place.name
        _ = clock.take()
        if follower.hasChanged(at: .now) { isDue = true }
        if isDue { isDue = (try? service.update()) == nil }
        updatedAt = Self.now
        // Where no counter runs, nobody else notices a clock that was set.
        try? service.followClock(at: TimerMoment(present: updatedAt))
        ringing = isGone ? [] : service.board(at: Self.moment).alarms(at: updatedAt)
        let alerts = schedule.update(ringing, at: updatedAt)
        // timerfd_settime(2) fails only for arguments that this call never has.
        try? clock.arm([schedule.next, nextEnd].compactMap(\.self).min()?.microseconds)
        return alerts
    }

    private func handle(_ event: DesktopEvent) {
        switch event {
        case .acknowledged: acknowledge()
        case .again:
            if let last = ringing.last { _ = try? service.perform(.again, on: last.id, at: Self.moment) }
            acknowledge()
        case .notShown(let reason):
            notShown = reason
            return
        case .notArmed: forgetUnitName()
        }
        journalChanged()
    }

    /// Acknowledges all ends. Where that fails, the alarm goes on.
    private func acknowledge() { _ = try? service.acknowledgeAll(at: Self.moment) }

    private func show() {
        let wanted = AlarmNotification(ringing, insistence: insistence)
        guard wanted != shown else { return }
        shown = wanted
        if let wanted { connected().show(wanted) } else { connected().closeNotification() }
        if wanted == nil { (insistence, notShown) = (1, nil) }
    }

    private func connected() -> UserBus {
        if let desktop, !desktop.isOver { return desktop }
        let new = UserBus()
        desktop = new
        return new
    }

    // MARK: - The next end

    /// The earliest end that was still to come when the timers were looked at last: one that is past since is not lost.
    private var nextEnd: Timestamp? { isGone ? nil : service.board(at: Self.moment).nextEnd(at: updatedAt) }
    private var updatedAt = now

    /// At login no unit is armed any more, whatever the registry says.
    func forgetUnit() {
        forgetUnitName()
        armedEnd = nil
    }

    private func forgetUnitName() {
        guard var record = registry.record else { return }
        record.unit = ""
        registry.write(record)
    }

    /// The end that this process has tried to arm.
    private var armedEnd: Timestamp?

    private func arm() {
        let end = nextEnd
        // Also where the registry cannot be written, or the service manager did not take the unit.
        if let end, armedEnd == end { return }
        let record = registry.record
        if end == nil, record == nil, ringing.isEmpty { return }
        if let end, let record, record.end == end.microseconds, !record.unit.isEmpty { return }
        if let old = record?.unit, !old.isEmpty { connected().disarm(old) }
        armedEnd = end
        guard let end else { return remember(record) }
        // The old name may be in use until its unit has stopped.
        let generation = String(Clock.realtime.microseconds, radix: 36)
        let unit = "counter-alarm-\(place.name)-\(generation)"
        connected().arm(unit, at: end.systemdTime, journal: PlainPath.word(journal))
        registry.write(AlarmRegistry.Record(directory: journal, unit: unit, end: end.microseconds))
    }

    /// With no end to come, a journal stays in the registry as long as something rings: that is to ring again after a boot.
    private func remember(_ record: AlarmRegistry.Record?) {
        let kept = AlarmRegistry.Record(directory: journal, unit: "", end: 0)
        let wanted = ringing.isEmpty ? nil : kept
        if wanted != record { registry.write(wanted) }
    }
}

/// The desktop's notification of the timers that have ended.
struct AlarmNotification: Hashable, Sendable {
    /// Plain text.
    let summary: String
    /// Plain text without characters that markup uses.
    let body: String
    /// Whether it is shown in spite of Do Not Disturb.
    let isUrgent: Bool

    /// The notification of timers that ring, in the order of their ends; the last one leads. The insistence, 1...3, is as many clocks.
    init?(_ timers: [TimerData], insistence: Int) {
        guard let last = timers.last else { return nil }
        summary = String(repeating: "⏰", count: insistence) + " " + last.setup.title
        let others = timers.dropLast().map(\.setup.title)
        let end = last.endDate.map { "ended at \($0.localMinute)" } ?? "ended"
        body = ([end] + others.map { "also: \($0.filter { !"<>&".contains($0) })" }).joined(separator: "\n")
        isUrgent = timers.contains { $0.setup.isUrgent }
    }
}
