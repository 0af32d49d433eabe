import CSystemd
import Glibc
import RingerServer
import System

/// The user's message bus by sd-bus(3), within the ringer's poll loop.
final class UserBus: Desktop {
    /// How long an answer may take, in microseconds.
    private static let timeout: UInt64 = 3_000_000
    /// NotificationClosed: the user has dismissed it.
    private static let dismissed: UInt32 = 2

    private var bus: OpaquePointer?
    /// Why the bus cannot be used; `nil` where it can.
    private(set) var failure: String?
    private var events: [DesktopEvent] = []
    private var unanswered = 0
    private var notification: UInt32 = 0
    /// The answer to Notify has not come: the number to replace or to close is not known yet.
    private var isNotifying = false
    private var next: AlarmNotification?
    private var closesNext = false

    /// Connects, without waiting.
    ///
    /// The corresponding C function is `sd_bus_open_user(3)`.
    init() {
        let result = sd_bus_open_user(&bus)
        guard result >= 0 else {
            failure = errorText(-result)
            return
        }
        sd_bus_set_method_call_timeout(bus, Self.timeout)
        for (signal, handler) in [
            ("ActionInvoked", actionInvoked), ("NotificationClosed", notificationClosed),
        ] {
            sd_bus_match_signal_async(
                bus, nil, "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
                "org.freedesktop.Notifications", signal, handler, { _, _, _ in 0 }, context)
        }
    }

    /// On a bus that never answered, flushing would wait for ever.
    deinit {
        if bus != nil, sd_bus_is_ready(bus) > 0 {
            sd_bus_flush_close_unref(bus)
        } else {
            sd_bus_close_unref(bus)
        }
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func fail(_ result: CInt) {
        let reason = failure ?? errorText(-result)
        failure = reason
        if isNotifying { events.append(.notShown(reason)) }
        unanswered = 0
        isNotifying = false
    }

    /// Counts a call whose answer is awaited.
    private func call(_ body: (OpaquePointer?, UnsafeMutableRawPointer) -> CInt) {
        guard failure == nil else { return }
        let result = body(bus, context)
        if result < 0 { fail(result) } else { unanswered += 1 }
    }

    // MARK: - Notifications

    func show(_ notification: AlarmNotification) {
        closesNext = false
        if isNotifying { return next = notification }
        isNotifying = true
        call {
            csystemd_notify(
                $0, self.notification, notification.summary, notification.body, notification.isUrgent ? 2 : 1,
                1,
                notified, $1)
        }
        if let failure { events.append(.notShown(failure)) }
    }

    func closeNotification() {
        next = nil
        if isNotifying { return closesNext = true }
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
            sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &notification)
        }
        if closesNext {
            closesNext = false
            closeNotification()
        } else if let next {
            self.next = nil
            show(next)
        }
    }

    fileprivate func noteSignal(_ message: OpaquePointer?, isAction: Bool) {
        var number: UInt32 = 0
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &number)
        guard number == notification, number != 0 else { return }
        guard isAction else {
            var reason: UInt32 = 0
            sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &reason)
            notification = 0
            if reason == Self.dismissed { events.append(.acknowledged) }
            return
        }
        var action: UnsafePointer<CChar>?
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &action)
        events.append(action.map { String(cString: $0) } == "again" ? .again : .acknowledged)
    }

    // MARK: - The service manager

    func arm(_ unit: AlarmUnit) {
        let executable = realpath("/proc/self/exe", nil)
        defer { free(executable) }
        call {
            csystemd_arm(
                $0, "\(unit.name).timer", "\(unit.name).service", unit.calendar, executable, unit.directory,
                armed, $1)
        }
        if let failure { events.append(.notArmed(failure)) }
    }

    func disarm(_ name: String) { call { csystemd_stop($0, "\(name).timer", answered, $1) } }

    fileprivate func noteAnswer(_ message: OpaquePointer?, isArming: Bool) {
        unanswered -= 1
        answer = error(of: message)
        if isArming, let answer { events.append(.notArmed(answer)) }
    }

    private func error(of message: OpaquePointer?) -> String? {
        guard sd_bus_message_is_method_error(message, nil) > 0 else { return nil }
        return sd_bus_message_get_error(message)?.pointee.message.map { String(cString: $0) } ?? "error"
    }

    // MARK: - For the loop

    var isBusy: Bool { failure == nil && unanswered > 0 }

    func watch(_ polled: inout PollSet) {
        if failure == nil { polled.add(sd_bus_get_fd(bus), sd_bus_get_events(bus)) }
    }

    var deadline: MonotonicTime? {
        if !events.isEmpty { return MonotonicTime(microseconds: 0) }
        var end = UInt64.max
        guard failure == nil, sd_bus_get_timeout(bus, &end) >= 0, end != .max else { return nil }
        return MonotonicTime(microseconds: Int64(clamping: end))
    }

    func handle() -> [DesktopEvent] {
        while failure == nil {
            let result = sd_bus_process(bus, nil)
            if result < 0 { fail(result) }
            if result <= 0 { break }
        }
        defer { events = [] }
        return events
    }

    // MARK: - Checks

    /// The error of the last answer; `nil` where there was none.
    private var answer: String?

    /// Asks and waits for the answer, as long as `timeout`.
    ///
    /// - Returns: why there was none; `nil` where there was one.
    private func ask(_ body: (OpaquePointer?, UnsafeMutableRawPointer) -> CInt) -> String? {
        call(body)
        while isBusy {
            var polled = PollSet()
            watch(&polled)
            try? polled.wait(until: deadline)
            _ = handle()
        }
        defer { answer = nil }
        return failure ?? answer
    }

    /// Why there is no bus; `nil` where there is one.
    var busProblem: String? {
        _ = ask { csystemd_ask_bus($0, answered, $1) }
        return failure
    }

    /// Why no notification server answers; `nil` where one does.
    var notificationProblem: String? { ask { csystemd_ask_server($0, answered, $1) } }

    /// Why the user's service manager does not answer; `nil` where it does.
    var managerProblem: String? { ask { csystemd_ask_manager($0, answered, $1) } }
}

private typealias Handler =
    @convention(c) (
        OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<sd_bus_error>?
    ) -> CInt

private func owner(_ context: UnsafeMutableRawPointer?) -> UserBus? {
    context.map { Unmanaged<UserBus>.fromOpaque($0).takeUnretainedValue() }
}

private let notified: Handler = { message, context, _ in
    owner(context)?.noteNotification(message)
    return 0
}
private let answered: Handler = { message, context, _ in
    owner(context)?.noteAnswer(message, isArming: false)
    return 0
}
private let armed: Handler = { message, context, _ in
    owner(context)?.noteAnswer(message, isArming: true)
    return 0
}
private let actionInvoked: Handler = { message, context, _ in
    owner(context)?.noteSignal(message, isAction: true)
    return 0
}
private let notificationClosed: Handler = { message, context, _ in
    owner(context)?.noteSignal(message, isAction: false)
    return 0
}
