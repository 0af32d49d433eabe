/// A control string of ECMA-48, 5.6, of which nothing is kept: OSC, DCS, APC, PM or SOS, up to its end.
struct ControlString {
    /// It is an OSC, which BEL ends too.
    private let isCommand: Bool
    private var hasEscape = false
    private var partial: PartialCharacter?

    /// One that has just been introduced.
    init(isCommand: Bool) { self.isCommand = isCommand }

    /// Takes the next byte; whether it is the last.
    mutating func ends(with byte: UInt8) -> Bool {
        defer { hasEscape = byte == 0x1B }
        // 0x9C is also the end of many a character, such as "✜".
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
