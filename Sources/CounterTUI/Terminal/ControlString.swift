/// A control string of ECMA-48, 5.6 (OSC, DCS, APC, PM or SOS), which is discarded up to its end.
struct ControlString {
    /// Whether it is an OSC, which BEL ends too.
    private let isCommand: Bool
    private var hasEscape = false
    private var partial: PartialCharacter?

    /// A string that has just begun.
    init(isCommand: Bool) { self.isCommand = isCommand }

    /// Takes the next byte; returns whether it is the last.
    mutating func ends(with byte: UInt8) -> Bool {
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
