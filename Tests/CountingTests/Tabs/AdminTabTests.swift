import CounterModel
import CounterStore
import CounterTUI
import KeyProtocol
import Linux
import TestSupport
import Testing

@testable import Counting

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

    @Test func `A field stays open while another program holds the journal`() throws {
        let desk = try Self.admin()
        let holder = try RawDatabase(desk.place.folder.path(of: "journal.sqlite"))
        try holder.execute("BEGIN IMMEDIATE")
        try desk.click("Capacity  ")
        try desk.type("5\n")
        #expect(desk.shows("another program holds it"))
        try holder.execute("COMMIT")
        try desk.type("\n")
        #expect(desk.shows("capacity 5"))
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
        try desk.type("a")
        #expect(desk.shows("when you end them (E): the row Day ends"))
        try desk.type("Hall\n")
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
            #expect(desk.shows(warning) && desk.shows("To show it again: counter location unhide Door"))
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
