import Linux

/// Pasted text up to its end, `CSI 201 ~`, in which CSI may have either form.
///
/// The end may be missing. Nothing of a text is used before its end has come.
struct PastedText {
    private static let end = Array("\u{1B}[201~".unicodeScalars)
    /// A text that is longer has no end, in bytes.
    static let longest = 1 << 20
    /// So many bytes are kept; no field takes as many.
    private static let mostKept = 4096

    private(set) var text = ""
    private var bytes = 0
    /// How many characters of the end have come.
    private var matched = 0

    var isEnded: Bool { matched == Self.end.count }

    /// Whether no end is waited for any more, and the text is thrown away. What still comes of it is no typing.
    var isTooLong: Bool { bytes > Self.longest }

    /// Takes the next character. Another control sequence that begins like the end is dropped.
    mutating func take(_ character: Unicode.Scalar) {
        bytes = min(bytes + character.utf8.count, Self.longest + 1)
        switch character {
        case Self.end[matched]: matched += 1
        case "\u{1B}": matched = 1
        case "\u{9B}": matched = 2
        default:
            matched = 0
            if text.utf8.count < Self.mostKept { text.unicodeScalars.append(character) }
        }
    }
}

/// A control string of ECMA-48, 5.6 (OSC, DCS, APC, PM or SOS), which is discarded up to its end.
struct ControlString {
    /// Whether it is an OSC, which BEL ends too.
    private let isCommand: Bool
    private var hasEscape = false
    private var content = ""

    /// How many bytes of a string are kept; the longest version that a terminal reports is shorter.
    private static let most = 128

    init(isCommand: Bool) { self.isCommand = isCommand }

    /// The name and version that a terminal reports in a DCS string: `>|kitty(0.32.2)`; nil where it is no such string.
    /// See XTVERSION in <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>.
    var version: String? {
        !isCommand && content.isPlain && content.hasPrefix(">|") ? String(content.dropFirst(2)) : nil
    }

    /// Takes the next character; returns whether it is the last.
    mutating func ends(with character: Unicode.Scalar) -> Bool {
        defer { hasEscape = character == "\u{1B}" }
        switch character {
        // CAN and SUB cut a string off.
        case "\u{18}", "\u{1A}":
            content = ""
            return true
        case "\u{9C}": return true
        case "\u{7}" where isCommand, "\\" where hasEscape: return true
        case "\u{1B}": return false
        default:
            if content.utf8.count < Self.most { content.unicodeScalars.append(character) }
            return false
        }
    }
}
