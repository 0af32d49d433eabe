import TestSupport
import Testing

/// The Live screen updates by the clock while it is visible, and at no other time.
@Suite struct LiveRestTests {
    /// How often the program wakes up in three seconds, once earlier work is done.
    private func wakeUps(of terminal: TerminalSession) throws -> Int {
        let program = try terminal.process
        try program.awaitRest(waking: 1)
        let before = program.wakeUps
        pause(.seconds(3))
        return program.wakeUps - before
    }

    @Test func `Only the age that is seen goes on, one wake-up a second`() throws {
        let place = try Workplace.deaf()
        try place.run("add")
        let terminal = try place.opened(showing: 1, environment: Workplace.window)
        try terminal.type("2")
        try terminal.waitForText(" s ago")
        try terminal.type("1")
        try terminal.waitForText("[R Reset]")
        #expect(try wakeUps(of: terminal) == 0, "on another screen")
        try terminal.type("2")
        try terminal.waitForText(" s ago")
        try terminal.report(focus: false)
        try terminal.waitForText("seen at ")
        #expect(try wakeUps(of: terminal) == 0, "in the background")
        try terminal.report(focus: true)
        try terminal.waitForText(" s ago")
        let count = try wakeUps(of: terminal)
        // A new minute may begin in between.
        #expect((2...6).contains(count), "\(count)")
    }
}

/// A commit wakes the other programs, and not the one that has made it.
@Suite struct OwnCommitTests {
    /// Longer than a program checks for other programs' commits after it was notified of a write.
    private static let whileOthersAreLookedFor = Duration.seconds(4)

    @Test func `A program that has counted goes back to sleep, and still sees the counts of others`() throws {
        let place = try Workplace.deaf()
        let terminal = try place.opened()
        let program = try terminal.process
        // The first begins a new log, which is one more wait for the disk.
        try terminal.type("+")
        try terminal.waitForCount(1)
        try program.awaitRest(waking: 0)
        let before = program.wakeUps
        try terminal.type("+")
        try terminal.waitForCount(2)
        pause(Self.whileOthersAreLookedFor)
        let count = program.wakeUps - before
        print("measured: wake-ups after a key on the Count screen: \(count)")
        // The key is one, and its `fdatasync` sleeps some three times; checks for other commits would take 17 more.
        #expect(count < 17)
        try place.run("add")
        try terminal.waitForCount(3)
        try terminal.type("+")
        try terminal.waitForCount(4)
    }
}

extension RunningProcess {
    /// Waits until earlier work is done: until it wakes up so often at most in half a second.
    fileprivate func awaitRest(waking most: Int) throws {
        var last = -1
        try eventually("the program to rest", poll: .milliseconds(500)) {
            defer { last = wakeUps }
            return wakeUps - last <= most
        }
    }
}
