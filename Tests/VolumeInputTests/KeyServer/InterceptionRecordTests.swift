import Testing

@testable import KeyServer
@testable import VolumeInput

/// The record of an intercepted node.
@Suite struct InterceptionRecordTests {
    private let keys = [
        RemappedKey(scanCode: [0xE9, 0, 0x0C, 0], original: 115, standIn: 0x290),
        RemappedKey(scanCode: [0xEA, 0, 0x0C, 0], original: 114, standIn: 0x291),
    ]

    private let spares = [
        RemappedKey(scanCode: [0xFF, 2, 0x0C, 0], original: 240, standIn: 115, index: 766),
        RemappedKey(scanCode: [0xFE, 2, 0x0C, 0], original: 0, standIn: 114, index: 765),
    ]
    private var whole: Remapping { Remapping(keys: keys, spares: spares) }

    private func key(_ original: UInt16, _ standIn: UInt16, at index: UInt16) -> RemappedKey {
        RemappedKey(scanCode: [UInt8(index), 0, 0, 0], original: original, standIn: standIn, index: index)
    }

    @Test func whatIsWrittenIsReadAgain() {
        let most = Remapping(
            keys: (0..<UInt16(Remapping.maxKeys)).map { key(115 + $0, 0x290, at: $0) },
            spares: (0..<UInt16(Remapping.maxSpares)).map { key(0, 115 + $0, at: 200 + $0) })
        for record in [
            InterceptionRecord(whole), InterceptionRecord(Remapping()), InterceptionRecord(boot: "", whole),
            InterceptionRecord(Remapping(keys: keys)), InterceptionRecord(most),
        ] { #expect(InterceptionRecord(record.bytes) == record) }
    }

    @Test func whatIsCutOrContinuedIsNoRecord() {
        let bytes = InterceptionRecord(whole).bytes
        for count in 0..<bytes.count { #expect(InterceptionRecord(Array(bytes.prefix(count))) == nil) }
        #expect(InterceptionRecord(bytes + [0]) == nil)
        #expect(InterceptionRecord(bytes + bytes) == nil)
    }

    @Test func aStandInIsOneOfThoseThatAreUsed() {
        for code in [0, 1, 115, 0x28F, 0x2AE, 0x2FF, .max] as [UInt16] {
            let key = RemappedKey(scanCode: [1], original: 115, standIn: code)
            #expect(InterceptionRecord(InterceptionRecord(Remapping(keys: [key])).bytes) == nil)
        }
    }

    @Test(
        arguments: [
            // Invalid spare entries: one that was a key's; one for a key that is not remapped; one that is also a
            // key's entry.
            ((30, 115, 9), false), ((0, 113, 9), false), ((0, 0x290, 9), false), ((240, 115, 1), false),
            ((0, 115, 9), true), ((240, 114, 9), true),
        ] as [((UInt16, UInt16, UInt16), Bool)])
    func aSpareMeantNothingAndStandsForAKeyOfTheRecord(spare: (UInt16, UInt16, UInt16), isOne: Bool) {
        let keys = [key(115, 0x290, at: 1), key(114, 0x291, at: 2)]
        let record = InterceptionRecord(Remapping(keys: keys, spares: [key(spare.0, spare.1, at: spare.2)]))
        #expect((InterceptionRecord(record.bytes) == record) == isOne)
    }

    @Test func aKeyHasOneSpare() {
        let two = Remapping(keys: keys, spares: [key(0, 115, at: 1), key(0, 115, at: 2)])
        #expect(InterceptionRecord(InterceptionRecord(two).bytes) == nil)
    }

    @Test func aRecordOfTheSecondVersionIsStillRead() {
        var bytes =
            Array("counter-keys interception\n".utf8) + [2, 0] + Array(repeating: 0, count: 36) + [1, 0]
        bytes += [4, 0xE9, 0, 0x0C, 0] + Array(repeating: 0, count: 28) + [115, 0, 0x90, 2]
        #expect(InterceptionRecord(bytes) == InterceptionRecord(boot: "", Remapping(keys: [keys[0]])))
    }

    @Test func aRecordOfTheFirstVersionIsStillRead() {
        let bytes: [UInt8] = [4, 0xE9, 0, 0x0C, 0] + Array(repeating: 0, count: 28) + [115, 0, 0x90, 2]
        #expect(InterceptionRecord(bytes) == InterceptionRecord(boot: "", Remapping(keys: [keys[0]])))
    }

    @Test func aRecordIsOfItsBoot() {
        #expect(InterceptionRecord(whole).isOfThisBoot)
        #expect(InterceptionRecord(boot: "", whole).isOfThisBoot, "the kernel did not tell")
        let other = InterceptionRecord(boot: "00000000-0000-0000-0000-000000000000", whole)
        #expect(InterceptionRecord.currentBoot.isEmpty || !other.isOfThisBoot)
    }

    @Test func whatSomebodyElseWroteIsBelievedForServedKeysOnly() {
        #expect(keys.filter { !$0.isServed }.isEmpty)
        for code in [1, 28, 30, 59, 116, 142, 0x110] as [UInt16] {
            #expect(!RemappedKey(scanCode: [1], original: code, standIn: 0x290).isServed)
        }
    }
}
