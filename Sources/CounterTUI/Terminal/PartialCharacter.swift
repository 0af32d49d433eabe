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

    /// Whether all of it has come.
    var isWhole: Bool { bytes.count == length }

    /// The character; nil where the bytes are none.
    var character: Character? { String(validating: bytes, as: UTF8.self)?.first }
}
