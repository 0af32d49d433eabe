import Glibc

/// The timeout for events that must come. Emulated kernels are 10 to 20 times slower than the machine, and the machine
/// may be busy: this is a limit for failures and never an expectation.
package let testTimeout = Duration.seconds(180)

/// Waits until `probe` returns a value. Only this function polls; what has a descriptor is waited for with poll(2). `last`
/// describes the state at the timeout.
package func eventualValue<Value>(
    _ what: String, timeout: Duration = testTimeout, poll: Duration = .milliseconds(20),
    last: () -> String = { "nothing" }, _ probe: () throws -> Value?
) throws -> Value {
    let deadline = ContinuousClock.now + timeout
    while true {
        // A probe that begins after the deadline still counts: a test must not fail because the machine was suspended.
        let isLast = ContinuousClock.now >= deadline
        if let value = try probe() { return value }
        if isLast { throw SupportError.timedOut(waitingFor: what, after: timeout, last: last()) }
        pause(poll)
    }
}

/// Waits until `condition` holds; see ``eventualValue(_:timeout:poll:last:_:)``.
package func eventually(
    _ what: String, timeout: Duration = testTimeout, poll: Duration = .milliseconds(20),
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

/// Waits until the other end of a pipe, socket or terminal is closed. That takes a moment where another thread is
/// starting a child: between fork and exec the child has a copy of every descriptor.
package func awaitHangUp(_ descriptor: Int32) throws(SupportError) {
    if try !awaitEvents(0, of: descriptor, until: .now + testTimeout) {
        throw .timedOut(waitingFor: "the other end to go", after: testTimeout, last: "it is there")
    }
}

/// Waits until `descriptor` is ready for events of poll(2), or closed.
func awaitEvents(
    _ events: Int32 = POLLIN, of descriptor: Int32, until deadline: ContinuousClock.Instant
) throws(SupportError) -> Bool {
    var waited = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return try checked("poll") {
        let left = max(.zero, deadline - .now).components
        let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
        return poll(&waited, 1, Int32(clamping: milliseconds + 1))
    } > 0
}

/// Whether `descriptor` is readable or closed, at the latest after `timeout`.
package func isReadable(_ descriptor: Int32, within timeout: Duration = .zero) throws(SupportError) -> Bool {
    try awaitEvents(of: descriptor, until: .now + timeout)
}

/// A pipe whose ends never block.
package final class TestPipe {
    /// Where it is read, and where it is written to.
    package let output, input: Int32

    package init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        (output, input) = (ends[0], ends[1])
    }

    deinit { for end in [output, input] { close(end) } }

    package func write(_ text: String) { _ = Glibc.write(input, text, text.utf8.count) }

    /// What has been written since the last call.
    package func read() -> String {
        // A pipe holds 64 KiB.
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = max(0, Glibc.read(output, &buffer, buffer.count))
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}

/// An error of the test's own environment, not of the program under test.
package enum SupportError: Error, Equatable {
    /// A system call failed. `subject` is the path or object of the call.
    case system(call: String, subject: String, errno: Int32)
    /// A condition was not reached in time. `last` is the state at that point.
    case timedOut(waitingFor: String, after: Duration, last: String)
    /// A reader was too slow, and the kernel dropped events for it: the events it received prove nothing.
    case droppedEvents(node: String)
    /// A tool that the test uses refused a request.
    case refused(by: String, why: String)
}

extension SupportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let call, let subject, let code):
            "\(call) \(subject): \(String(cString: strerror(code)))"
        case .timedOut(let what, let limit, let last):
            "waited \(limit) for \(what); last seen:\n\(last)"
        case .droppedEvents(let node):
            "\(node): the kernel dropped events (SYN_DROPPED); write fewer frames ahead of the reader"
        case .refused(let tool, let why):
            "\(tool): \(why)"
        }
    }
}

/// Repeats a system call that a signal has interrupted, and turns -1 and errno into an error.
@discardableResult
func checked<Result: SignedInteger>(
    _ call: String, _ subject: @autoclosure () -> String = "", _ body: () -> Result
) throws(SupportError) -> Result {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw .system(call: call, subject: subject(), errno: code) }
    }
}
