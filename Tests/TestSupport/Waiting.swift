import Glibc

/// For how long what must come is waited for. Emulated kernels are 10 to 20 times slower than the machine, and that may be
/// busy, so it is a limit for hopeless cases and never an expectation.
package let hopeless = Duration.seconds(180)

/// Waits until `probe` gives a value. The only place that looks again and again; what has a descriptor waits for that.
///
/// - Parameters:
///   - what: what is waited for, for the message.
///   - timeout: how long at most.
///   - poll: how long to wait between two looks.
///   - last: what to show of the state where time is over.
///   - probe: looks once.
/// - Returns: The first value.
/// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``, or what `probe` throws.
package func eventualValue<Value>(
    _ what: String, timeout: Duration = hopeless, poll: Duration = .milliseconds(20),
    last: () -> String = { "nothing" }, _ probe: () throws -> Value?
) throws -> Value {
    let deadline = ContinuousClock.now + timeout
    while true {
        // A look that begins after the deadline still counts: a machine that slept is no reason to fail.
        let isLast = ContinuousClock.now >= deadline
        if let value = try probe() { return value }
        if isLast { throw SupportError.timedOut(waitingFor: what, after: timeout, last: last()) }
        pause(poll)
    }
}

/// Waits until `condition` holds; see ``eventualValue(_:timeout:poll:last:_:)``.
package func eventually(
    _ what: String, timeout: Duration = hopeless, poll: Duration = .milliseconds(20),
    last: () -> String = { "nothing" }, _ condition: () throws -> Bool
) throws {
    try eventualValue(what, timeout: timeout, poll: poll, last: last) { try condition() ? () : nil }
}

/// Blocks this thread for at least `duration`.
package func pause(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var rest = timespec()
    while nanosleep(&left, &rest) == -1 && errno == EINTR { left = rest }
}

/// Waits until the other end of a pipe, socket or terminal is gone. That takes a moment where another thread starts a child
/// just then: until it becomes its program the child has a copy of every descriptor.
///
/// - Parameter descriptor: this end.
/// - Throws: ``SupportError``.
package func awaitHangUp(_ descriptor: Int32) throws(SupportError) {
    var waited = pollfd(fd: descriptor, events: 0, revents: 0)
    let limit = Int32(hopeless.components.seconds * 1_000)
    let count = try checked("poll") { poll(&waited, 1, limit) }
    if count == 0 {
        throw .timedOut(waitingFor: "the other end to go", after: hopeless, last: "it is there")
    }
}

/// Waits until `descriptor` can be read or has ended.
///
/// - Returns: Whether it can; false once `deadline` has passed.
func awaitReadable(_ descriptor: Int32, until deadline: ContinuousClock.Instant) throws(SupportError) -> Bool
{
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return try checked("poll") {
        let left = max(.zero, deadline - .now).components
        let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
        return poll(&waited, 1, Int32(clamping: milliseconds + 1))
    } > 0
}
