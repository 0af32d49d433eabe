/// Pasted text up to its end, `CSI 201 ~`, in which CSI may have either form.
///
/// The end may be missing. Nothing of a text is used before its end has come.
struct PastedText {
    private static let end: [UInt8] = Array("\u{1B}[201~".utf8)
    /// How many bytes of the end 0x9B stands for.
    private static let introducer = 2
    /// A text that is longer has no end, in bytes.
    static let longest = 1 << 20
    /// So many characters are kept; no field takes as many.
    private static let mostKept = 4096

    private(set) var text = ""
    private var kept = 0, bytes = 0
    /// How many bytes of the end have come.
    private var matched = 0
    private var partial: PartialCharacter?

    var isEnded: Bool { matched == Self.end.count }

    /// Whether no end is waited for any more, and the text is thrown away. What still comes of it is no typing.
    var isTooLong: Bool { bytes > Self.longest }

    mutating func feed(_ byte: UInt8) {
        bytes = min(bytes + 1, Self.longest + 1)
        guard let character = character(byte), kept < Self.mostKept else { return }
        text.append(character)
        kept += 1
    }

    /// The character that a byte completes. Another control sequence that begins like the end is dropped.
    private mutating func character(_ byte: UInt8) -> Character? {
        let next = byte == Self.end[matched] ? matched + 1 : (byte == 0x1B ? 1 : 0)
        if next > 0 {
            (matched, partial) = (next, nil)
            return nil
        }
        matched = 0
        if var character = partial, character.append(byte) {
            partial = character.isWhole ? nil : character
            guard character.isWhole, let whole = character.character else { return nil }
            if whole.c1 == 0x9B { matched = Self.introducer }
            return whole.c1 == 0x9B ? nil : whole
        }
        partial = PartialCharacter(byte)
        if byte == 0x9B { matched = Self.introducer }
        return byte < 0x80 ? Character(Unicode.Scalar(byte)) : nil
    }
}

/// A control string of ECMA-48, 5.6 (OSC, DCS, APC, PM or SOS), which is discarded up to its end.
struct ControlString {
    /// Whether it is an OSC, which BEL ends too.
    private let isCommand: Bool
    private var hasEscape = false
    private var partial: PartialCharacter?
    private var content: [UInt8] = []

    /// What is kept of a string; the longest version that a terminal reports is shorter.
    private static let most = 128

    init(isCommand: Bool) { self.isCommand = isCommand }

    /// The name and version that a terminal reports in a DCS string: `>|kitty(0.32.2)`; nil where it is no such string.
    /// See XTVERSION in <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>.
    var version: String? {
        let text = content.prefix { 0x20..<0x7F ~= $0 }
        guard !isCommand, text.count == content.count, text.starts(with: Array(">|".utf8)) else { return nil }
        return String(decoding: text.dropFirst(2), as: UTF8.self)
    }

    /// Takes the next byte; returns whether it is the last.
    mutating func ends(with byte: UInt8) -> Bool {
        let isLast = isEnd(byte)
        if !isLast, byte != 0x1B, content.count < Self.most { content.append(byte) }
        // CAN and SUB cut a string off.
        if isLast, byte == 0x18 || byte == 0x1A { content = [] }
        return isLast
    }

    private mutating func isEnd(_ byte: UInt8) -> Bool {
        defer { hasEscape = byte == 0x1B }
        // 0x9C is also the last byte of some characters, such as "✜".
        if var character = partial, character.append(byte) {
            partial = character.isWhole ? nil : character
            return character.isWhole && character.character?.c1 == 0x9C
        }
        partial = PartialCharacter(byte)
        switch byte {
        case 0x18, 0x1A, 0x9C: return true
        case 0x07: return isCommand
        case 0x5C: return hasEscape
        default: return false
        }
    }
}

/// A character in UTF-8 that takes several bytes, of which some have come.
struct PartialCharacter {
    private var bytes: [UInt8]
    private let length: Int

    /// Begins with the first byte; nil where no such character begins with it.
    init?(_ first: UInt8) {
        guard (0xC2...0xF4).contains(first) else { return nil }
        bytes = [first]
        length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    }

    /// Takes the next byte.
    ///
    /// - Returns: false where it belongs to no character: this one is broken off.
    mutating func append(_ byte: UInt8) -> Bool {
        guard (0x80...0xBF).contains(byte) else { return false }
        bytes.append(byte)
        return true
    }

    var isWhole: Bool { bytes.count == length }

    var character: Character? { String(validating: bytes, as: UTF8.self)?.first }
}
