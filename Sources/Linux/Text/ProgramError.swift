import Glibc

/// An error that ends the program, printed as `counter: what: why` with the remedy on the next line.
package struct ProgramError: Error {
    /// What failed and why, on one line.
    package let message: String
    /// What the user can do about it; nil where there is no remedy.
    package let remedy: String?
    /// A code of `<sysexits.h>`.
    package let status: CInt

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - message: What failed and why.
    ///   - remedy: What the user can do about it; nil where there is no remedy.
    ///   - status: A code of `<sysexits.h>`.
    package init(_ message: String, remedy: String? = nil, status: CInt) {
        self.message = message
        self.remedy = remedy
        self.status = status
    }

    /// The reader of standard output has ended, such as `head`. It has what it wanted, so no message tells of it. The exit code is
    /// the one by which shells report the end by SIGPIPE, as other programs end then.
    package static let readerEnded = ProgramError(
        "standard output: its reader has ended", status: 128 + SIGPIPE)

    /// Whether it is the end of the reader of standard output.
    package var isReaderEnded: Bool { status == Self.readerEnded.status }

    /// The text for a screen: the message and the remedy on one line.
    package var sentence: String { notice.replacing("\n", with: " ") }

    /// The text for a screen with room for several lines: the remedy begins one where it does not fit behind the message, so that
    /// a command in it can be copied.
    package var notice: String { [message, remedy].compactMap(\.self).joined(separator: ".\n") }

    /// The text for standard error.
    package var text: String {
        // A name chosen by another user must not look like a line of this program.
        let line = String(message.map { $0.isNewline ? " " : $0 })
        let advice = remedy.map { "  \($0.quotable.replacing("\n", with: "\n  "))\n" }
        return "counter: \(line.quotable)\n" + (advice ?? "")
    }
}
