import Testing

@testable import KeyProtocol
@testable import KeyServer

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

    @Test func theLastUnknownUsagesAreSpare() {
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

    @Test func theFirstUsagesAndOtherPagesAreNeverSpare() {
        let plan = plan(
            map([(7, 0, 0), (7, 1, 0), (7, 2, 240), (7, 3, 0), (7, 0x80, 115), (1, 0x30, 0), (9, 8, 240)]),
            bus: usb, has: [115])
        #expect(!plan.isEmpty && plan.spares.isEmpty && !plan.keepsCapabilities)
    }

    @Test func ofAnATKeyboardEntriesOfNothingAreSpareAndUnknownKeysAreNot() {
        let codes: [UInt16] = [0, 30, 115, 114, 0, 0, 240]
        let map = codes.enumerated().map {
            KeyMapEntry(scanCode: [UInt8($0), 0, 0, 0], code: $1, index: UInt16($0))
        }
        #expect(plan(map, bus: at, has: [30, 114, 115]).spares.map(\.index) == [5, 4])
        // Other drivers list only keys that exist.
        #expect(plan(map, bus: 0x19, has: [30, 114, 115]).spares.isEmpty)
    }

    @Test func oneSpareIsNotEnoughForTwoKeys() {
        let plan = plan(map([(12, 0xE9, 115), (12, 0xEA, 114), (12, 0xF0, 240)]), bus: usb, has: [114, 115])
        #expect(plan.spares.count == 1 && !plan.keepsCapabilities)
    }

    @Test func ofAMapOfTwoNodesEachHasItsOwnPages() {
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

    @Test func aCodeThatASiblingUsesIsNoStandIn() {
        let plan = plan(map([(7, 4, 30), (7, 5, 656), (12, 0xE9, 115)]), bus: usb, has: [115])
        #expect(plan.keys.map(\.standIn) == [657])
    }
}
