import Linux
import Testing

@Suite struct IdentifierTests {
    static let (composed, decomposed) = ("T\u{FC}r", "Tu\u{308}r")

    @Test func `Names that look alike are shown by their bytes, beside each other only`() {
        #expect(Identifier(Self.composed) != Identifier(Self.decomposed))
        #expect(Self.composed.distinct(from: ["door", Self.decomposed]) == #"T\xC3\xBCr"#)
        #expect(Self.decomposed.distinct(from: [Self.composed]) == #"Tu\xCC\x88r"#)
        #expect(Self.composed.distinct(from: [Self.composed, "door"]) == Self.composed)
    }

    @Test func `A suggestion that looks like what was typed tells the difference`() {
        #expect([Self.decomposed].suggestion(for: Self.composed) == #"Did you mean 'Tu\xCC\x88r'? "#)
        #expect(["Hall"].suggestion(for: "Hal") == "Did you mean 'Hall'? ")
    }

    @Test func `Bytes are escaped, printable ASCII is not`() {
        #expect([0x41, 0x20, 0x7E, 0x7F, 0x0A, 0xE4, 0x00].escaped == #"A ~\x7F\x0A\xE4\x00"#)
    }
}
