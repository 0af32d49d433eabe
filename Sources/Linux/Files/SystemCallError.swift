import Glibc

/// A failed system call: its name, its subject and its `errno`.
package struct SystemCallError: Error, Hashable, CustomStringConvertible {
    /// The C function, as in its manual page: `open`, `ioctl EVIOCGRAB`.
    package let call: String
    /// The path or thing that it was asked for; empty where there is none.
    package let subject: String
    /// The value of `errno`.
    package let errno: CInt
    /// What is wrong, where the kernel has no words for it: a whole clause.
    private let detail: String?

    /// Describes a failed call.
    package init(call: String, subject: String = "", errno: CInt = Glibc.errno, detail: String? = nil) {
        self.call = call
        self.subject = subject
        self.errno = errno
        self.detail = detail
    }

    /// Why it failed; mostly in the kernel's own words (`strerror`).
    package var reason: String { detail ?? errorText(errno) }

    /// What failed and why, on one line.
    package var description: String {
        detail ?? (subject.isEmpty ? "\(call): \(reason)" : "\(subject): \(call): \(reason)")
    }
}

/// What to do where no descriptor is left for another file; `nil` for any other errno.
package func remedy(forLimit errno: CInt) -> String? {
    switch errno {
    case EMFILE:
        "This program may have no more files open: raise its limit with ulimit -n in the shell that starts it."
    case ENFILE:
        "The machine has as many files open as it may: end some programs, or raise fs.file-max with sysctl."
    default: nil
    }
}

/// The text of an errno. The corresponding C function is `strerror(3)`.
package func errorText(_ errno: CInt) -> String { String(cString: strerror(errno)) }

/// Calls `body` again for as long as a signal interrupts it (EINTR), and turns -1 into an error.
///
/// - Returns: what the call returned, never negative.
/// - Throws: `SystemCallError` with the `errno` of the call.
@discardableResult
package func systemCall<Result: SignedInteger>(
    _ call: @autoclosure () -> String, _ subject: @autoclosure () -> String = "", _ body: () -> Result
) throws(SystemCallError) -> Result {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = Glibc.errno
        if code != EINTR { throw SystemCallError(call: call(), subject: subject(), errno: code) }
    }
}
