import Testing

@testable import KeyServer
@testable import VolumeInput

/// What is written down of an intercepted node.
@Suite struct InterceptionRecordTests {
    private let keys = [
        RemappedKey(scanCode: [0xE9, 0, 0x0C, 0], original: 115, standIn: 0x290),
        RemappedKey(scanCode: [0xEA, 0, 0x0C, 0], original: 114, standIn: 0x291),
    ]

    @Test func whatIsWrittenIsReadAgain() {
        for record in [
            InterceptionRecord(keys), InterceptionRecord([]), InterceptionRecord(boot: "", keys),
            InterceptionRecord(Array(repeatElement(keys[0], count: InterceptionRecord.maxKeys))),
        ] { #expect(InterceptionRecord(record.bytes) == record) }
    }

    @Test func whatIsCutOrContinuedIsNoRecord() {
        let bytes = InterceptionRecord(keys).bytes
        for count in 0..<bytes.count { #expect(InterceptionRecord(Array(bytes.prefix(count))) == nil) }
        #expect(InterceptionRecord(bytes + [0]) == nil)
        #expect(InterceptionRecord(bytes + bytes) == nil)
    }

    @Test func aStandInIsOneOfThoseThatAreUsed() {
        for code in [0, 1, 115, 0x28F, 0x2AE, 0x2FF, .max] as [UInt16] {
            let key = RemappedKey(scanCode: [1], original: 115, standIn: code)
            #expect(InterceptionRecord(InterceptionRecord([key]).bytes) == nil)
        }
    }

    @Test func aRecordIsOfItsBoot() {
        #expect(InterceptionRecord(keys).isOfThisBoot)
        #expect(InterceptionRecord(boot: "", keys).isOfThisBoot, "the kernel did not tell")
        let other = InterceptionRecord(boot: "00000000-0000-0000-0000-000000000000", keys)
        #expect(InterceptionRecord.currentBoot.isEmpty || !other.isOfThisBoot)
    }

    @Test func whatSomebodyElseWroteIsBelievedForServedKeysOnly() {
        #expect(keys.filter { !$0.isServed }.isEmpty)
        for code in [1, 28, 30, 59, 116, 142, 0x110] as [UInt16] {
            #expect(!RemappedKey(scanCode: [1], original: code, standIn: 0x290).isServed)
        }
    }
}
