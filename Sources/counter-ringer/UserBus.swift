import Alarms
import CSystemd
import Linux

enum DesktopEvent {
    /// The user has acknowledged the alarm, or dismissed the notification.
    case acknowledged
    case again
    case notShown(String)
    /// The service manager has not taken the unit, or not been reached.
    case notArmed
}

/// The user's message bus by sd-bus(3), within the ringer's poll loop: notifications and the service manager. No call waits.
final class UserBus {
    /// How long the bus may take to accept the connection, and a program on it to answer.
    private static let timeout = Duration.seconds(3)
    /// How many messages are handled in one turn of the loop.
    private static let maxBatch = 64
    /// NotificationClosed: the user has dismissed it.
    private static let dismissed: UInt32 = 2

    private var bus: OpaquePointer?
    /// Why the bus cannot be used; `nil` where it can.
    private(set) var failure: String?
    private let connectBy = MonotonicTime.now + timeout
    private var flood = FloodLimit(burst: 1000, pause: .milliseconds(10))
    private var events: [DesktopEvent] = []
    private var unanswered = 0
    /// Units that the service manager has not confirmed.
    private var arming = 0
    private var notification: UInt32 = 0
    /// The answer to Notify has not come: the number to replace or to close is not known yet.
    private var isNotifying = false
    /// What is to be done once it has come.
    private var next: (() -> Void)?

    /// Connects, without waiting, by `sd_bus_open_user(3)`.
    init() {
        let result = sd_bus_open_user(&bus)
        guard result >= 0 else {
            failure = errorText(-result)
            return
        }
        // DBUS_SESSION_BUS_ADDRESS is another user's after su(1) and with `sudo -E`: that user would read labels and keep alarms.
        guard SocketPeer(sd_bus_get_fd(bus))?.isOwn == true else {
            failure = "the message bus is another user's"
            bus = sd_bus_close_unref(bus)
            return
        }
        sd_bus_set_method_call_timeout(bus, UInt64(Self.timeout.microseconds))
        for (signal, handler) in [
            ("ActionInvoked", actionInvoked), ("NotificationClosed", notificationClosed),
        ] {
            sd_bus_match_signal_async(
                bus, nil, "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
                "org.freedesktop.Notifications", signal, handler, { _, _, _ in 0 }, context)
        }
    }

    /// Flushing would wait for a bus that hangs. What matters has been answered.
    deinit { sd_bus_close_unref(bus) }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func fail(_ reason: String) {
        let reason = failure ?? reason
        failure = reason
        if isNotifying { events.append(.notShown(reason)) }
        if arming > 0 { events.append(.notArmed) }
        (unanswered, arming, isNotifying) = (0, 0, false)
    }

    /// Counts a call whose answer is awaited.
    private func call(_ body: (OpaquePointer?, UnsafeMutableRawPointer) -> CInt) {
        if let failure { return fail(failure) }
        let result = body(bus, context)
        if result < 0 { fail(errorText(-result)) } else { unanswered += 1 }
    }

    // MARK: - Notifications

    /// Shows a notification in place of the one that is shown.
    func show(_ notification: AlarmNotification) {
        if isNotifying { return next = { [unowned self] in show(notification) } }
        isNotifying = true
        call {
            csystemd_notify(
                $0, self.notification, notification.summary, notification.body, notification.isUrgent ? 2 : 1,
                notified, $1)
        }
    }

    func closeNotification() {
        if isNotifying { return next = { [unowned self] in closeNotification() } }
        guard notification != 0 else { return }
        call { csystemd_close($0, notification, answered, $1) }
        notification = 0
    }

    fileprivate func noteNotification(_ message: OpaquePointer?) {
        unanswered -= 1
        isNotifying = false
        if let reason = error(of: message) {
            events.append(.notShown(reason))
        } else {
            notification = Self.number(in: message)
        }
        let next = next
        self.next = nil
        next?()
    }

    fileprivate func noteSignal(_ message: OpaquePointer?, isAction: Bool) {
        guard Self.number(in: message) == notification, notification != 0 else { return }
        guard isAction else {
            notification = 0
            if Self.number(in: message) == Self.dismissed { events.append(.acknowledged) }
            return
        }
        var action: UnsafePointer<CChar>?
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &action)
        events.append(action.map { String(cString: $0) } == "again" ? .again : .acknowledged)
    }

    /// The next argument of a message; 0 where it is none.
    private static func number(in message: OpaquePointer?) -> UInt32 {
        var number: UInt32 = 0
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &number)
        return number
    }

    // MARK: - The service manager

    /// Arms a timer unit that starts the ringer. The name is without `.timer`, the calendar that of systemd.time(7), the journal
    /// a word that needs no quoting.
    func arm(_ unit: String, at calendar: String, journal: String) {
        arming += 1
        call {
            csystemd_arm(
                $0, "\(unit).timer", "\(unit).service", calendar, ProgramFiles.executable, journal, armed, $1)
        }
    }

    func disarm(_ name: String) { call { csystemd_stop($0, "\(name).timer", answered, $1) } }

    fileprivate func noteAnswer(_ message: OpaquePointer?, isArming: Bool) {
        unanswered -= 1
        guard isArming else { return }
        arming -= 1
        if error(of: message) != nil { events.append(.notArmed) }
    }

    private func error(of message: OpaquePointer?) -> String? {
        guard sd_bus_message_is_method_error(message, nil) > 0 else { return nil }
        return sd_bus_message_get_error(message)?.pointee.message.map { String(cString: $0) } ?? "error"
    }

    // MARK: - For the loop

    /// A call has not been answered.
    var isBusy: Bool { failure == nil && unanswered > 0 }

    /// The connection cannot be used any more, and `handle` has told why.
    var isOver: Bool { failure != nil && events.isEmpty }

    func watch(_ polled: inout PollSet) {
        if failure == nil { polled.add(sd_bus_get_fd(bus), sd_bus_get_events(bus)) }
    }

    var deadline: MonotonicTime? {
        if !events.isEmpty { return MonotonicTime(microseconds: 0) }
        if failure != nil { return nil }
        var end = UInt64.max
        let isKnown = sd_bus_get_timeout(bus, &end) >= 0 && end != .max
        let next = isKnown ? MonotonicTime(microseconds: Int64(clamping: end)) : nil
        return [next, isReady ? nil : connectBy].compactMap(\.self).min()
    }

    /// The bus has accepted the connection. Before that sd-bus waits 90 s, whatever the timeout of calls is.
    var isReady: Bool { sd_bus_is_ready(bus) > 0 }

    func handle() -> [DesktopEvent] {
        for _ in 0..<Self.maxBatch where failure == nil {
            let result = sd_bus_process(bus, nil)
            if result < 0 { fail(errorText(-result)) }
            if result <= 0 { break }
            if !flood.admits(1, at: .now) { fail("the message bus sends too much") }
        }
        if failure == nil, !isReady, .now >= connectBy { fail("it does not answer") }
        defer { events = [] }
        return events
    }

    // MARK: - Checks

    /// What was asked for, and has not been answered.
    private(set) var asked: Set<RingerPart> = []
    /// Why a part that was asked for cannot be used.
    private(set) var problems: [RingerPart: String] = [:]

    /// Asks whether the notification server or the user's service manager answers.
    func ask(_ part: RingerPart) {
        switch part {
        case .notifications: call { csystemd_ask_server($0, serverAnswered, $1) }
        case .manager: call { csystemd_ask_manager($0, managerAnswered, $1) }
        case .sound, .speech, .bus, .lingering: return
        }
        asked.insert(part)
    }

    fileprivate func noteAnswer(_ message: OpaquePointer?, of part: RingerPart) {
        unanswered -= 1
        asked.remove(part)
        problems[part] = error(of: message)
    }
}

private typealias Handler =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<sd_bus_error>?) -> CInt

private func tell(_ context: UnsafeMutableRawPointer?, _ body: (UserBus) -> Void) -> CInt {
    if let context { body(Unmanaged<UserBus>.fromOpaque(context).takeUnretainedValue()) }
    return 0
}

private let notified: Handler = { message, bus, _ in tell(bus) { $0.noteNotification(message) } }
private let answered: Handler = { message, bus, _ in tell(bus) { $0.noteAnswer(message, isArming: false) } }
private let armed: Handler = { message, bus, _ in tell(bus) { $0.noteAnswer(message, isArming: true) } }
private let serverAnswered: Handler = { message, bus, _ in
    tell(bus) { $0.noteAnswer(message, of: .notifications) }
}
private let managerAnswered: Handler = { message, bus, _ in tell(bus) { $0.noteAnswer(message, of: .manager) }
}
private let actionInvoked: Handler = { message, bus, _ in tell(bus) { $0.noteSignal(message, isAction: true) }
}
private let notificationClosed: Handler = { message, bus, _ in
    tell(bus) { $0.noteSignal(message, isAction: false) }
}
