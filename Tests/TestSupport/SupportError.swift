import Glibc

/// What can go wrong in a test before anything that it tests.
package enum SupportError: Error, Equatable {
    /// A system call failed. `subject` is the path or thing that it was about.
    case system(call: String, subject: String, errno: Int32)
    /// Something did not come to be in time. `last` is what was there instead.
    case timedOut(waitingFor: String, after: Duration, last: String)
    /// A reader was too slow for the kernel, which dropped events for it: what it saw proves nothing.
    case droppedEvents(node: String)
    /// A tool that the test drives refused.
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

/// Calls again where a signal came in between, and turns -1 and errno into an error.
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
