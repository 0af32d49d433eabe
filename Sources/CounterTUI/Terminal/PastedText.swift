/// Pasted text up to its end, `CSI 201 ~`, in which CSI may have either form.
struct PastedText {
    private static let end: [UInt8] = Array("\u{1B}[201~".utf8)
    /// How many bytes of the end 0x9B stands for.
    private static let introducer = 2

    /// How many bytes of the end have come.
    private var matched = 0
    private var partial: PartialCharacter?

    /// Whether the end has come.
    var isEnded: Bool { matched == Self.end.count }

    /// Takes the next byte; returns the character that it completes. Another control sequence that begins like the
    /// end is dropped.
    mutating func feed(_ byte: UInt8) -> Character? {
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
