import Linux

/// Why a terminal cannot be used, or can no longer be.
package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A descriptor that should be a terminal is none.
    case noTerminal(descriptor: CInt)
    /// `TERM` is not set, or empty.
    case noType
    /// The terminal database does not have this type, or there is no database.
    case unknownType(String)
    /// Terminals of this type cannot place a character anywhere on the screen.
    case tooSimple(String)
    /// A call failed: its purpose, and errno(3).
    case failed(String, errno: CInt)
    /// The terminal is gone: closed, or its connection broken.
    case hungUp

    /// What failed and what to do, on one line.
    package var description: String {
        switch self {
        case .noTerminal(let descriptor):
            "\(descriptor == 0 ? "standard input" : "standard output") is not a terminal; "
                + "without one, use `counter listen`"
        case .noType: "TERM is not set; set it to the terminal's type, such as TERM=xterm-256color"
        case .unknownType(let name):
            "the terminal type '\(name)' is unknown here; install ncurses-term, or set TERM=xterm-256color"
        case .tooSimple(let name):
            "a terminal of type '\(name)' cannot show a screen; use another one, or `counter listen`"
        case .failed(let what, let number): "\(what): \(errorText(number))"
        case .hungUp: "the terminal is gone"
        }
    }

    /// What else to do about it; `nil` where the description says it.
    package var remedy: String? {
        switch self {
        case .failed(_, let number): Linux.remedy(forLimit: number)
        case .noTerminal, .noType, .unknownType, .tooSimple, .hungUp: nil
        }
    }
}
