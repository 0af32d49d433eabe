import Testing

@testable import KeyServer

@Suite struct KeyBitsTests {
    @Test func codesAreBitsOfTheKernelsWords() {
        let bits = KeyBits([0, 63, 64, 114, 115, 0x2FF])
        #expect(bits.codes == [0, 63, 64, 114, 115, 0x2FF])
        let words = bits.withUnsafeWords { Array(UnsafeBufferPointer(start: $0, count: 12)) }
        #expect(words[0] == UInt64(1) | 1 << 63)
        #expect(words[1] == UInt64(1) | 1 << 50 | 1 << 51)
        #expect(words[11] == UInt64(1) << 63)
        #expect(words[2...10].allSatisfy { $0 == 0 })
    }

    @Test func codesBeyondTheKernelsAreLeftOut() {
        #expect(KeyBits([0x300, .max]).isEmpty)
        #expect(KeyBits().isEmpty)
        #expect(!KeyBits([0]).isEmpty)
        #expect(KeyBits.byteCount.isMultiple(of: 8), "the kernel reads masks in multiples of 8 bytes")
    }

    @Test func aSubsetHasNothingElse() {
        let small = KeyBits([114])
        let large = KeyBits([114, 115])
        #expect(small.isSubset(of: large))
        #expect(!large.isSubset(of: small))
        #expect(large.isSubset(of: large))
        #expect(KeyBits().isSubset(of: KeyBits()))
        #expect(!KeyBits([700]).isSubset(of: KeyBits([114])))
    }
}
