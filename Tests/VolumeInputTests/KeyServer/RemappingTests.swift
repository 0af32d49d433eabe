import Testing

@testable import KeyProtocol
@testable import KeyServer
@testable import VolumeInput

/// Which entries of a key map are changed, and to what.
@Suite struct RemappingTests {
    private let usb: UInt16 = 3
    private let at: UInt16 = 0x11

    /// Entries of a HID map: (page, usage, code), at indexes in their order.
    private func map(_ usages: [(UInt8, UInt8, UInt16)]) -> [KeyMapEntry] {
        usages.enumerated().map {
            KeyMapEntry(scanCode: [$1.1, 0, $1.0, 0], code: $1.2, index: UInt16($0))
        }
    }

    private func plan(_ map: [KeyMapEntry], bus: UInt16, has codes: Set<UInt16>) -> Remapping {
        Remapping.plan(for: map, bus: bus, meanings: .volumeKeys, hasCode: codes.contains)
    }

    @Test func `The last unknown usages are spare`() {
        let plan = plan(
            map([
                (7, 0, 0), (7, 3, 0), (7, 4, 30), (7, 0x80, 115), (7, 0x81, 114), (7, 0xA5, 240),
                (7, 0xFE, 0), (7, 0xFF, 240),
            ]),
            bus: usb, has: [30, 114, 115])
        #expect(plan.keys.map(\.index) == [3, 4])
        #expect(plan.spares.map(\.index) == [7, 6])
        #expect(plan.spares.map(\.original) == [240, 0])
        #expect(plan.spares.map(\.standIn) == [114, 115])
        #expect(plan.keepsCapabilities)
    }

    @Test func `The first usages and other pages are never spare`() {
        let plan = plan(
            map([(7, 0, 0), (7, 1, 0), (7, 2, 240), (7, 3, 0), (7, 0x80, 115), (1, 0x30, 0), (9, 8, 240)]),
            bus: usb, has: [115])
        #expect(!plan.isEmpty && plan.spares.isEmpty && !plan.keepsCapabilities)
    }

    @Test func `Of an AT keyboard, entries of nothing are spare and unknown keys are not`() {
        let codes: [UInt16] = [0, 30, 115, 114, 0, 0, 240]
        let map = codes.enumerated().map {
            KeyMapEntry(scanCode: [UInt8($0), 0, 0, 0], code: $1, index: UInt16($0))
        }
        #expect(plan(map, bus: at, has: [30, 114, 115]).spares.map(\.index) == [5, 4])
        // Other drivers list only keys that exist.
        #expect(plan(map, bus: 0x19, has: [30, 114, 115]).spares.isEmpty)
    }

    @Test func `One spare is not enough for two keys`() {
        let plan = plan(map([(12, 0xE9, 115), (12, 0xEA, 114), (12, 0xF0, 240)]), bus: usb, has: [114, 115])
        #expect(plan.spares.count == 1 && !plan.keepsCapabilities)
    }

    @Test func `Of a map of two nodes, each has its own pages`() {
        let shared = map([
            (7, 4, 30), (7, 5, 48), (7, 0x7F, 113), (7, 0x80, 115), (7, 0x81, 114), (7, 0xFE, 240),
            (7, 0xFF, 240),
            (12, 0xCD, 164), (12, 0xB5, 163), (12, 0xE2, 113), (12, 0xE9, 115), (12, 0xEA, 114),
            (12, 0xFE, 240), (12, 0xFF, 240),
        ])
        let keyboard = plan(shared, bus: usb, has: [30, 48, 113, 114, 115])
        let consumer = plan(shared, bus: usb, has: [113, 114, 115, 163, 164])
        #expect(keyboard.keys.map(\.index) == [3, 4] && keyboard.spares.map(\.index) == [6, 5])
        #expect(consumer.keys.map(\.index) == [10, 11] && consumer.spares.map(\.index) == [13, 12])
    }

    @Test func `A code that a sibling uses is no stand-in`() {
        let plan = plan(map([(7, 4, 30), (7, 5, 656), (12, 0xE9, 115)]), bus: usb, has: [115])
        #expect(plan.keys.map(\.standIn) == [657])
    }
}

/// The record of an intercepted node.
@Suite struct InterceptionRecordTests {
    private let keys = [
        RemappedKey(scanCode: [0xE9, 0, 0x0C, 0], original: 115, standIn: 0x290, index: 7),
        RemappedKey(scanCode: [0xEA, 0, 0x0C, 0], original: 114, standIn: 0x291, index: 8),
    ]

    private let spares = [
        RemappedKey(scanCode: [0xFF, 2, 0x0C, 0], original: 240, standIn: 115, index: 766),
        RemappedKey(scanCode: [0xFE, 2, 0x0C, 0], original: 0, standIn: 114, index: 765),
    ]
    private var whole: Remapping { Remapping(keys: keys, spares: spares) }

    private func key(_ original: UInt16, _ standIn: UInt16, at index: UInt16) -> RemappedKey {
        RemappedKey(scanCode: [UInt8(index), 0, 0, 0], original: original, standIn: standIn, index: index)
    }

    @Test func `What is written is read again`() {
        let most = Remapping(
            keys: (0..<UInt16(Remapping.maxKeys)).map { key(115 + $0, 0x290, at: $0) },
            spares: (0..<UInt16(Remapping.maxSpares)).map { key(0, 115 + $0, at: 200 + $0) })
        for record in [
            InterceptionRecord(whole), InterceptionRecord(Remapping()), InterceptionRecord(boot: "", whole),
            InterceptionRecord(Remapping(keys: keys)), InterceptionRecord(most),
        ] { #expect(InterceptionRecord(record.bytes) == record) }
    }

    @Test func `What is cut or continued is no record`() {
        let bytes = InterceptionRecord(whole).bytes
        for count in 0..<bytes.count { #expect(InterceptionRecord(Array(bytes.prefix(count))) == nil) }
        #expect(InterceptionRecord(bytes + [0]) == nil)
        #expect(InterceptionRecord(bytes + bytes) == nil)
    }

    @Test func `A stand-in is one of those that are used`() {
        for code in [0, 1, 115, 0x28F, 0x2AE, 0x2FF, .max] as [UInt16] {
            let key = RemappedKey(scanCode: [1], original: 115, standIn: code, index: 1)
            #expect(InterceptionRecord(InterceptionRecord(Remapping(keys: [key])).bytes) == nil)
        }
    }

    @Test(
        arguments: [
            // Invalid: one that was a key's, one for a key that is not remapped, one that is also a key's entry.
            ((30, 115, 9), false), ((0, 113, 9), false), ((0, 0x290, 9), false), ((240, 115, 1), false),
            ((0, 115, 9), true), ((240, 114, 9), true),
        ] as [((UInt16, UInt16, UInt16), Bool)])
    func `A spare meant nothing and stands for a key of the record`(
        spare: (UInt16, UInt16, UInt16), isOne: Bool
    ) {
        let keys = [key(115, 0x290, at: 1), key(114, 0x291, at: 2)]
        let record = InterceptionRecord(Remapping(keys: keys, spares: [key(spare.0, spare.1, at: spare.2)]))
        #expect((InterceptionRecord(record.bytes) == record) == isOne)
    }

    @Test func `A key has one spare`() {
        let two = Remapping(keys: keys, spares: [key(0, 115, at: 1), key(0, 115, at: 2)])
        #expect(InterceptionRecord(InterceptionRecord(two).bytes) == nil)
    }

    @Test func `A record that an earlier program has written is still read`() {
        var bytes: [UInt8] = Array("counter-keys interception\n".utf8) + [3, 0]
        bytes += [UInt8](repeating: 0, count: 36) + [1, 0]
        bytes += [4, 0xE9, 0, 0x0C, 0] + [UInt8](repeating: 0, count: 28)
        bytes += [115, 0, 0x90, 2, 7, 0, 0, 0]
        #expect(InterceptionRecord(bytes) == InterceptionRecord(boot: "", Remapping(keys: [keys[0]])))
    }

    @Test func `A record is of its boot`() {
        #expect(InterceptionRecord(whole).isOfThisBoot)
        #expect(InterceptionRecord(boot: "", whole).isOfThisBoot, "the kernel did not tell")
        let other = InterceptionRecord(boot: "00000000-0000-0000-0000-000000000000", whole)
        #expect(InterceptionRecord.currentBoot.isEmpty || !other.isOfThisBoot)
    }

    @Test func `What somebody else wrote is believed for served keys only`() {
        #expect(keys.filter { !$0.isServed }.isEmpty)
        for code in [1, 28, 30, 59, 116, 142, 0x110] as [UInt16] {
            #expect(!RemappedKey(scanCode: [1], original: code, standIn: 0x290, index: 1).isServed)
        }
    }
}

@Suite struct KeyBitsTests {
    @Test func `Codes are bits of the kernel's words`() {
        let bits = KeyBits([0, 63, 64, 114, 115, 0x2FF])
        #expect(bits.codes == [0, 63, 64, 114, 115, 0x2FF])
        let words = bits.withUnsafeWords { Array(UnsafeBufferPointer(start: $0, count: 12)) }
        #expect(words[0] == UInt64(1) | 1 << 63)
        #expect(words[1] == UInt64(1) | 1 << 50 | 1 << 51)
        #expect(words[11] == UInt64(1) << 63)
        #expect(words[2...10].allSatisfy { $0 == 0 })
    }

    @Test func `Codes beyond the kernel's are left out`() {
        #expect(KeyBits([0x300, .max]).isEmpty)
        #expect(KeyBits().isEmpty)
        #expect(!KeyBits([0]).isEmpty)
        #expect(KeyBits.byteCount.isMultiple(of: 8), "the kernel reads masks in multiples of 8 bytes")
    }

    @Test func `A subset has nothing else`() {
        let small = KeyBits([114])
        let large = KeyBits([114, 115])
        #expect(small.isSubset(of: large))
        #expect(!large.isSubset(of: small))
        #expect(large.isSubset(of: large))
        #expect(KeyBits().isSubset(of: KeyBits()))
        #expect(!KeyBits([700]).isSubset(of: KeyBits([114])))
    }
}
