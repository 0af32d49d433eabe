import CounterModel
import CounterStore
import CounterTUI
import KeyProtocol
import Linux
import TestSupport
import Testing

@testable import Counting

@Suite("Count on a session") struct CountTabTests {
    @Test func `The rate is of the location that is shown, whatever was counted between`() throws {
        let desk = try ScreenDesk(Place([.species("Robin", key: "a"), .species("Wren", key: "s")]))
        try desk.type("asasa")
        #expect(desk.shows("3/min"))
        try desk.type("s")
        #expect(desk.shows("3/min") && desk.terminal.lines[0].hasSuffix("Wren  Count 3"))
        let due = try #require(desk.front.wallDeadline)
        #expect((.seconds(50) ... .seconds(60)).contains(due - WallClock().now))
    }

    @Test func `What another program counts is part of the rate, at once and after a change of the location`()
        throws
    {
        let desk = try ScreenDesk(Place([.species("Robin", key: "a"), .species("Wren", key: "s")]))
        try desk.type("as")
        try desk.place.append(.in, at: "Robin")
        try desk.type("[")
        #expect(desk.terminal.lines[0].hasSuffix("Robin  Count 2") && desk.shows("2/min"))
        try desk.place.append(.out, at: "Robin")
        try desk.wait(for: "-1 at")
        #expect(desk.shows("3/min"))
    }

    @Test func `A setting, an undo and a start leave the rate as it is`() throws {
        let place = try Place([.door()])
        let desk = try ScreenDesk(place)
        try desk.type("+++u")
        #expect(desk.shows("undone at") && desk.shows("2/min"))
        try desk.type("t9\n")
        #expect(desk.shows("target 9") && desk.shows("undone at") && desk.shows("2/min"))
        try desk.type("U")
        #expect(desk.shows("3/min"))
        // What is older than a minute, or counts after a reset, is no part of it.
        try place.append(.in, at: "default", ago: 61)
        try desk.wait(for: "Count 4")
        #expect(desk.shows("3/min"))
        try desk.type("r+")
        #expect(desk.shows("1/min"))
        #expect(
            try SessionLocations(place.other, showing: place.session.location).recent.last?.kind == .up(1))
    }

    @Test func `The day that is over is ended by E on each screen that says so, and before the present day`()
        throws
    {
        for tab in ["1", "2", "3", "4"] {
            let place = try Place([.door(capacity: 50)])
            try place.append(.in, at: "default", ago: 86_400)
            let desk = try ScreenDesk(place)
            try desk.type("\(tab)")
            #expect(desk.shows("Yesterday was not ended (1 inside). E ends it."))
            try desk.type("e")
            #expect(desk.shows("End the day that is over?"), "\(desk.terminal.text)")
            try desk.type("y")
            #expect(try place.count() == 0)
            #expect(!desk.shows("was not ended"))
        }
        // There, E edits a preset.
        let place = try Place([.door(capacity: 50)])
        try place.append(.in, at: "default", ago: 86_400)
        let desk = try ScreenDesk(place)
        try desk.type("5")
        #expect(!desk.shows("was not ended"))
    }
}

@Suite("Locations and Live on a session") struct LiveTabTests {
    private static func hall(_ count: Int, role: UserRole = .admin) throws -> ScreenDesk {
        let desk = try ScreenDesk(Place([.door(capacity: 10)], role: role, counting: count))
        try desk.type("2")
        return desk
    }

    @Test func `Brackets and a click on the name change what every screen shows and what is counted`() throws
    {
        let desk = try ScreenDesk(Place([.species("Robin", key: "a"), .species("Wren", key: "s")]))
        #expect(desk.terminal.lines[0].hasSuffix("default  Count 0"))
        try desk.type("]++")
        #expect(desk.terminal.lines[0].hasSuffix("Robin  Count 2"))
        try desk.type("]+")
        for tab in ["2", "3", "4", "5", "1"] {
            try desk.type("\(tab)]")
            #expect(desk.terminal.lines[0].hasSuffix("default  Count 0"))
            try desk.type("[")
            #expect(desk.terminal.lines[0].hasSuffix("Wren  Count 1"))
        }
        try desk.click("Wren  Count")
        #expect(desk.terminal.lines[0].hasSuffix("default  Count 0"))
        #expect(try desk.place.count(of: "Robin") == 2 && desk.place.count(of: "Wren") == 1)
    }

    @Test func `A place says how full it is, in numbers and in a word`() throws {
        let desk = try Self.hall(7)
        for (change, facts, word) in [
            ("+", "8 of 10  80 %  2 left", "WARNING"), ("-", "7 of 10  70 %  3 left", "OK"),
            ("+++", "10 of 10  100 %  0 left", "FULL"),
        ] {
            try desk.type(change)
            #expect(desk.shows(facts) && desk.shows(word))
        }
    }

    @Test func `By hand nobody enters what is full, and nobody leaves who is not inside`() throws {
        let full = try Self.hall(10)
        try full.type("+")
        #expect(full.shows("the location is full; nothing was counted"))
        #expect(try full.place.count() == 10)
        let empty = try Self.hall(1)
        try empty.type("--")
        #expect(empty.shows("nobody is inside; nothing was counted"))
        #expect(try empty.place.count() == 0)
    }

    @Test func `Counting by hand is for the card that is selected, and undo too`() throws {
        let desk = try ScreenDesk(Place([.species("Robin", key: "a")]))
        try desk.type("2")
        try desk.type([.key(.right)])
        try desk.type("+++u")
        #expect(try desk.place.count(of: "Robin") == 2 && desk.place.count() == 0)
        try desk.type([.key(.left)])
        try desk.type("+")
        #expect(try desk.place.count(of: "Robin") == 2 && desk.place.count() == 1)
        try desk.click("Robin")
        #expect(desk.shows("O Overview"))
    }

    @Test func `A viewer sees all of it and changes none of it`() throws {
        let desk = try Self.hall(3, role: .viewer)
        #expect(desk.shows("read only") && !desk.shows("(") && !desk.shows("Undo"))
        for key in ["+", "-", "u"] {
            try desk.type(key)
            #expect(desk.shows("read-only view: nothing was changed"))
        }
        #expect(try desk.place.count() == 3)
    }
}

@Suite("History on a session") struct HistoryTabTests {
    @Test func `A day on which it is closed says so`() throws {
        var hall = Location.door(capacity: 50)
        let (today, yesterday) = (WallClock().now, WallClock().now - .seconds(86_400))
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        func name(_ time: Timestamp) -> String { names[ZoneOffsets.utc.local(at: time).date.weekday] }
        hall.openingHours = OpeningHours("\(name(today)) 10:00-12:00")
        let desk = try ScreenDesk(Place([hall]))
        try desk.type("3")
        #expect(desk.shows("No entries.") && desk.shows("00..") && desk.shows("11") && desk.shows("12.."))
        try desk.type("y")
        #expect(desk.shows("Closed."), "\(name(yesterday)): \(desk.terminal.text)")
    }

    @Test func `Ranges are chosen by keys`() throws {
        let desk = try ScreenDesk(Place())
        try desk.press(.up, .up, .down)
        try desk.type("3")
        #expect(desk.shows("Today  2") && desk.shows("up 2") && desk.shows("down 1"))
        #expect(desk.shows("hardware"))
        try desk.type("y")
        #expect(desk.shows("Yesterday  2") && desk.shows("up 0"))
        try desk.type("t")
        try desk.type([.key(.right)])
        #expect(desk.shows("Today  2"))
        try desk.type([.key(.left)])
        #expect(desk.shows("Yesterday  2"))
    }

    @Test func `A range is typed, and one that is none says why and can be mended`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("3f2025-10-27 to 2025-10-26\n")
        #expect(desk.shows("is empty"))
        try desk.type("\u{7F}8\n")
        #expect(desk.shows("Monday  2025-10-27") && !desk.shows("is empty"))
    }

    @Test func `Another location begins with the range that was chosen, not with its neighbour`() throws {
        let desk = try ScreenDesk(Place([.species("Hall", key: "a")]))
        try desk.type("3y")
        try desk.type([.key(.left)])
        #expect(!desk.shows("Yesterday  2"))
        try desk.type("]")
        #expect(desk.shows("Yesterday  2") && desk.terminal.lines[0].contains("Hall"))
    }

    @Test func `A row is taken back after a question, whoever made it`() throws {
        let desk = try ScreenDesk(Place())
        try desk.press(.up, .up)
        try desk.type("3")
        try desk.type([.key(.down)])
        try desk.type("x")
        #expect(desk.shows("Take this row back?"))
        try desk.type("n")
        #expect(try desk.place.count() == 2)
        try desk.type("xy")
        #expect(try desk.place.count() == 1)
        #expect(desk.shows("default: +1 of ") && desk.shows("taken back, Count 1"))
        try desk.wait(for: "+1 taken back")
        try desk.type("x")
        #expect(desk.shows("was taken back"))
    }

    @Test func `The question is about the row that is selected, also while a change waits to be read`() throws
    {
        let desk = try ScreenDesk(Place())
        try desk.press(.down)
        try desk.type("3")
        for _ in 0..<20 {
            // Too soon after the reading of the change before.
            try desk.type("+")
            try desk.type([.key(.end)])
            try desk.type("x")
            #expect(desk.shows("default: -1 at") && desk.shows("Take this row back?"))
            try desk.type("n")
            try desk.type([.key(.home)])
        }
    }

    @Test func `A viewer is asked nothing`() throws {
        let desk = try ScreenDesk(Place(role: .viewer, counting: 1))
        try desk.type("3x")
        #expect(desk.shows("read-only view: nothing was changed"))
        #expect(!desk.shows("Take this row back?"))
    }
}

@Suite("Admin on a session") struct AdminTabTests {
    private static func admin(_ locations: [Location] = []) throws -> ScreenDesk {
        let desk = try ScreenDesk(Place(locations))
        try desk.type("4")
        return desk
    }

    @Test func `A capacity that is typed stands in the journal, and the screen says so`() throws {
        let desk = try Self.admin()
        try desk.click("none: a tally")
        #expect(desk.shows("How many it holds"))
        try desk.type("x\n")
        #expect(desk.shows("a capacity is a number from 1 up, or none"))
        try desk.type("\u{7F}120\n")
        #expect(desk.shows("default: capacity 120") && desk.shows("0 of 120"))
        #expect(try desk.place.other.existingLocation(named: "default").maxCapacity == 120)
    }

    @Test func `A zone that nobody knows leaves the field open with the reason`() throws {
        let desk = try Self.admin()
        try desk.click("Time zone")
        try desk.type("\u{15}Europe/Atlantis\n")
        #expect(desk.shows("time zone 'Europe/Atlantis': there is none"))
        try desk.type("\u{15}Asia/Kathmandu\n")
        #expect(desk.shows("default: zone Asia/Kathmandu"))
        #expect(try desk.place.other.existingLocation(named: "default").timezone == "Asia/Kathmandu")
    }

    @Test func `A refused text rings, and the field says what is wrong and what may be typed`() throws {
        let desk = try Self.admin([.species("Robin", key: "a")])
        for (row, text, problem, hint) in [
            ("Key  ", "a", "the key a counts into 'Robin' already", "A letter that counts up here"),
            ("Name  ", "robin", "there is a location 'robin' already", "1 to 64 characters."),
            ("Capacity  ", "0", "a capacity is a number from 1 up", "How many it holds"),
            ("Open  ", "9-18", "opening hours are written as Mon-Fri 09:00-18:00", "Empty: unknown."),
        ] {
            let bells = desk.terminal.bells
            try desk.click(row)
            try desk.type("\u{15}\(text)\n")
            #expect(desk.shows(problem) && desk.shows(hint), "\(desk.terminal.text)")
            #expect(desk.terminal.bells == bells + 1 && !desk.shows("counter location"))
            try desk.type([.key(.escape)])
        }
        try desk.type("a")
        #expect(desk.place.session.location.name == "Robin", "the key counts")
    }

    @Test func `A new location says how its days will end, and what changes that`() throws {
        let desk = try Self.admin()
        try desk.type("a")
        #expect(desk.shows("when you end them (E): the row Day ends"))
    }

    @Test func `A correction has a reason, and all of it goes in or none`() throws {
        let desk = try Self.admin([.door(capacity: 5)])
        try desk.type("c+6\n")
        #expect(desk.shows("the reason is missing"))
        try desk.type(" too many\n")
        #expect(desk.shows("has room for 5 only; nothing was changed"))
        try desk.type("\u{15}-1 never came\n")
        #expect(desk.shows("nobody is inside; nothing was changed"))
        #expect(try desk.place.count() == 0)
        try desk.type("\u{15}+5 late guests\n")
        #expect(desk.shows("Door: 0 → 5, late guests") && desk.count == "Count 5")
        try desk.type("u")
        #expect(try desk.count == "Count 0" && desk.place.count() == 0)
    }

    @Test func `A device gets a name and a place, is switched off and forgotten`() throws {
        let desk = try Self.admin([.species("Hall", key: "a")])
        try desk.press(.up)
        try desk.click("Dial")
        try desk.type("\u{15}Back door\n")
        #expect(desk.shows("the device is called Back door"))
        try desk.type("lCellar\n")
        #expect(desk.shows("there is no location 'Cellar'"))
        try desk.type("\u{15}Hall\n")
        #expect(desk.shows("the device counts into Hall"))
        try desk.press(.up)
        #expect(try desk.place.count(of: "Hall") == 1 && desk.place.count() == 1)
        try desk.type("x")
        #expect(desk.shows("the device is off"))
        let device = try #require(desk.place.other.devices().first { $0.id == "usb:1" })
        #expect(device.name == "Back door" && !device.isActive && device.locationId == "Hall")
        try desk.type("f")
        #expect(desk.shows("Forget the device?"))
        try desk.type("y")
        #expect(desk.shows("the device is forgotten"))
    }

    @Test func `A location is added, hidden after a question, and brought back`() throws {
        let desk = try Self.admin()
        try desk.type("h")
        #expect(desk.shows("is what counter counts into where no location is named"))
        try desk.type("aHall\n")
        #expect(desk.shows("Hall is added") && desk.shows("< 2/2 > Hall"))
        try desk.type("1+++")
        try desk.type("4h")
        #expect(desk.shows("Hall will not be shown. Nothing is deleted") && desk.shows("Its count is 3."))
        try desk.type("y")
        #expect(desk.shows("Hall: hidden") && !desk.shows("2/2"))
        #expect(try desk.place.other.existingLocation(named: "Hall").isHidden)
        try desk.type("adefault\n")
        #expect(desk.shows("there is a location 'default' already"))
        try desk.type("\u{15}Hall\n")
        #expect(desk.shows("< 2/2 > Hall"))
        #expect(try !desk.place.other.existingLocation(named: "Hall").isHidden)
    }

    @Test func `The end of a day is asked for, with what has become of it meanwhile`() throws {
        let desk = try Self.admin()
        try desk.press(.up)
        try desk.type("e")
        #expect(desk.shows("1 becomes 0"))
        try desk.press(.up)
        #expect(desk.shows("2 becomes 0"))
        try desk.type("y")
        #expect(desk.shows("the day has ended with 2; X on it below takes it back"))
        #expect(try desk.place.count() == 0)
        for tab in ["1", "2", "4"] {
            try desk.type("\(tab)u")
            #expect(desk.shows("there is nothing to undo since the last day ended"))
            #expect(try desk.place.count() == 0)
        }
        try desk.type([.key(.end)])
        try desk.type("x")
        #expect(desk.shows("Take back the end of the day?") && desk.shows("0 becomes 2"))
        try desk.type("n")
        #expect(try desk.place.count() == 0)
        try desk.type("xy")
        #expect(try desk.place.count() == 2)
        #expect(desk.shows("default: end of day 2") && desk.shows("taken back, Count 2"))
    }

    @Test func `Days that were left open end together, and an empty day is asked for`() throws {
        var hall = Location(id: "default", name: "Hall", timezone: "UTC")
        hall.maxCapacity = 50
        let desk = try ScreenDesk(Place([hall]))
        for day in [2, 5] {
            let time = WallClock().now - .seconds(day * 86_400)
            let entry = Entry(.in, deviceId: "door", source: .hardware)
            _ = try desk.place.other.append(
                [Request(locationId: "default", timestamp: time, .entry(entry))], receivedAt: time)
        }
        try desk.type("1+")
        try desk.type("4e")
        #expect(desk.shows("End 3 days?") && desk.shows("Days were left open") && desk.shows("3 becomes 0"))
        try desk.type("y")
        #expect(desk.shows("Hall: 3 days have ended, the last with 1") && desk.count == "Count 0")
        try desk.type("e")
        #expect(desk.shows("End an empty day?") && desk.shows("Nothing was counted since the last day ended"))
        try desk.type("y")
        #expect(try desk.place.other.endedDays(of: "default").count == 4)
    }

    @Test func `In History the end of a day is taken back after a question that says what comes back`() throws
    {
        let desk = try Self.admin()
        try desk.press(.up, .up)
        try desk.type("ey3")
        try desk.type([.key(.home)])
        try desk.type("x")
        #expect(desk.shows("Take this row back?") && desk.shows("0 becomes 2: the day is open again"))
        try desk.type("n")
        #expect(try desk.place.count() == 0)
        try desk.type("xy")
        #expect(try desk.place.count() == 2)
        #expect(desk.shows("default: end of day 2") && desk.shows("taken back, Count 2"))
    }

    @Test func `What another program changes is followed, and a hidden location is told of on every tab`()
        throws
    {
        let desk = try Self.admin()
        var changed = Location.door(capacity: 7)
        changed.dayStart = 4
        try desk.follow(changed, from: "default", "Door  0 of 7", "04:00")
        changed.isHidden = true
        let warning = "'Door' is hidden, yet counted here."
        try desk.follow(changed, from: "default", warning)
        for tab in ["1", "2", "3", "5"] {
            try desk.type(tab)
            #expect(desk.shows(warning))
        }
        changed.isHidden = false
        try desk.follow(changed, from: "default")
        try eventually("no warning") {
            try desk.type([])
            return !desk.shows("is hidden")
        }
    }
}

extension ScreenDesk {
    /// Changes a location as another program does, and waits until the screen shows texts.
    fileprivate func follow(_ location: Location, from known: String, _ texts: String...) throws {
        try place.other.change(
            place.other.existingLocation(named: known), to: location, at: WallClock().now)
        for text in texts { try wait(for: text) }
    }
}

@Suite("Timers on a session") struct TimersTabTests {
    @Test func `A timer is started by its fields, counts, is seen on every screen and stopped`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("5n5m Robins\n\n")
        #expect(desk.shows("1 Robins") && desk.shows("running"))
        desk.place.keys.catchUp()
        try desk.press(.up)
        try desk.wait(for: "1 up, 0 down")
        try desk.type("1")
        #expect(desk.shows("Robins"))
        try desk.type("5s")
        #expect(desk.place.session.timers.board.running(at: WallClock().now).isEmpty)
    }

    @Test func `A timer becomes a preset, which is started, removed and restored`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("5n5m Robins\n\n*s")
        try desk.type([.key(.down)])
        #expect(desk.shows("[Enter Start]"))
        try desk.type("\n")
        #expect(desk.place.session.timers.board.running(at: WallClock().now).count == 1)
        try desk.type("x")
        #expect(desk.shows("none; * keeps a timer"))
        try desk.type("u")
        #expect(desk.shows("1 Robins  5m"))
    }

    @Test func `A timer that has ended is in the results at once, and its alarm goes on after the program`()
        throws
    {
        let place = try Place()
        let desk = try ScreenDesk(place)
        #expect(place.session.timers.goesOn == nil)
        try desk.type("5n1s Robins\n\n")
        #expect(desk.shows("none in the last seven days"))
        try desk.wait(for: "Robins  0 up, 0 down  net 0  counted 0:01")
        #expect(desk.shows("[Acknowledge]  [Start again]  [Remove]"))
        let alarm = try #require(place.session.timers.goesOn)
        #expect(
            alarm.message.contains("goes on with the alarm of 'Robins' until it is acknowledged, or until "))
        #expect(alarm.remedy == "Acknowledge it:\ncounter timer acknowledge 1")
        try desk.type("\n")
        #expect(desk.shows("Robins  0 up, 0 down  net 0  counted 0:01"))
        #expect(place.session.timers.goesOn == nil)
    }

    @Test func `On Timers the keys of locations and + count, > adds a minute, and a refusal names a key`()
        throws
    {
        let place = try Place([.door(), .species("Ant", key: "a"), .species("Swift", key: "s")])
        let desk = try ScreenDesk(place)
        try desk.type("5n5m Dawn\n\n\u{15}all\n")
        try desk.type("aaSs+>")
        #expect(try place.count(of: "Ant") == 2 && place.count(of: "Swift") == 1)
        #expect(desk.shows("Swift  Count 1"), "\(desk.terminal.text)")
        try desk.wait(for: "4 up, 1 down  net 3  all locations  1:00 added")
        try desk.type("x")
        #expect(desk.shows("it cannot be removed. Stop it first: 8."))
        try desk.type("u")
        #expect(desk.shows("Swift: +1 of "))
        try desk.type("8")
        #expect(place.session.timers.board.running(at: WallClock().now).isEmpty)
    }

    @Test func `A setting is refused in its field`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("5")
        try desk.type([.key(.end), .key(.up)])
        try desk.type("\n\u{15}loud\n")
        #expect(desk.shows("it is a number"))
        try desk.type("\u{15}30\n")
        #expect(!desk.shows("it is a number"))
    }

    @Test func `A viewer changes nothing on any screen`() throws {
        let desk = try ScreenDesk(Place(role: .viewer))
        for keys in ["+", "2+", "4c", "4e", "5n", "1t"] {
            try desk.type([.key(.escape)])
            try desk.type(keys)
            #expect(desk.shows("read-only view"), "\(keys)")
        }
        #expect(try desk.place.count() == 0)
    }
}
