import CounterModel
import Testing

@Suite struct ControlCharactersTests {
    @Test(arguments: [
        "\u{200B}", "\u{2060}\u{FEFF}", "\u{AD}", "\u{3164}", "\u{2800}", "\u{301}", " \u{A0}\u{2003}",
        "\u{E0041}", "\u{202E}",
    ])
    func aNameOfWhichNothingIsSeenIsNone(text: String) {
        #expect(!text.hasVisibleCharacter)
        #expect(!NameRule.admits(text) && !DeviceIdRule.admits(text))
        #expect(NameRule.admits(text + "a") && "\u{1F426}".hasVisibleCharacter && "é鳥".hasVisibleCharacter)
    }

    @Test func controlCharactersAreThoseThatUnicodeCallsSo() {
        for scalar in (0...0xFFFF).compactMap(Unicode.Scalar.init) {
            let isControl = scalar.properties.generalCategory == .control
            #expect("a\(scalar)".holdsControlCharacter == isControl, "\(scalar.value)")
        }
    }
}
