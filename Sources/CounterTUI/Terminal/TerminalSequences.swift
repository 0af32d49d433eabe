import CNcurses

/// The sequences that ncurses does not send: entering and leaving full-screen mode, title, focus reports, bracketed
/// paste, the mouse, kitty's keyboard protocol.
///
/// ncurses' own sequences for this are not used: the crash guard needs the bytes beforehand, and the size may have
/// changed by then.
struct TerminalSequences {
    /// Enters full-screen mode: the alternate screen if there is one, no cursor, mouse reports, focus reports,
    /// bracketed paste, kitty's keyboard protocol; saves the user's title.
    let enter: String
    /// The modes of full-screen mode again, after another program may have changed them.
    let again: String
    /// Undoes `enter`, even in the middle of other output.
    let leave: String
    /// No attributes and the terminal's own colours: ncurses assumes these before it draws everything.
    let plain: String
    /// Whether the terminal, by its type, reports its focus.
    let reportsFocus: Bool
    /// The bytes before and after a title; nil if the terminal has none.
    private let title: (start: String, end: String)?

    /// The sequences of the terminal type that ncurses has opened. `name` is the value of `TERM`. Throws `tooSimple`.
    init(name: String) throws(TerminalError) {
        guard let clear = Self.string("clear"), Self.string("cup") != nil else { throw .tooSimple(name) }
        // A mouse in terminfo shows that the terminal is like xterm. The Linux console has one too (by gpm), but no
        // window, no title, no focus.
        let window = Self.string("kmous") != nil && !name.hasPrefix("linux")
        let ownScreen = Self.string("rmcup") == nil ? nil : Self.string("smcup")
        plain = ["sgr0", "op"].compactMap(Self.string).joined()
        // Characters replace others, and wrap at the right edge: ncurses relies on both, and changes them within a frame.
        let drawing = ["rmir", "smam"].compactMap(Self.string).joined()
        again = drawing + (Self.string("civis") ?? "") + (window ? Self.windowModes : "")
        enter = (ownScreen ?? "") + (window ? Self.enterWindow : "") + again
        // CAN ends a sequence that was cut off when unsent output was discarded.
        leave =
            "\u{18}" + (window ? Self.leaveWindow : "") + drawing + Self.wholeMargins + plain
            + (Self.string("cnorm") ?? "") + (ownScreen == nil ? clear : Self.string("rmcup") ?? "")
        title = Self.title(window: window)
        reportsFocus = window
    }

    /// The sequence that sets the window's title, with the text sanitised; nil if the terminal has none.
    func title(_ text: String) -> String? { title.map { $0.start + text.sanitised + $0.end } }

    /// Has all lines scroll: ncurses scrolls a part of them within a frame. Without numbers DECSTBM means the whole
    /// screen, whatever its size is by then.
    private static var wholeMargins: String { string("csr")?.hasSuffix("r") == true ? "\u{1B}[r" : "" }

    private static let enterWindow = "\u{1B}[22;0t" + KeyboardProtocol.enter
    private static let windowModes = "\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?1004h\u{1B}[?2004h"
    private static let leaveWindow =
        KeyboardProtocol.leave + "\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[23;0t"

    private static func title(window: Bool) -> (start: String, end: String)? {
        if window { return ("\u{1B}]2;", "\u{7}") }
        guard let start = string("tsl"), let end = string("fsl") else { return nil }
        return (start, end)
    }

    /// A capability of the terminal by its terminfo name; nil if there is none.
    private static func string(_ name: String) -> String? {
        cncurses_string(name).map { withoutDelays(String(cString: $0)) }
    }

    /// Removes padding such as `$<5>` (5 ms), which no modern terminal needs and would display.
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

/// kitty's keyboard protocol; terminals without it ignore it.
///
/// With it a terminal reports volume keys itself, unless the desktop takes them, so they count without a device, as over
/// SSH. See <https://sw.kovidgoyal.net/kitty/keyboard-protocol/>.
enum KeyboardProtocol {
    /// The flag that has releases reported, which long presses and the chord need.
    static let releases = 2
    /// Requests that flag, one form for every key without text, Escape and Ctrl-C too (1), and the key on a Latin layout
    /// too, for Ctrl-C on a Cyrillic one (4). Asks which are on: the answer is `CSI ? flags u`. It applies to the current
    /// screen (main or alternate).
    static let enter = "\u{1B}[>\(1 | releases | 4)u\u{1B}[?u"
    /// Undoes `enter`.
    static let leave = "\u{1B}[<u"
}
