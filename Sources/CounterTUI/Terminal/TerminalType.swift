internal import CNcurses
internal import Glibc

/// What terminfo tells about a type of terminal, and the control sequences that follow from it.
struct TerminalType {
    /// The value of `TERM`.
    let name: String
    /// Sent after curses has started: mouse, focus reports, brackets around what is pasted, the user's title kept.
    let enter: String
    /// Sent after curses has ended: takes `enter` back.
    let leave: String
    /// Sent by a process that dies: what curses would have sent, and `leave`.
    let rescue: String
    /// What stands before and behind a title; nil where there is none.
    let title: (start: String, end: String)?

    /// Asks the terminal database. `output` is the terminal's descriptor.
    ///
    /// - Throws: `noType`, `unknownType`, `tooSimple`.
    init(name: String, output: CInt) throws(TerminalError) {
        guard !name.isEmpty else { throw .noType }
        guard cncurses_load(name, output) == 1 else { throw .unknownType(name) }
        defer { cncurses_unload() }
        guard Self.capability("cup") != nil, Self.capability("clear") != nil else { throw .tooSimple(name) }

        self.name = name
        // A mouse in terminfo is the sign of a terminal in the manner of xterm. Linux's own console has one too
        // (by gpm), and no window, no title, no focus.
        let window = Self.capability("kmous") != nil && !name.hasPrefix("linux")
        enter = window ? "\u{1B}[22;0t\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?1004h\u{1B}[?2004h" : ""
        leave = window ? "\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[23;0t" : ""
        rescue =
            leave + ["sgr0", "op", "cnorm", "rmkx", "rmcup"].compactMap(Self.capability).joined() + "\r\n"
        title = Self.title(window: window)
    }

    private static func title(window: Bool) -> (start: String, end: String)? {
        if window { return ("\u{1B}]2;", "\u{7}") }
        guard let start = capability("tsl"), let end = capability("fsl") else { return nil }
        return (start, end)
    }

    private static func capability(_ name: String) -> String? {
        cncurses_capability(name).map { withoutDelays(String(cString: $0)) }
    }

    /// `$<5>` asks for 5 ms of padding, which no terminal of today needs; written as it is, it would be seen.
    static func withoutDelays(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "$"), rest[start...].hasPrefix("$<"),
            let end = rest[start...].firstIndex(of: ">")
        {
            result += rest[..<start]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}

extension Terminal {
    /// Asks whether the terminal at standard output could show a screen, without touching it.
    ///
    /// - Throws: `noType`, `unknownType`, `tooSimple`.
    public static func check() throws(TerminalError) {
        _ = try TerminalType(name: environment("TERM") ?? "", output: 1)
    }
}
