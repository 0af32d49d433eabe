import TestSupport
import Testing

@testable import KeyProtocol

@Suite struct KeyFrameTests {
    private static let everyChange = CountedKey.allCases.flatMap {
        [KeyChange($0, isDown: true), KeyChange($0, isDown: false)]
    }

    @Test func changesComeOutAsTheyWentIn() throws {
        var random = SplitMix64(seed: 1)
        for count in 0...KeyChanges.capacity {
            for _ in 0..<50 {
                let list = (0..<count).map { _ in random.element(of: Self.everyChange) }
                let changes = KeyChanges(list)
                #expect(Array(changes) == list)
                #expect(changes.count == count)
                let read = try #require(KeyChanges(packed: changes.packed, count: count))
                #expect(read == changes)
                #expect(Array(read) == list)
            }
        }
    }

    @Test func aFullFrameTakesNoMore() {
        let list = (0..<20).map { Self.everyChange[$0 % Self.everyChange.count] }
        var changes = KeyChanges(list)
        #expect(Array(changes) == Array(list.prefix(KeyChanges.capacity)))
        let before = changes
        let isTaken = changes.append(KeyChange(.up, isDown: true))
        #expect(!isTaken)
        #expect(changes == before)
    }

    /// (packed, count): a count out of range, bits beyond the count, an unknown key.
    @Test(
        arguments: [
            (0, -1), (0, 17), (0, Int.max), (1, 0), (8, 1), (1 << 48, 16), (UInt64.max, 16), (3, 1), (7, 1),
            (3 << 45, 16), (0b011_000, 2),
        ] as [(UInt64, Int)])
    func whatIsNoPackedFormIsRefused(packed: UInt64, count: Int) {
        #expect(KeyChanges(packed: packed, count: count) == nil)
    }

    @Test func noTwoListsHaveOnePackedForm() {
        var seen: Set<KeyChanges> = []
        let lists =
            [[]] + Self.everyChange.map { [$0] }
            + Self.everyChange.flatMap { first in Self.everyChange.map { [first, $0] } }
        for list in lists { #expect(seen.insert(KeyChanges(list)).inserted) }
    }

    @Test func aSetOfKeysHasABitForEach() {
        #expect(CountedKeys(.up).rawValue == 1)
        #expect(CountedKeys(.down).rawValue == 2)
        #expect(CountedKeys(.reset).rawValue == 4)
    }
}
