import CounterModel
import Testing

@testable import CounterStore

/// Corrections move the level and are no traffic.
@Suite final class CorrectionTests: NewJournal {
    private func kpis() throws -> KPIs {
        try journal.kpis(from: Timestamp(seconds: 0), to: Timestamp(seconds: 3600))
    }

    @Test(arguments: [nil, 100])
    func whatIsCountedByHandIsTrafficAndACorrectionIsNot(capacity: Int?) throws {
        try journal.ask(
            Ask.setting(.capacity(capacity)), Ask.entries(50), Ask.count(.out, source: .manual),
            Ask.count(.out), Ask.correction(.to(45)), Ask.correction(.by(-2)))
        let kpis = try kpis()
        #expect([kpis.totalIn, kpis.totalOut] == [50, 2])
        #expect([kpis.correctedUp, kpis.correctedDown] == [0, 5])
        #expect(kpis.net == 43)
        #expect(kpis.peakHour?.totalIn == 50)
        #expect(try journal.level() == 43)
        #expect(try journal.verify() == [])
    }

    @Test func aCorrectionIsOneRowWithTheLevelsBeforeAndAfter() throws {
        #expect(
            try journal.ask(Ask.count(), Ask.correction(.to(45)), Ask.correction(.by(-3))) == [
                .accepted(Position(1)), .corrected(Position(2), from: 1, to: 45),
                .corrected(Position(3), from: 45, to: 42),
            ])
        var rows: [Correction] = []
        try journal.forEachRow { if case .correction(let row) = $0.content { rows.append(row) } }
        #expect(rows.map { $0.words() } == ["1 → 45", "45 → 42"])
        #expect(rows.map(\.reason) == ["why", "why"])
        #expect(try journal.summary() == "+ by 44 by -3")
    }

    /// The difference is that of the moment at which the row is appended, whatever another program has counted since.
    @Test func aCountIsMetThoughAnotherProgramCountsMeanwhile() throws {
        let other = try SQLiteJournal(in: directory)
        try other.ask(Ask.entries(7))
        #expect(try journal.ask(Ask.correction(.to(45))) == [.corrected(Position(8), from: 7, to: 45)])
    }

    @Test(
        arguments: [
            (.to(45), .sameLevel), (.to(51), .full(room: 5)), (.by(6), .full(room: 5)),
            (.by(-46), .empty(inside: 45)), (.to(-1), .empty(inside: 45)),
        ] as [(Correction.Amount, Refusal)])
    func anOccupancyStaysWithinItsBounds(amount: Correction.Amount, refusal: Refusal) throws {
        try journal.ask(Ask.setting(.capacity(50)), Ask.correction(.to(45)))
        #expect(try journal.ask(Ask.correction(amount)) == [.refused(refusal)])
        #expect(try journal.level() == 45)
    }

    @Test func whatDevicesDroveBelowZeroIsCountedUpAgain() throws {
        try journal.ask(
            Ask.setting(.capacity(50)), Ask.count(.out), Ask.count(.out), Ask.count(.out), Ask.entries(2))
        let state = try #require(try journal.state(of: "default"))
        #expect([state.level, state.currentCount, state.moreLeftThanEntered] == [-1, 0, 1])
        #expect(try journal.ask(Ask.correction(.to(0))) == [.corrected(Position(7), from: -1, to: 0)])
        #expect(try journal.ask(Ask.entries(-1)) == [.refused(.empty(inside: 0))])
    }

    @Test(
        arguments: [
            (0, .to(.max), .tooLarge), (.max, .by(1), .overflow), (.min, .by(-1), .overflow),
            (.min, .to(.max), .tooLarge), (0, .to(1_000_000_001), .tooLarge),
        ] as [(Int, Correction.Amount, Refusal)])
    func numbersThatNoCorrectionCanHave(level: Int, amount: Correction.Amount, refusal: Refusal) throws {
        try journal.ask(Ask.reset(level))
        #expect(try journal.ask(Ask.correction(amount)) == [.refused(refusal)])
        #expect(try journal.level() == level)
    }

    /// More in one minute than its moment can hold: the average is no longer exact, and nothing traps.
    @Test func hugeCorrectionsInOneMinuteAreBounded() throws {
        let huge = Correction.Amount.by(Correction.largest)
        _ = try journal.append(
            (0..<400).map { _ in Ask.correction(huge, at: 59_999_999) },
            receivedAt: Timestamp(microseconds: 59_999_999))
        #expect(try journal.level() == 400 * Correction.largest)
        #expect(try kpis().correctedUp == 400 * Correction.largest)
        #expect(try journal.verify() == [])
        try journal.ask(Ask.undo())
        #expect(try journal.verify() == [])
    }
}

/// Which entries a full occupancy still accepts.
@Suite final class AdmissionTests: NewJournal {
    @Test func atFullEntriesByHandAreKeptOutAndNothingElse() throws {
        try journal.ask(Ask.setting(.capacity(2)), Ask.count(source: .manual), Ask.count(source: .manual))
        #expect(try journal.ask(Ask.count(source: .manual)) == [.refused(.full(room: 0))])
        #expect(try journal.level() == 2)
        let line = ImportLine(fileHash: "file", number: 1)
        try journal.ask(Ask.count(), Ask.count(source: .import, line: line), Ask.count(.out, source: .manual))
        #expect(try journal.level() == 3, "a device and a file count, and by hand some go out")
        try journal.ask(Ask.setting(.admitsOverFull(true)), Ask.count(source: .manual))
        #expect(try journal.level() == 4)
    }

    @Test func severalCountsAreMadeAsAWholeOrNotAtAll() throws {
        try journal.ask(Ask.setting(.capacity(5)), Ask.entries(2))
        // What another program counts in the same transaction takes the room.
        let outcomes = try journal.ask(Ask.entries(3), Ask.entries(1))
        #expect(outcomes[1] == .refused(.full(room: 0)))
        try journal.ask(Ask.undo())
        #expect(try journal.level() == 2, "an undo takes all of it back")
        #expect(try journal.ask(Ask.entries(5)) == [.refused(.full(room: 3))])
        #expect(try journal.level() == 2)
        #expect(try journal.verify().isEmpty)
    }
}
