import TestSupport
import Testing

/// The Live screen updates by the clock while it is visible, and at no other time.
@Suite struct LiveRestTests {
    @Test func `Only the age that is seen goes on, one wake-up a second`() throws {
        let place = try Workplace.deaf()
        try place.run("add")
        let terminal = try place.opened(showing: 1, environment: Workplace.window)
        try terminal.type("2")
        try terminal.waitForText(" s ago")
        try terminal.type("1")
        try terminal.waitForText("[R Reset]")
        #expect(try terminal.process.wakeUpsAtRest(waking: 1) == 0, "on another screen")
        try terminal.type("2")
        try terminal.waitForText(" s ago")
        try terminal.report(focus: false)
        try terminal.waitForText("seen at ")
        #expect(try terminal.process.wakeUpsAtRest(waking: 1) == 0, "in the background")
        try terminal.report(focus: true)
        try terminal.waitForText(" s ago")
        let count = try terminal.process.wakeUpsAtRest(waking: 1)
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

/// A running timer wakes a program once a second where it is seen, and never elsewhere.
@Suite final class TimerRestTests: NewPlace {
    @Test func `Once a second in the foreground, never in the background and without timers`() throws {
        try place.run("timer", "start", "1h", "Robins")
        let terminal = try place.opened(environment: Workplace.window)
        try terminal.waitForText("Robins 59:")
        #expect(try (2...4).contains(terminal.process.wakeUpsAtRest(waking: 1)))
        try terminal.report(focus: false)
        #expect(try terminal.process.wakeUpsAtRest(waking: 0) == 0)
        try terminal.report(focus: true)
        try place.run("timer", "pause", "1")
        #expect(try terminal.process.wakeUpsAtRest(waking: 0) == 0)
    }

    @Test func `A feed wakes only for ends`() throws {
        let listener = try place.following()
        try place.run("timer", "start", "1h", "Robins")
        #expect(try listener.readLine()?.contains(#""event":"started""#) == true)
        #expect(try listener.process.wakeUpsAtRest(waking: 0) == 0)
        try place.run("timer", "start", "1s", "Wrens")
        while let line = try listener.readLine(), !line.contains("timerEnd") {}
    }
}

extension RunningProcess {
    /// How often it wakes up in three seconds, once earlier work is done.
    fileprivate func wakeUpsAtRest(waking most: Int) throws -> Int {
        try awaitRest(waking: most)
        let before = wakeUps
        pause(.seconds(3))
        return wakeUps - before
    }

    /// Waits until earlier work is done: until it wakes up so often at most in half a second.
    fileprivate func awaitRest(waking most: Int) throws {
        var last = -1
        try eventually("the program to rest", poll: .milliseconds(500)) {
            defer { last = wakeUps }
            return wakeUps - last <= most
        }
    }
}
