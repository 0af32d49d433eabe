import CounterModel
import Testing

@testable import CounterStore

@Suite final class OverflowTests: NewJournal {
    @Test(arguments: [(Int.max, EntryType.in), (Int.min, .out)])
    func theLevelStopsAtTheEndsOfInt(end: Int, type: EntryType) throws {
        #expect(try journal.ask(Ask.reset(end), Ask.count(type)).last == .refused(.overflow))
        #expect(try journal.level() == end)
        let back: EntryType = type == .in ? .out : .in
        try journal.ask(Ask.count(back), Ask.count(type))
        #expect(try journal.level() == end)
        #expect(try journal.verify() == [])
    }

    @Test func takingBackCanOverflowToo() throws {
        try journal.ask(Ask.reset(Int.max), Ask.count(.out), Ask.count(.in))
        #expect(try journal.ask(Ask.void(2)) == [.refused(.overflow)])
        #expect(try journal.level() == Int.max)
        #expect(try journal.verify() == [])
    }

    @Test func aHoldIsTakenBackWholeOrNotAtAll() throws {
        try journal.ask(
            Ask.reset(Int.min), Ask.count(), Ask.count(continues: true), Ask.count(.out, device: "b"))
        try journal.ask(Ask.void(4), Ask.reset(Int.min), Ask.undo())
        #expect(try journal.level() == Int.min + 2)
        try journal.ask(
            Ask.count(.out, device: "b"), Ask.count(at: 1_001, device: "c", number: 1), Ask.void(8))
        try journal.ask(Ask.undo(), Ask.undo())
        #expect(try journal.level() == Int.min)
        #expect(try journal.verify() == [])
    }

    @Test func undoingAResetOntoAFullSegmentIsRefused() throws {
        try journal.ask(Ask.reset(Int.max), Ask.reset(0), Ask.count())
        #expect(try journal.ask(Ask.void(2)) == [.refused(.overflow)])
        #expect(try journal.level() == 1)
        try journal.ask(Ask.undo(), Ask.undo())
        #expect(try journal.level() == Int.max)
        #expect(try journal.verify() == [])
    }

    @Test func aLateEventIntoAFullSegmentIsRefused() throws {
        try journal.ask(Ask.reset(Int.max, at: 100), Ask.reset(0, at: 200))
        #expect(try journal.ask(Ask.count(at: 150, number: 1)) == [.refused(.overflow)])
        #expect(try journal.level() == 0)
    }

    @Test(arguments: [Int64.min, Int64.max])
    func anyTimeIsTaken(time: Int64) throws {
        let request = [
            Ask.count(at: time, number: 1), Ask.reset(5, at: time), Ask.count(at: time, number: 2),
        ]
        for received in [Int64.min, 0, Int64.max] {
            _ = try journal.append(request, receivedAt: Timestamp(microseconds: received))
        }
        #expect(try journal.verify() == [])
    }
}
