import CounterModel
import Testing

@Suite struct ControlCharactersTests {
    @Test func controlCharactersAreThoseThatUnicodeCallsSo() {
        for scalar in (0...0xFFFF).compactMap(Unicode.Scalar.init) {
            let isControl = scalar.properties.generalCategory == .control
            #expect("a\(scalar)".holdsControlCharacter == isControl, "\(scalar.value)")
        }
    }
}
