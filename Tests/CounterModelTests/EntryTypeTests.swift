import CounterModel
import Testing

@Suite struct EntryTypeTests {
    @Test(arguments: [(EntryType.in, 1), (.out, -1)])
    func deltaMatchesType(type: EntryType, delta: Int) {
        #expect(type.delta == delta)
        #expect(EntryType(delta: delta) == type)
    }

    @Test(arguments: [0, 2, -2, Int.max, Int.min])
    func otherDeltasHaveNoType(delta: Int) {
        #expect(EntryType(delta: delta) == nil)
    }
}
