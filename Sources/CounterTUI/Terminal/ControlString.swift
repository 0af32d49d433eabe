/// A control string of ECMA-48, 5.6 (OSC, DCS, APC, PM or SOS), which is discarded up to its end.
struct ControlString {
    /// Whether it is an OSC, which BEL ends too.
    private let isCommand: Bool
    private var hasEscape = false
    private var partial: PartialCharacter?
    /// The beginning of the string.
    private var content: [UInt8] = []

    /// What is kept of a string; the longest version that a terminal reports is shorter.
    private static let most = 128

    /// A string that has just begun.
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
