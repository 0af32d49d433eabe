import TestSupport
import Testing

/// A commit wakes the other programs, and not the one that has made it.
@Suite struct OwnCommitTests {
    /// Longer than a program checks for other programs' commits after it was notified of a write.
    private static let whileOthersAreLookedFor = Duration.seconds(4)

    @Test func `A program that has counted goes back to sleep, and still sees the counts of others`() throws {
        let place = try Workplace.deaf()
        let terminal = try place.opened()
        defer { terminal.close() }
        let program = try terminal.process
        try settle(program)
        let before = program.wakeUps
        try terminal.type("+")
        try terminal.waitForCount(1)
        pause(Self.whileOthersAreLookedFor)
        let count = program.wakeUps - before
        print("measured: wake-ups after a key on the Count screen: \(count)")
        // The key, its commit and its flash take some eight wake-ups; checks for other commits would take 17 more.
        #expect(count < 17)
        try place.run("add")
        try terminal.waitForCount(2)
        try terminal.type("+")
        try terminal.waitForCount(3)
    }

    private func settle(_ program: RunningProcess) throws {
        var last = -1
        try eventually("the program to rest", poll: .milliseconds(500)) {
            defer { last = program.wakeUps }
            return program.wakeUps == last
        }
    }
}
