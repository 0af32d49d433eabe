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

    /// The text so far, or its beginning.
    private(set) var text = ""
    private var kept = 0, bytes = 0
    /// How many bytes of the end have come.
    private var matched = 0
    private var partial: PartialCharacter?

    /// Whether the end has come.
    var isEnded: Bool { matched == Self.end.count }

    /// Whether no end is waited for any more, and the text is thrown away. What still comes of it is no typing.
    var isTooLong: Bool { bytes > Self.longest }

    /// Takes the next byte.
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
