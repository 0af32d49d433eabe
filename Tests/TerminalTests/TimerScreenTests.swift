import TestSupport
import Testing

/// Timers on the screens of the real program.
@Suite final class TimerScreenTests: NewPlace {
    @Test func `What ended while nothing ran alerts when it is next seen`() throws {
        try place.run("timer", "start", "1s", "Robins")
        try eventually("its end") { try place.run("timer", "list").output.contains("ended") }
        let terminal = try place.opened()
        try terminal.waitForText("Robins ended")
        try terminal.waitForBell()
        // Letters and numbers mean what they always mean.
        try terminal.type("+")
        try terminal.waitForCount(1)
        try place.run("timer", "acknowledge", "1")
        try terminal.waitForScreen("no alarm") { !$0.description.contains("Robins ended") }
    }

    @Test func `A program that is killed loses no timer`() throws {
        let terminal = try place.opened()
        try terminal.type("5")
        try terminal.typeTimer("1h", "Robins")
        try terminal.process.signal(9)
        _ = try terminal.waitForExit()
        let again = try place.opened()
        try again.waitForText("Robins 59:")
        try eventually("the title") { try again.title == "Count 0 - 60 min" }
    }

    @Test func `A prepared timer starts with the first count`() throws {
        try place.run("timer", "preset", "add", "1h", "Round")
        let terminal = try place.open(["--start", "round"])
        try terminal.waitForText("[Q")
        #expect(try place.run("timer", "list").output == "")
        try terminal.type("+")
        try terminal.waitForText("Round 59:")
        #expect(try place.run("timer", "results", "--csv").output.contains(",default,1,0,1\n"))
        let wrong = try place.run("listen", "--start", "nothing")
        expectFailure(wrong, 66, "there is no preset 'nothing'")
    }

    @Test func `Why a prepared timer does not start is said with a command that can be copied`() throws {
        // In 100 columns, a line of both would break within the command.
        try place.run("timer", "start", "1h", "Robins Robins Robins Robin")
        try place.run("timer", "preset", "add", "1h", "Round")
        let terminal = try place.open(
            ["--start", "round"], columns: 100, environment: ["COUNTER_TIMER_LIMIT": "1"])
        try terminal.waitForText("[Q")
        try terminal.type("+")
        let screen = try terminal.waitForText("as many as may")
        let lines = screen.description.split(separator: "\n")
        #expect(lines.contains { $0.contains("counter timer stop N") && !$0.contains("Robins") }, "\(screen)")
    }

    @Test func `A feed tells of a timer's start and end`() throws {
        let listener = try place.following()
        try place.run("timer", "start", "1s", "Robins")
        let start = try #require(try listener.readLine())
        #expect(start.contains(#""event":"started""#) && start.contains(#""label":"Robins""#))
        let end = try #require(try listener.readLine())
        #expect(end.contains(#""type":"timerEnd""#))
        #expect(end.contains(#""totalIn":0,"totalOut":0,"net":0"#))
        // Another program acknowledges while this one stands still: it tells of that end all the same.
        try place.run("timer", "acknowledge", "1")
        try place.run("timer", "start", "1s", "Wrens")
        for event in ["acknowledged", "started"] {
            #expect(try listener.readLine()?.contains(#""event":"\#(event)""#) == true)
        }
        try listener.signal(19)
        try eventually("its end") { try place.run("timer", "list").output.contains("Wrens   ended") }
        try place.run("timer", "acknowledge", "Wrens")
        try listener.signal(18)
        let told = try (0..<2).map { _ in try #require(try listener.readLine()) }
        #expect(told.contains { $0.contains(#""type":"timerEnd""#) && $0.contains("Wrens") }, "\(told)")
        let other = try Workplace.deaf()
        let outcome = try other.run(["ingest"], input: start + "\n" + end + "\n")
        #expect(outcome.status == .exited(0), "\(outcome)")
        #expect(try other.run("timer", "list").output.contains("Robins"))
    }
}
