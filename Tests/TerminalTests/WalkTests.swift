import Foundation
import TestSupport
import Testing

/// What people use it for, from beginning to end: an hour of birds, and a week at the doors of a museum.
@Suite struct WalkTests {
    @Test func `An hour of birds, with slips, a second species and rounds`() throws {
        let place = try Workplace.deaf(environment: ["LC_ALL": "C.UTF-8"])
        try place.run("location", "set", "default", "--name", "Robin", "--key", "a", "--group", "Birds")
        try place.run(
            "location", "add", "wren", "--name", "Wren", "--key", "s", "--group", "Birds", "--target", "4")
        var terminal = try place.opened()
        try terminal.type("aaas")
        try terminal.waitForText("[a Robin 3] [s Wren 1]")
        // One too many, taken back; the wrong species, put right; a reset that nobody meant.
        try terminal.type("au")
        try terminal.waitForText("[a Robin 3] [s Wren 1]")
        try terminal.type("sSa")
        try terminal.waitForText("[a Robin 4] [s Wren 1]")
        try terminal.type("r")
        try terminal.waitForText("[a Robin 0] [s Wren 1]")
        try terminal.type("u")
        try terminal.waitForText("[a Robin 4] [s Wren 1]")
        // A remote counts what was chosen last.
        try terminal.type("s" + VolumeKey.reportsReleases + VolumeKey.raised)
        try terminal.waitForText("[a Robin 4] [s Wren 3]")
        try terminal.type("s")
        try terminal.waitForText("Wren: target of 4 reached")
        // An undo that was wrong, seen at once by what it says, and brought back; another from another terminal.
        try terminal.type("u")
        try terminal.waitForText("Wren: +1 of ")
        try terminal.waitForText("[a Robin 4] [s Wren 3]")
        try terminal.type("U")
        try terminal.waitForText(" is back, Count 4")
        try terminal.waitForText("[a Robin 4] [s Wren 4]")
        try place.run("add", "--location", "Robin")
        let undone = try place.run("undo")
        #expect(undone.output == "4\n" && undone.errors.contains("Robin: +1 of "), "\(undone)")
        // The battery is empty.
        try terminal.process.signal(SIGKILL)
        #expect(try terminal.waitForExit() == .killed(SIGKILL))
        terminal.close()
        terminal = try place.opened(showing: 4)
        try terminal.waitForText("[a Robin 4] [s Wren 4]")
        try terminal.type("3f10min\r")
        try terminal.waitForText("up 4   down 0   net +4")
        // Two rounds of all species; keys count as ever.
        try terminal.type("1")
        try place.run("timer", "start", "2 x 3s, 1s Dawn walk", "--all")
        try terminal.waitForText("Dawn walk")
        try terminal.type("as")
        try terminal.waitForText("Dawn walk ended")
        try terminal.sendKey("Enter")
        try eventually("its end to be acknowledged") {
            try place.run("timer", "list", "--json").output.contains("acknowledgedAt")
        }
        let timer = try jsonObject(try place.run("timer", "list", "--json").output)
        let rounds = try #require(timer["roundResults"] as? [[String: Any]])
        #expect(rounds.count == 2 && rounds.reduce(0) { $0 + ($1["totalIn"] as? Int ?? 0) } == 2)
        #expect(try place.run("timer", "results").output.contains("Dawn walk  ended   0:06 in 2 rounds  2"))
        try terminal.type("q")
        #expect(try terminal.waitForExit() == .exited(0))

        let brief = try place.run("history", "--range", "10min", "--brief", "--group", "Birds").output
        #expect(brief.contains("Robin: up 5, down 0, net +5, count 5\n"))
        #expect(brief.contains("Wren: up 6, down 1, net +5, count 5\n"))
        #expect(brief.contains("up 11, down 1, net +10"))
        let sheet = try place.run("export", "--spreadsheet", "--location", "Wren").output
        #expect(sheet.split(separator: "\n").filter { $0.contains(",Wren,in,+1,") }.count == 6, "\(sheet)")
        let copy = try Workplace.deaf()
        let exported = try place.run("export", "--format", "jsonl", "--all").output
        #expect(try copy.run("import", "-", input: exported).status == .exited(0))
        #expect(try copy.run("history", "--range", "10min", "--brief", "--group", "Birds").output == brief)
        for place in [place, copy] { #expect(try place.verify().status == .exited(0)) }
    }

    @Test
    func
        `A week at a museum: three rooms, a forgotten end, a full hall on the wall, a closed Monday, an end taken back`()
        throws
    {
        let museum = try Museum()
        let (place, hall) = (museum.place, ["--location", "Main hall"])
        let open = ["--open", "Tue-Sun 10:00-17:00", "--group", "museum"]
        try museum.isAt(.monday, "16:00")
        try place.run(["location", "set", "default", "--name", "Main hall", "--capacity", "50"] + open)
        try place.run(["location", "add", "Gallery", "--capacity", "20", "--day-end", "automatic"] + open)
        try place.run(["location", "add", "Garden"] + open)
        try place.run("device", "assign", "door", "Main hall")
        for day in [Museum.Day.tuesday, .wednesday, .thursday, .friday, .saturday] {
            try museum.isAt(day, "10:05")
            try place.run("add", "30")
            try museum.door(3)
            try place.run("add", "12", "--location", "Gallery")
            try place.run("add", "7", "--location", "Garden")
            try museum.isAt(day, "16:55")
            try place.run("sub", "31")
            try place.run("sub", "11", "--location", "Gallery")
            try museum.isAt(day, "17:01")
            try place.run("day", "end", "--yes")
            // On Saturday somebody forgets the garden.
            if day != .saturday { try place.run("day", "end", "--yes", "--location", "Garden") }
        }

        // Sunday begins with what was forgotten, and with a door that missed somebody.
        try museum.isAt(.sunday, "10:01")
        let office = try place.open(["--location", "Garden"])
        try office.waitForText("Yesterday was not ended (at 7)")
        try office.type("e")
        try office.waitForText("7 becomes 0 at")
        try office.type("y")
        try office.waitForText("the day has ended with 7")
        office.close()
        try museum.door(-2)
        #expect(try place.run("status").output.contains("2 more out than in: somebody was missed"))
        #expect(try place.run(["correct", "=1", "--reason", "counted"] + hall).output == "-2 → 1\n")
        let galleryDays = try museum.days(of: "Gallery")
        #expect(galleryDays.map { $0["finalLevel"] as? Int } == [1, 1, 1, 1, 1])
        #expect(galleryDays.allSatisfy { $0["isAutomatic"] as? Bool == true })

        // The wall shows the afternoon: full, nobody else by hand, and yet six by the door.
        try museum.isAt(.sunday, "15:00")
        let wall = try place.open(["--screen", "live", "--viewer"])
        try wall.waitForText("read only")
        try place.run("add", "49")
        try wall.waitForScreen("a full hall") {
            $0.contains("50 of 50  100 %  0 left") && $0.contains(" FULL ")
        }
        expectFailure(try place.run("add"), 69, "'Main hall' is full; nothing was counted")
        try museum.door(6)
        try wall.waitForScreen("an overcrowded hall") {
            $0.contains("56 of 50  112 %  0 left") && $0.contains(" OVERCROWDED ")
        }
        #expect(try place.run(["status", "--exit-code"] + hall).status == .exited(4 + 8))
        try wall.type("+")
        try wall.waitForText("read-only view: nothing was changed")
        wall.close()
        try museum.isAt(.sunday, "17:01")
        try place.run("day", "end", "--yes")
        try place.run("day", "end", "--yes", "--location", "Garden")

        // On Monday it is closed: nothing is stale, undo stops at the end of the day, and that is taken back by choosing it.
        try museum.isAt(.closedMonday, "16:49")
        let screens = try place.opened()
        try screens.type("2")
        try screens.waitForScreen("nothing stale") { $0.contains("OK  seen ") && !$0.contains("Stale") }
        try screens.type("uuu")
        try screens.waitForText("there is nothing to undo since the last day ended")
        #expect(try museum.days(of: "Main hall").count == 6)
        try screens.type("4")
        try screens.clickText("2050-03-05 17:01:00 to ")
        try screens.type("x")
        try screens.waitForText("0 becomes 56")
        try screens.type("y")
        try screens.waitForText("taken back, Count 56")
        let status = try place.run("status", "--location", "Main hall").output
        #expect(status.contains("  Yesterday was not ended (56 inside)\n"), "\(status)")
        try place.run("day", "end", "--yesterday", "--yes")
        #expect(try museum.days(of: "Main hall").first?["to"] as? String == "2050-03-07T00:00:00+01:00")
        #expect(try place.run("status", "--exit-code").status == .exited(0))
        let week = try place.run(
            "history", "--group", "museum", "--brief", "--from", "2050-03-01", "--to", "2050-03-07")
        #expect(
            week.output == """
                Main hall: in 220, out 157, net +66, corrections +3 -0, count 56
                Gallery: in 60, out 55, net +5, count 0
                Garden: up 35, down 0, net +35, count 0
                total: in 315, out 212, net +106, corrections +3 -0, count 56

                """)
        let weeks = try place.run(
            "history", "--group", "museum", "--by", "week", "--from", "2050-03-01", "--to", "2050-03-07")
        #expect(
            weeks.output == """
                WEEK                      Main hall  Gallery  Garden  total
                2050-03-01 to 2050-03-06  220        60       35      315
                total                     220        60       35      315

                """)
        #expect(try place.verify().status == .exited(0))
    }
}

/// A museum in Berlin, in a week of the year 2050: no timer of this machine's kernel goes off by its clock.
private final class Museum {
    /// The days of the week, and the Monday after it.
    enum Day: Int {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday, closedMonday
    }

    /// The first second of Monday, 2050-02-28.
    private static let start = 2_529_615_600

    let place: Workplace
    private let clock: StrangeClock
    private var now = start

    init() throws {
        place = try Workplace.deaf(environment: ["TZ": "Europe/Berlin", "LC_ALL": "C.UTF-8"])
        clock = try StrangeClock(place)
    }

    /// Sets the clock of all programs that start from now on.
    func isAt(_ day: Day, _ time: String) throws {
        let minutes = time.split(separator: ":").compactMap { Int($0) }
        now = Self.start + day.rawValue * 86_400 + minutes[0] * 3600 + minutes[1] * 60
        place.environment.merge(clock.showing(Int64(now))) { $1 }
    }

    /// So many come by the door of the main hall, or leave.
    func door(_ count: Int) throws {
        let time = Date(timeIntervalSince1970: TimeInterval(now)).formatted(.iso8601)
        let line = #"{"timestamp":"\#(time)","delta":\#(count.signum()),"deviceId":"door"}"# + "\n"
        let answers = try place.run("ingest", input: String(repeating: line, count: abs(count)))
        #expect(answers.output.split(separator: "\n").allSatisfy { $0.contains("accepted") })
    }

    /// The ended days of a location, the latest first.
    func days(of location: String) throws -> [[String: Any]] {
        try place.objects("day", "list", "--json", "--location", location)
    }
}
