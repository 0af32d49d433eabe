internal import CNcurses

/// What a terminal is sent beside the screens that ncurses draws: how it is taken and given back, its title, focus
/// reports, bracketed paste, the mouse, kitty's keyboard protocol.
///
/// ncurses' own way of taking a terminal and giving it back is not used: the crash guard needs the bytes beforehand, and the
/// size may be another by then.
struct TerminalSequences {
    /// Takes the terminal: another screen where it has one, no cursor, mouse, focus reports, brackets around what is
    /// pasted, kitty's keyboard protocol, the user's title kept.
    let enter: String
    /// Takes `enter` back, whatever was being written before it.
    let leave: String
    /// No attributes, the terminal's own colours: what ncurses takes for granted before it draws everything.
    let plain: String
    /// The terminal tells when its window gets or loses the focus, as far as its type says.
    let reportsFocus: Bool
    /// What stands before and behind a title; nil where there is none.
    private let title: (start: String, end: String)?

    /// Those of the type that ncurses has open. `name` is the value of `TERM`.
    ///
    /// - Throws: `tooSimple`.
    init(name: String) throws(TerminalError) {
        guard let clear = Self.string("clear"), Self.string("cup") != nil else { throw .tooSimple(name) }
        // A mouse in terminfo is the sign of a terminal in the manner of xterm. Linux's own console has one too
        // (by gpm), and no window, no title, no focus.
        let window = Self.string("kmous") != nil && !name.hasPrefix("linux")
        let ownScreen = Self.string("rmcup") == nil ? nil : Self.string("smcup")
        plain = ["sgr0", "op"].compactMap(Self.string).joined()
        // Replaced, not inserted, and wrapped at the right edge: ncurses relies on both.
        let modes = ["rmir", "smam", "civis"].compactMap(Self.string).joined()
        enter = (ownScreen ?? "") + modes + (window ? Self.enterWindow : "")
        // CAN ends whatever sequence was cut off by what is thrown away before leaving.
        leave =
            "\u{18}" + (window ? Self.leaveWindow : "") + plain + (Self.string("cnorm") ?? "")
            + (ownScreen == nil ? clear : Self.string("rmcup") ?? "")
        title = Self.title(window: window)
        reportsFocus = window
    }

    /// What shows a title over the terminal's window, made harmless; nil where it has none.
    func title(_ text: String) -> String? { title.map { $0.start + text.sanitised + $0.end } }

    private static let enterWindow =
        "\u{1B}[22;0t\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?1004h\u{1B}[?2004h" + KeyboardProtocol.enter
    private static let leaveWindow =
        KeyboardProtocol.leave + "\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[23;0t"

    private static func title(window: Bool) -> (start: String, end: String)? {
        if window { return ("\u{1B}]2;", "\u{7}") }
        guard let start = string("tsl"), let end = string("fsl") else { return nil }
        return (start, end)
    }

    /// A capability of the terminal by its terminfo name; nil where it has none.
    private static func string(_ name: String) -> String? {
        cncurses_string(name).map { withoutDelays(String(cString: $0)) }
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

/// What is asked of terminals that know kitty's keyboard protocol; the others ignore it.
///
/// They deliver volume keys themselves then, where no desktop takes them, so these count without a device, as over SSH.
/// See <https://sw.kovidgoyal.net/kitty/keyboard-protocol/>.
enum KeyboardProtocol {
    private enum Flag {
        /// Every key without a text of its own in one form, Escape and Ctrl-C too.
        static let disambiguate = 1
        /// Releases, which holding and the chord need.
        static let eventTypes = 2
        /// The key on a Latin layout, for Ctrl-C on a Cyrillic one.
        static let alternateKeys = 4
    }

    /// Asks for all that, and which of it there is: the answer is `CSI ? flags u`. Belongs to the screen that is shown.
    static let enter = "\u{1B}[>\(Flag.disambiguate | Flag.eventTypes | Flag.alternateKeys)u\u{1B}[?u"
    /// Takes `enter` back.
    static let leave = "\u{1B}[<u"

    /// Whether a terminal that has answered with these flags tells of every release.
    static func tellsReleases(flags: Int) -> Bool { flags & Flag.eventTypes != 0 }
}
