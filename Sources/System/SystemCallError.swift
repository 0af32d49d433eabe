public import Glibc

/// A failed system call: its name, its subject and its `errno`.
public struct SystemCallError: Error, Hashable, CustomStringConvertible {
    /// The C function, as in its manual page: `open`, `ioctl EVIOCGRAB`.
    public let call: String
    /// The path or thing that it was asked for; empty where there is none.
    public let subject: String
    /// The value of `errno`.
    public let errno: CInt

    /// Describes a failed call.
    public init(call: String, subject: String = "", errno: CInt = Glibc.errno) {
        self.call = call
        self.subject = subject
        self.errno = errno
    }

    /// The kernel's own words for the reason (`strerror`).
    public var reason: String { errorText(errno) }

    /// What failed and why, on one line.
    public var description: String {
        subject.isEmpty ? "\(call): \(reason)" : "\(subject): \(call): \(reason)"
    }
}

/// The text of an errno. The corresponding C function is `strerror(3)`.
public func errorText(_ errno: CInt) -> String { String(cString: strerror(errno)) }

/// Calls `body` again for as long as a signal interrupts it (EINTR), and turns -1 into an error.
///
/// - Returns: what the call returned, never negative.
/// - Throws: `SystemCallError` with the `errno` of the call.
@discardableResult
public func systemCall<Result: SignedInteger>(
    _ call: @autoclosure () -> String, _ subject: @autoclosure () -> String = "", _ body: () -> Result
) throws(SystemCallError) -> Result {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = Glibc.errno
        if code != EINTR { throw SystemCallError(call: call(), subject: subject(), errno: code) }
    }
}
