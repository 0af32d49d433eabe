import CounterModel
import Testing

@testable import CounterStore

/// What a place that is full still takes in.
@Suite struct AdmissionTests {
    @Test func atFullEntriesByHandAreKeptOutAndNothingElse() throws {
        let directory = try TemporaryDirectory()
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.setting(.capacity(2)), Ask.count(source: .manual), Ask.count(source: .manual))
        #expect(try journal.ask(Ask.count(source: .manual)) == [.refused(.full)])
        #expect(try journal.level() == 2)
        let line = ImportLine(fileHash: "file", number: 1)
        try journal.ask(Ask.count(), Ask.count(source: .import, line: line), Ask.count(.out, source: .manual))
        #expect(try journal.level() == 3, "a device and a file count, and by hand some go out")
        try journal.ask(Ask.setting(.admitsOverFull(true)), Ask.count(source: .manual))
        #expect(try journal.level() == 4)
    }
}
