import TestSupport
import Testing

/// The ends of days.
@Suite final class DayTests: NewPlace {
    @Test
    func `A day that ends by itself has ended for who only reads, and a viewer is told that it has not`()
        throws
    {
        let clock = try StrangeClock(place)
        // In the year 2050.
        let (monday, tuesday) = (clock.showing(2_540_000_000), clock.showing(2_540_086_400))
        let hall = [
            "location", "add", "Hall", "--capacity", "20", "--day-end", "automatic", "--timezone", "UTC",
        ]
        try place.run(hall, environment: monday)
        try place.run("add", "20", "--location", "Hall", environment: monday)
        let seen = try place.run("status", "--viewer", environment: tuesday).output
        #expect(seen.contains(#/Hall +20 .*The day before is over \(20 inside\)/#), "\(seen)")
        #expect(try place.run("show", "--location", "Hall", environment: tuesday).output == "0\n")
        let after = try place.run("status", "--viewer", environment: tuesday).output
        #expect(!after.contains("is over"), "\(after)")
    }

    @Test func `The end of a day archives what it came to, and is taken back by choosing it`() throws {
        #expect(try place.run("day", "list").output == "")
        try place.run("add", "12")
        try place.run("sub", "2")
        let end = try jsonObject(try place.run("day", "end", "--yes", "--json").output)
        #expect(end["finalLevel"] as? Int == 10)
        #expect(end["totalIn"] as? Int == 12)
        #expect(end["totalOut"] as? Int == 2)
        #expect(end["highestLevel"] as? Int == 12)
        #expect((end["peakHour"] as? [String: Any])?["totalIn"] as? Int == 12)
        #expect(try place.show() == "0")
        #expect(try place.exported().count == 15)

        // The next day begins in the same minute, and includes nothing of this one.
        try place.run("add", "3")
        let next = try jsonObject(try place.run("day", "end", "--yes", "--json").output)
        #expect(next["highestLevel"] as? Int == 3)
        let days = try place.objects("day", "list", "--json")
        #expect(days.map { $0["finalLevel"] as? Int } == [3, 10])
        #expect(days.map { $0["totalIn"] as? Int } == [3, 12])
        #expect(days[0]["from"] as? String == days[1]["to"] as? String)
        #expect(days[1]["to"] as? String == end["to"] as? String)

        expectFailure(
            try place.run("undo"), 69, "there is nothing to undo since its day ended at",
            "counter day undo --location default")
        expectFailure(
            try place.run("day", "undo"), 64, "confirmation needed: use --yes", "counter day undo --yes")
        expectFailure(try place.run("day", "undo", "2020-01-01"), 69, "the day 2020-01-01 was not ended")
        expectFailure(try place.run("day", "undo", "sunday"), 64, "'sunday' is no day such as")
        let reopened = try place.run("day", "undo", "--yes")
        #expect(reopened.output == "3\n")
        #expect(reopened.errors.contains("default: end of day 2"))
        #expect(reopened.errors.contains(" taken back, Count 3"))
        #expect(try place.run("day").output.split(separator: "\n").count == 2)
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `An end is taken back by its number too, after the same question`() throws {
        try place.run("add", "3")
        try place.run("day", "end", "--yes")
        let row = ["undo", "--position", "4"]
        expectFailure(
            try place.run(row), 64, "confirmation needed: use --yes", "counter undo --position 4 --yes")
        let kept = try place.asked("undo", "--position", "4", answering: "n")
        #expect(kept.question.contains("0 becomes 3: the day is open again"))
        #expect(kept.question.contains("Take back the end of this day of 'default'?"))
        #expect(kept.verdict.contains("nothing was changed"))
        #expect(try place.show() == "0")
        let reopened = try place.run(row + ["--yes"])
        #expect(reopened.output == "3\n" && reopened.errors.contains("default: end of day 2"))
        expectFailure(try place.run(row + ["--yes"]), 69, "the row is taken back already")
        expectFailure(try place.run("undo", "--redo"), 69, "there is nothing to redo")
    }

    @Test func `Days that were left open are told and archived each, and an empty one is not`() throws {
        try place.run("location", "set", "default", "--capacity", "50", "--timezone", "UTC")
        let lines = ["2026-01-14T09:00:00Z", "2026-01-14T10:00:00Z", "2026-01-16T09:00:00Z"].map {
            #"{"timestamp":"\#($0)","delta":1,"deviceId":"door"}"#
        }
        #expect(
            try place.run("ingest", input: lines.joined(separator: "\n") + "\n").status == .exited(0))
        let kept = try place.asked("day", "end", answering: "n")
        #expect(kept.question.contains("End these 2 days, left open, of 'default' and set its count to 0?"))
        let days = try place.objects("day", "end", "--yes", "--json")
        #expect(days.map { $0["finalLevel"] as? Int } == [2, 1])
        #expect(
            days.map { $0["to"] as? String } == ["2026-01-15T00:00:00+00:00", "2026-01-17T00:00:00+00:00"])
        let again = try place.run("day", "end", "--yes")
        #expect(again.status == .exited(0) && again.output == "")
        #expect(again.errors.contains("nothing was counted since its last day ended at 2026-01-17 00:00"))
        #expect(try place.run("day", "list", "--json").output.split(separator: "\n").count == 2)
        for count in [1, 3] { #expect(try place.run("day", "undo", "--yes").output == "\(count)\n") }
    }

    @Test
    func `At a terminal it shows what it archives, only a yes ends the day, and one takes the end back`()
        throws
    {
        try place.run("add", "3")
        for answer in ["n", ""] {
            let kept = try place.asked("day", "end", answering: answer)
            #expect(kept.question.contains("End the day of 'default' and set its count to 0?"))
            #expect(kept.question.contains(/FROM.*COUNT/) && kept.verdict.contains("nothing was changed"))
        }
        #expect(try place.show() == "3")
        #expect(try place.asked("day", "end", answering: "y").status == .exited(0))
        #expect(try place.show() == "0")
        #expect(try place.asked("day", "undo", answering: "y").verdict.contains("taken back, Count 3"))
        #expect(try place.show() == "3")
    }
}
