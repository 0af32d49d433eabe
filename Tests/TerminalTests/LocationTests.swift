import TestSupport
import Testing

/// Locations, as the command line adds and changes them.
@Suite final class LocationTests: NewPlace {
    @Test func `A location is added with its settings, each is changed by itself, and a capacity taken away`()
        throws
    {
        func expectHall(_ name: String, _ zone: String, _ dayStart: Int) throws {
            let hall = try place.location("Hall")
            #expect(hall["name"] as? String == name && hall["timezone"] as? String == zone)
            #expect(hall["dayStart"] as? Int == dayStart && hall["maxCapacity"] as? Int == 50)
            #expect(hall["admitsOverFull"] as? Bool == true && hall["isHidden"] as? Bool == false)
            #expect(hall["status"] as? String == "ok")
        }
        try place.run(
            "location", "add", "Hall", "--capacity", "50", "--timezone", "Asia/Kathmandu", "--day-start", "4",
            "--admits-over-full")
        try expectHall("Hall", "Asia/Kathmandu", 4)
        try place.run("location", "set", "Hall", "--timezone", "Australia/Lord_Howe")
        try place.run("location", "set", "Hall", "--day-start", "23")
        try place.run("location", "set", "Hall", "--name", "Great Hall")
        try expectHall("Great Hall", "Australia/Lord_Howe", 23)
        try place.run("location", "set", "Hall", "--admits-over-full", "false")
        #expect(try place.location("Hall")["admitsOverFull"] as? Bool == false)
        for (word, isAutomatic) in [
            ("automatic", true), ("manual", false), ("automatic", true), ("by-hand", false),
        ] {
            try place.run("location", "set", "Hall", "--day-end", word)
            #expect(try place.location("Hall")["endsDaysAutomatically"] as? Bool == isAutomatic)
        }
        // It is found by its new name, and still by its id.
        #expect(try place.run("add", "--location", "Great Hall").output == "1\n")
        #expect(try place.run("add", "--location", "Hall").output == "2\n")

        try place.run("location", "set", "Great Hall", "--capacity", "none")
        #expect(try place.location("Hall")["maxCapacity"] == nil)
        #expect(try place.run("reset", "--location", "Hall").output == "0\n")
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `What is removed is out of sight, keeps its count, and comes back by its name`() throws {
        try place.run("location", "add", "Hall")
        try place.run("add", "7", "--location", "Hall")
        #expect(try place.run("location", "remove", "Hall", "--yes").status == .exited(0))
        #expect(try !place.run("location", "list").output.contains("Hall"))
        #expect(try place.run("location", "list", "--all").output.contains("hidden"))
        #expect(try place.run("show", "--location", "Hall").output == "7\n")
        #expect(try place.exported().count == 7)

        let back = try place.run("location", "add", "Hall", "--capacity", "10")
        #expect(back.status == .exited(0))
        #expect(back.errors == "counter: 'Hall' is back, with its count 7\n")
        #expect(try place.location("Hall")["maxCapacity"] as? Int == 10)
        try place.run("location", "hide", "Hall", "--yes")
        #expect(try !place.run("location", "list").output.contains("Hall"))
        try place.run("location", "set", "Hall", "--hidden", "false")
        #expect(try place.location("Hall")["count"] as? Int == 7)
    }

    @Test func `Devices that count into what is removed are named`() throws {
        try place.run("location", "add", "Hall")
        try place.imports(["timestamp,delta,deviceId", "2026-01-14T13:03:59Z,1,door-1"])
        try place.run("device", "assign", "door-1", "Hall")
        let removal = try place.run("location", "remove", "Hall")
        #expect(removal.status == .exited(0))
        #expect(removal.errors.contains("the device 'door-1' still counts into 'Hall'"))
        #expect(removal.errors.contains("counter device assign door-1 LOCATION"))
    }

    @Test func `The last location stays, and the one that is counted into where none is named`() throws {
        try place.run("location", "add", "Hall")
        expectFailure(
            try place.run("location", "remove", "default"), 69,
            "'default' is what counter counts into where no location is named", "COUNTER_LOCATION")
        expectFailure(
            try place.run("location", "set", "default", "--hidden", "true"), 69, "where no location is named")
        try place.run("location", "set", "Hall", "--name", "Great Hall")
        expectFailure(
            try place.run("location", "remove", "Hall", environment: ["COUNTER_LOCATION": "Great Hall"]), 69,
            "where no location is named")
        let elsewhere = ["COUNTER_LOCATION": "Hall" as String?]
        #expect(
            try place.run("location", "remove", "default", environment: elsewhere).status == .exited(0))
        expectFailure(
            try place.run("location", "remove", "Hall"), 69, "'Great Hall' is the last location",
            "Add another one")
        #expect(try place.run("location", "list").output.contains("Hall"))
    }

    @Test func `A remedy can be copied though the name has blanks`() throws {
        try place.run("location", "add", "Room 1", "--capacity", "1")
        try place.run("add", "--location", "Room 1")
        expectFailure(
            try place.run("add", "--location", "Room 1"), 69, "'Room 1' is full",
            "counter location set 'Room 1' --admits-over-full true")
        expectFailure(
            try place.run("reset", "--location", "Room 1"), 69, "counter day end --location 'Room 1'")
        expectFailure(
            try place.run("show", "--location", "Ada's"), 66, #"counter location add 'Ada'\''s'"#)
    }

    @Test(arguments: ["terminal", "command-line"])
    func `What is counted by hand is no source that could be told where to count`(id: String) throws {
        try place.run("add")
        for command in [["assign", id, "default"], ["disable", id], ["enable", id]] {
            expectFailure(
                try place.run(["device"] + command), 64,
                "'\(id)' is the id of counts by hand, not a device", "counter devices")
        }
        let unknown = try place.run("device", "forget", "door-1")
        expectFailure(unknown, 66, "no device with the id 'door-1'")
        #expect(!unknown.errors.contains(id))
    }

    @Test func `Two locations never go by the same name, in whatever case, and it is said which has it`()
        throws
    {
        try place.run("location", "add", "Hall")
        try place.run("location", "set", "Hall", "--name", "Great Hall")
        try place.run("location", "add", "Cellar")
        try place.run("location", "set", "Cellar", "--name", "Store")
        let caseOnly = "names that differ in case only are one"
        for (words, why) in [
            (["add", "Great Hall"], "there is a location 'Great Hall' already: its id is 'Hall'"),
            (["add", "Hall"], "there is a location 'Hall' already: it is called 'Great Hall'"),
            (["add", "Store"], "there is a location 'Store' already"),
            (["set", "Hall", "--name", "Store"], "there is a location 'Store' already"),
            // It is still an id.
            (["set", "Hall", "--name", "Cellar"], "there is a location 'Cellar' already"),
            (["add", "STORE"], caseOnly), (["add", "x", "--name", "sTORE"], caseOnly),
            (["set", "Hall", "--name", "STORE"], caseOnly),
        ] {
            expectFailure(try place.run(["location"] + words), 65, "already", why)
        }
        #expect(try place.run("location", "set", "Hall", "--name", "GREAT HALL").status == .exited(0))
        try place.run("location", "remove", "Cellar")
        expectFailure(
            try place.run("location", "set", "Hall", "--name", "Store"), 65, "already",
            "It is hidden. To show it again: counter location unhide Store")
        let ingested = try place.run("ingest", input: event(1, location: "GREAT HALL"))
        #expect(
            ingested.output.contains(
                "there is no location with the id 'GREAT HALL'; the one called so has the id 'Hall'"))
    }

    @Test func `A location is shown with all its settings, also while it is hidden`() throws {
        try place.run(
            "location", "add", "Garden", "--capacity", "30", "--group", "museum", "--open",
            "Mon-Fri 09:00-18:00")
        try place.run("add", "2", "--location", "Garden")
        let shown = try place.run("location", "show", "Garden")
        for line in ["Count          2", "Capacity       30", "Group          museum", "Mon-Fri 09:00-18:00"]
        {
            #expect(shown.output.contains(line), "\(shown.output)")
        }
        #expect(shown.errors.isEmpty)
        let json = try place.run("location", "show", "Garden", "--json").output
        #expect(try place.run("location", "list", "--json").output.contains(json))
        try place.run("location", "hide", "Garden", "--yes")
        #expect(
            try place.run("location", "show", "Garden").errors
                == "counter: 'Garden' is hidden\n  To show it again: counter location unhide Garden\n")
    }
}

/// Several locations: which one is shown and counted, and which are hidden.
@Suite struct LocationSelectionTests {
    private func birds() throws -> Workplace {
        let place = try Workplace.deaf()
        try place.run("location", "add", "robin", "--name", "Robin")
        try place.run("location", "add", "wren", "--name", "Wren", "--capacity", "50")
        return place
    }

    @Test func `What a key on a device counts into is shown, and a hidden one is warned of`() throws {
        let place = try birds()
        try place.run("device", "assign", "terminal-volume-keys", "robin")
        let terminal = try place.opened()
        try terminal.type(VolumeKey.reportsReleases + VolumeKey.raised)
        try terminal.waitForText("terminal keys exclusive → Robin")
        #expect(try terminal.screen().count == 0)
        try eventually("it in Robin") { try place.run("show", "--location", "robin").output == "1\n" }
        try place.run("location", "hide", "robin", "--yes")
        try terminal.waitForText("terminal keys exclusive → Robin (hidden)")
        // The other key: the same one might still be debounced.
        try terminal.type(VolumeKey.lowered)
        try terminal.waitForText("terminal keys counts into 'Robin', which is hidden")
        try terminal.waitForText("To show it again: counter location unhide Robin")
    }

    @Test func `A device that was never seen is changed, and said to be so`() throws {
        let place = try birds()
        let first = try place.run("device", "assign", "usb-door-1", "robin")
        #expect(first.status == .exited(0))
        #expect(
            first.errors == """
                counter: 'usb-door-1' has not been seen yet
                  If that is a mistake: counter device forget usb-door-1

                """)
        let second = try place.run("device", "disable", "usb-door-l")
        #expect(second.status == .exited(0))
        #expect(second.errors.contains("'usb-door-l' has not been seen yet"))
        #expect(second.errors.contains("Did you mean 'usb-door-1'?"))
        #expect(try place.run("device", "enable", "usb-door-1").errors.isEmpty)
        #expect(try place.run("device", "forget", "usb-door-l").status == .exited(0))
        #expect(try !place.run("devices").output.contains("usb-door-l"))
    }

    @Test
    func `What is not empty is hidden after a question, and nothing is counted into it by hand or ingest`()
        throws
    {
        let place = try birds()
        try place.run("add", "3", "--location", "robin")
        expectFailure(
            try place.run("location", "hide", "robin", input: "y\n"), 64, "confirmation needed: use --yes",
            "counter location hide robin --yes")
        expectFailure(
            try place.run("location", "set", "robin", "--hidden", "true"), 64,
            "confirmation needed: use --yes")
        let kept = try place.asked("location", "hide", "robin", answering: "n")
        #expect(kept.verdict.contains("nothing was changed"))
        #expect(try place.run("show", "--location", "robin").output == "3\n")
        let hidden = try place.asked("location", "remove", "robin", answering: "y")
        #expect(hidden.question.contains("'Robin' has the count 3. Hide it?"))
        #expect(hidden.verdict.contains("'Robin' is hidden"))
        for command in [
            ["add"], ["sub"], ["reset"], ["correct", "+1", "--reason", "x"], ["listen"], ["ingest"],
        ] {
            expectFailure(
                try place.run(command + ["--location", "robin"]), 69,
                "'Robin' is hidden; nothing was counted",
                "counter location unhide Robin")
        }
        let ingested = try place.run("ingest", input: event(1, location: "robin"))
        #expect(ingested.output.contains("the location 'Robin' is hidden"))
        #expect(try place.run("show", "--location", "robin").output == "3\n")
        #expect(
            try place.run("location", "unhide", "robin").errors
                == "counter: 'Robin' is shown again, with its count 3\n")
        #expect(try place.run("add", "--location", "robin").output == "4\n")
    }

    @Test func `One word of a name is enough for the question whether it was meant`() throws {
        let place = try Workplace.deaf()
        try place.run("location", "add", "Main hall")
        expectFailure(try place.run("add", "--location", "hall"), 66, "Did you mean 'Main hall'?")
        try place.run("location", "add", "South hall")
        #expect(!(try place.run("add", "--location", "hall").errors.contains("Did you mean")))
    }
}

extension Workplace {
    /// A location in the output of `counter location list --all --json`.
    func location(_ id: String) throws -> [String: Any] {
        try #require(
            try objects("location", "list", "--all", "--json").first { $0["locationId"] as? String == id })
    }
}
