import Glibc

/// Something that ends the program, in the words that the user reads: `counter: what: why`, and the remedy below.
public struct Failure: Error {
    /// What failed and why, on one line.
    public let message: String
    /// What to do about it; nil where nothing helps.
    public let remedy: String?
    /// A code of `<sysexits.h>`.
    public let status: CInt

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - message: What failed and why.
    ///   - remedy: What to do about it; nil where nothing helps.
    ///   - status: A code of `<sysexits.h>`.
    public init(_ message: String, remedy: String? = nil, status: CInt) {
        self.message = message
        self.remedy = remedy
        self.status = status
    }

    /// What a screen shows: the remedy follows on the same line.
    public var sentence: String { [message, remedy].compactMap(\.self).joined(separator: ". ") }

    /// What is printed on standard error.
    public var text: String {
        // What somebody else has chosen, such as a name, must not look like a line of ours.
        let line = String(message.map { $0.isNewline ? " " : $0 })
        return "counter: \(line.printable)\n" + (remedy.map { "  \($0.printable)\n" } ?? "")
    }
}
