import CounterModel
import Testing

@testable import CounterStore

@Suite struct TwoWritersTests {
    let directory = TemporaryDirectory()

    @Test func eachSeesTheOthersChanges() throws {
        let one = try SQLiteJournal(in: directory)
        let two = try SQLiteJournal(in: directory)
        let before = try two.dataVersion()
        try two.ask(Ask.count())
        #expect(try two.dataVersion() == before, "its own commits do not wake it")
        try one.ask(Ask.count())
        #expect(try two.dataVersion() != before)
        #expect(try two.level() == 2)
        try two.ask(Ask.undo())
        #expect(try one.level() == 1)
        #expect(try one.ask(Ask.count()).first?.position == 4)
        #expect(try one.verify() == [])
    }

    @Test func bothCountAtOnce() async throws {
        let path = directory.path + "/data"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    // Each opens the journal itself, so that making it is a race too. On a slow disk the lock takes
                    // long to get: the program that has just committed is mostly the first to take it again.
                    let journal = try SQLiteJournal(directory: path, timezone: "UTC", busyTimeout: 60)
                    for _ in 0..<50 {
                        try journal.ask(Ask.count(device: "device \(writer)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        let journal = try SQLiteJournal(directory: path, timezone: "UTC")
        #expect(try journal.level() == 200)
        #expect(try journal.verify() == [])
    }
}
