import CounterModel
import Testing

/// The keys of locations: one letter, small and as a capital.
@Suite struct LocationKeyTests {
    @Test(arguments: [
        ("a", "a", "A"), ("A", "a", "A"), ("ä", "ä", "Ä"), ("Ж", "ж", "Ж"), ("e\u{301}", "é", "É"),
    ])
    func `A letter that has a capital is a key`(text: String, small: Character, capital: Character) throws {
        let key = try #require(LocationKey(text))
        #expect(key.character == small)
        #expect(key.capital == capital)
        #expect(LocationKey(key.description) == key)
    }

    @Test(arguments: ["", "ab", "1", "+", " ", "?", "ß", "の", "\u{1B}", "👍"])
    func `Anything else is none`(text: String) {
        #expect(LocationKey(text) == nil)
    }
}
