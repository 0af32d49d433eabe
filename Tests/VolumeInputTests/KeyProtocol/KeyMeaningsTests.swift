import Testing

@testable import KeyProtocol

@Suite struct KeyMeaningsTests {
    @Test func theVolumeKeysCountUnlessConfiguredOtherwise() {
        let meanings = KeyMeanings.volumeKeys
        #expect(meanings.isValid)
        #expect(meanings.key(for: 115) == .up)
        #expect(meanings.key(for: 114) == .down)
        #expect(meanings.key(for: 30) == nil)
        #expect(meanings.codes.map(\.code) == [115, 114])
    }

    @Test func aPageTurnerMayHaveOtherKeys() {
        let meanings = KeyMeanings(up: [109, 106], down: [104], reset: [48])
        #expect(meanings.isValid)
        #expect(meanings.key(for: 106) == .up)
        #expect(meanings.key(for: 48) == .reset)
        #expect(meanings.key(for: 115) == nil)
    }

    @Test(arguments: [
        KeyMeanings(up: [], down: [], reset: []),
        KeyMeanings(up: [115], down: [115], reset: []),
        KeyMeanings(up: [115, 115], down: [], reset: []),
        KeyMeanings(up: [115], down: [114], reset: [114]),
        KeyMeanings(up: [0], down: [], reset: []),
        KeyMeanings(up: [0x300], down: [], reset: []),
        KeyMeanings(up: [.max], down: [], reset: []),
        KeyMeanings(up: Array(1...9), down: [], reset: []),
    ])
    func whatMakesNoSenseIsInvalid(meanings: KeyMeanings) { #expect(!meanings.isValid) }

    @Test(arguments: [
        KeyMeanings(up: [115], down: [], reset: []),
        KeyMeanings(up: [], down: [], reset: [1]),
        KeyMeanings(up: Array(1...8), down: Array(9...16), reset: Array(17...24)),
        KeyMeanings(up: [0x2FF], down: [1], reset: []),
    ])
    func whatMakesSenseIsValid(meanings: KeyMeanings) { #expect(meanings.isValid) }

    /// (name, code)
    @Test(
        arguments: [
            ("KEY_VOLUMEUP", 115), ("KEY_VOLUMEDOWN", 114), ("KEY_ESC", 1), ("BTN_LEFT", 0x110),
            ("KEY_RESERVED", nil), ("KEY_MAX", nil), ("VOLUMEUP", nil), ("key_volumeup", nil), ("", nil),
            ("REL_X", nil), ("KEY_NONE_SUCH", nil),
        ] as [(String, UInt16?)])
    func keysHaveTheNamesOfTheKernel(name: String, code: UInt16?) {
        #expect(KeyMeanings.code(named: name) == code)
    }
}
