internal import CTerminfo
internal import Glibc

/// What terminfo(5) tells about a type of terminal, and the control sequences that follow from it.
struct TerminalType {
    /// The value of `TERM`.
    let name: String
    /// Takes the terminal: another screen where it has one, no cursor, mouse, focus reports, brackets around what is
    /// pasted, kitty's keyboard protocol, the user's title kept.
    let enter: String
    /// Takes `enter` back, whatever was being written before it.
    let leave: String
    /// It tells when its window gets or loses the focus, as far as its type says.
    let reportsFocus: Bool
    /// What stands before and behind a title; nil where there is none.
    let title: (start: String, end: String)?
    /// What draws.
    let drawing: DrawingSequences

    /// Asks the terminal database. `output` is the terminal's descriptor.
    ///
    /// - Throws: `noType`, `unknownType`, `tooSimple`.
    init(name: String, output: CInt) throws(TerminalError) {
        guard !name.isEmpty else { throw .noType }
        guard cterminfo_load(name, output) == 1 else { throw .unknownType(name) }
        defer { cterminfo_unload() }
        guard let drawing = DrawingSequences() else { throw .tooSimple(name) }

        self.name = name
        self.drawing = drawing
        // A mouse in terminfo is the sign of a terminal in the manner of xterm. Linux's own console has one too
        // (by gpm), and no window, no title, no focus.
        let window = Self.string("kmous") != nil && !name.hasPrefix("linux")
        let ownScreen = Self.string("rmcup") == nil ? nil : Self.string("smcup")
        enter =
            [ownScreen, Self.string("civis"), window ? Self.enterWindow : nil].compactMap(\.self).joined()
        // CAN ends whatever sequence was cut off by what is thrown away before leaving.
        leave =
            "\u{18}" + (window ? Self.leaveWindow : "")
            + [Self.string("sgr0"), Self.string("cnorm")].compactMap(\.self).joined()
            + (ownScreen == nil ? drawing.clear : Self.string("rmcup") ?? "")
        title = Self.title(window: window)
        reportsFocus = window
    }

    private static let enterWindow =
        "\u{1B}[22;0t\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?1004h\u{1B}[?2004h" + KeyboardProtocol.enter
    private static let leaveWindow =
        KeyboardProtocol.leave + "\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[23;0t"

    private static func title(window: Bool) -> (start: String, end: String)? {
        if window { return ("\u{1B}]2;", "\u{7}") }
        guard let start = string("tsl"), let end = string("fsl") else { return nil }
        return (start, end)
    }

    /// A capability of the type that is loaded; nil where it has none.
    static func string(_ name: String) -> String? {
        cterminfo_string(name).map { withoutDelays(String(cString: $0)) }
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
