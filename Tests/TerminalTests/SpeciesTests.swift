import Foundation
import TestSupport
import Testing

/// Several species by one observer: locations with keys, steps of more than one, and targets.
@Suite struct SpeciesTests {
    private func birds() throws -> Workplace {
        let place = try Workplace.deaf(environment: ["LC_ALL": "C.UTF-8"])
        try place.run("location", "set", "default", "--name", "Robin", "--key", "a")
        try place.run("location", "add", "wren", "--name", "Wren", "--key", "s")
        return place
    }

    @Test func `A key is free or refused`() throws {
        let place = try birds()
        for command in [["add", "Finch", "--key", "S"], ["set", "default", "--key", "s"]] {
            expectFailure(
                try place.run(["location"] + command), 65, "the key s counts into 'Wren' already",
                "counter location set wren --key none")
        }
        try place.run("location", "set", "wren", "--key", "none")
        #expect(try place.location("wren")["key"] == nil)
        try place.run("location", "set", "default", "--key", "s")
    }

    @Test func `A step makes presses and commands count several, and undo takes each back as a whole`() throws
    {
        let place = try birds()
        #expect(try place.run("add", "--step", "10").output == "10\n")
        #expect(try place.run("add", "2", "--step", "10").output == "30\n")
        #expect(try place.run("undo").output == "10\n")
        #expect(try place.run("sub", "--step", "3").output == "7\n")
        #expect(try place.run("add", environment: ["COUNTER_STEP": "5"]).output == "12\n")
        try place.configure("step = 4")
        #expect(try place.run("add").output == "16\n")
        let terminal = try place.open(["--step", "10"])
        try terminal.waitForCount(16)
        try terminal.type("+")
        try terminal.waitForText("Count 26   +10 at ")
        #expect(try terminal.waitForText("[+10]").contains("[-10]"))
        // As a volume key of the terminal, and held: the chord takes back all that the first key counted.
        try terminal.type(VolumeKey.reportsReleases + VolumeKey.raised)
        try terminal.waitForCount(36)
        try terminal.type("uu")
        try terminal.waitForCount(16)
        try terminal.type("\u{1B}[57438u\u{1B}[57439u\u{1B}[57438;1:3u\u{1B}[57439;1:3u")
        try terminal.waitForCount(0)
        #expect(try place.run("history", "--brief").output == "Robin: up 19, down 3, net +16, count 0\n")
        #expect(try place.verify().status == .exited(0))
        for step in ["0", "-1", "1001", "x"] {
            expectFailure(try place.run("add", "--step=\(step)"), 64, "--step: is a number from 1 to 1000")
        }
        expectFailure(try place.run("add", "2000", "--step", "10"), 64, "2000 times 10 is more than 10,000")
        expectFailure(try place.run("reset", "--step", "10"), 64, "Unknown option '--step'")
    }

    @Test func `A target is told by status, show, and whoever reaches it`() throws {
        let place = try birds()
        try place.run("location", "set", "wren", "--target", "5")
        let near = try place.run("add", "4", "--location", "wren")
        #expect(near.errors.isEmpty)
        #expect(try place.run("status").output.contains("1 left to 5"))
        var shown = try jsonObject(try place.run("show", "--json", "--location", "wren").output)
        #expect(shown["targetCount"] as? Int == 5)
        #expect(shown["leftToTarget"] as? Int == 1)
        let reached = try place.run("add", "--step", "3", "--location", "wren")
        #expect(reached.errors == "counter: Wren: target of 5 reached\n")
        #expect(try place.run("add", "--location", "wren").errors.isEmpty)
        #expect(try place.run("status", "--location", "wren").output.contains("target 5 reached"))
        let status = try jsonObject(try place.run("status", "--json", "--location", "wren").output)
        #expect(status["leftToTarget"] as? Int == 0)
        try place.run("location", "set", "wren", "--target", "none")
        shown = try jsonObject(try place.run("show", "--json", "--location", "wren").output)
        #expect(shown["targetCount"] == nil && shown["leftToTarget"] == nil)
    }

    @Test
    func
        `listen --json tells of it behind the row that reached it, and ingest and import pass that line over`()
        throws
    {
        let place = try birds()
        try place.run("location", "set", "wren", "--target", "3")
        let listener = try place.following()
        try place.run("add", "4", "--location", "wren")
        var lines: [String] = []
        while lines.count < 5, let line = try listener.readLine() { lines.append(line) }
        let told = try jsonObject(try #require(lines.last))
        #expect(told["type"] as? String == "targetReached")
        #expect(told["locationId"] as? String == "wren")
        #expect(told["targetCount"] as? Int == 3)
        #expect(told["count"] as? Int == 4)
        let other = try birds()
        let input = lines.map { $0 + "\n" }.joined()
        let answers = try other.run("ingest", input: input).output.split(separator: "\n")
        #expect(answers.last == #"{"line":5,"result":"ignored"}"#)
        #expect(try other.run("show", "--location", "wren").output == "4\n")
        let third = try birds()
        #expect(try third.run("import", "-", input: input).status == .exited(0))
        #expect(try third.run("show", "--location", "wren").output == "4\n")
    }

    @Test func `listen without --json tells of it on standard error`() throws {
        let place = try birds()
        try place.run("location", "set", "default", "--target", "3")
        let listener = try place.following([])
        try place.run("add", "3")
        var line = try listener.readErrorLine()
        // Before it, that no device can count, and what helps.
        for _ in 0..<2 where line?.contains("target") == false { line = try listener.readErrorLine() }
        #expect(line == "counter: Robin: target of 3 reached")
        try listener.terminate()
    }
}
