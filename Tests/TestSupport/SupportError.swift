import Glibc

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
