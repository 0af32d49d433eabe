import Testing

@testable import KeyProtocol

@Suite struct ByteCodingTests {
    @Test func numbersAreLittleEndian() throws {
        var writer = ByteWriter()
        writer.put(UInt16(0x0102))
        writer.put(Int64(-2))
        writer.put(UInt64.max)
        #expect(writer.bytes.prefix(3) == [0x02, 0x01, 0xFE])
        var reader = ByteReader(writer.bytes[...])
        #expect(try reader.number(UInt16.self) == 0x0102)
        #expect(try reader.number(Int64.self) == -2)
        #expect(try reader.number(UInt64.self) == .max)
        try reader.finish()
        #expect(throws: MessageError.malformed) { _ = try reader.number(UInt8.self) }
    }

    /// (text, width, what is left of it)
    @Test(
        arguments: [
            ("", 4, ""), ("abcd", 4, "abcd"), ("abcde", 4, "abcd"), ("aä", 2, "a"), ("aä", 3, "aä"),
            ("👨‍👩‍👧", 17, ""), ("e\u{301}", 2, ""), ("\u{0}x", 4, ""),
        ] as [(String, Int, String)])
    func textsFillTheirWidth(text: String, width: Int, rest: String) throws {
        var writer = ByteWriter()
        writer.put(text, width: width)
        #expect(writer.bytes.count == width)
        if text.utf8.contains(0) { return }
        var reader = ByteReader(writer.bytes[...])
        #expect(try reader.text(width: width) == rest)
    }

    @Test(
        arguments: [[0x61, 0, 0x61, 0], [0xFF, 0, 0, 0], [0xC3, 0, 0, 0], [0xED, 0xA0, 0x80, 0]] as [[UInt8]])
    func whatIsNoTextIsRefused(bytes: [UInt8]) {
        var reader = ByteReader(bytes[...])
        #expect(throws: MessageError.malformed) { _ = try reader.text(width: 4) }
    }

    @Test func theRestIsZeros() throws {
        try ByteReader([0, 0][...]).finish()
        #expect(throws: MessageError.malformed) { try ByteReader([0, 1][...]).finish() }
    }
}
