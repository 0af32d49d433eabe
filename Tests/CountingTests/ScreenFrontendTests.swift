import CounterModel
import CounterTUI
import Glibc
import KeyProtocol
import Linux
import TestSupport
import Testing

@testable import CounterStore
@testable import Counting

@Suite("Screens on a session") struct ScreenFrontendTests {
    @Test func `A press is drawn after it is committed`() throws {
        let desk = try ScreenDesk(Place())
        #expect(desk.count == "Count 0")
        var stored: [Int] = []
        // With the desk in it, it would keep itself.
        desk.terminal.onFrame = { [place = desk.place] in stored.append((try? place.count()) ?? -1) }
        try desk.press(.up)
        try desk.press(.up, .up)
        #expect(stored == [1, 3])
        #expect(desk.count == "Count 3")
        #expect(desk.terminal.title == "Count 3")
        #expect(desk.shows("+1 at "))
    }

    @Test func `Nothing is drawn while nothing changes`() throws {
        let desk = try ScreenDesk(Place())
        let frames = desk.terminal.frames
        try desk.type([])
        try desk.type("x")
        #expect(desk.terminal.frames == frames)
    }

    @Test func `Typed keys and clicks count`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("++=-")
        #expect(desk.count == "Count 2")
        try desk.type([.key(.up), .key(.right)])
        #expect(desk.count == "Count 4")
        try desk.type([.key(.down), .key(.left)])
        #expect(desk.count == "Count 2")
        try desk.click("[+]")
        #expect(desk.count == "Count 3")
        try desk.click("[U Undo]")
        #expect(desk.count == "Count 2")
        let bells = desk.terminal.bells
        try desk.type("r")
        #expect(desk.count == "Count 0")
        #expect(desk.terminal.bells == bells + 1)
        #expect(try desk.place.count() == 0)
    }

    @Test func `A chord resets with a bell, and a refusal is shown until the next change`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("+")
        try desk.place.keys.press(.up, .down)
        try desk.type([])
        #expect(desk.count == "Count 0" && desk.terminal.bells > 0)
        let fresh = try ScreenDesk(Place())
        try fresh.type("u")
        #expect(fresh.shows("nothing to undo"))
        try fresh.type("+")
        #expect(!fresh.shows("nothing to undo"))
    }

    @Test(arguments: [(Int.max, "+", "-", Int.max - 1), (Int.min, "-", "+", Int.min + 1)])
    func `A count that can go no further stays, with a word and the bell`(
        edge: Int, over: String, back: String, next: Int
    ) throws {
        let desk = try ScreenDesk(Place())
        let now = WallClock().now
        let reset = Request(
            locationId: Location.defaultId, userId: "bob", timestamp: now, .reset(Reset(to: edge)))
        _ = try desk.place.other.append([reset], receivedAt: now)
        try desk.wait(for: "Count \(edge)")
        let bells = desk.terminal.bells
        try desk.type(over)
        #expect(desk.shows("the count can go no further; nothing was counted"))
        #expect(try desk.terminal.bells == bells + 1 && desk.place.count() == edge)
        try desk.type(back)
        #expect(desk.count == "Count \(next)" && !desk.shows("no further"))
    }

    @Test func `A clock that is set by hand asks whether to move what it has timed, and NTP does not`() throws
    {
        let desk = try ScreenDesk(Place())
        let journal = desk.place.session.journal
        var (offset, isSynchronised): (Int64, Bool) = (0, false)
        journal.clock = { ClockReference(bootId: "boot", offset: offset) }
        journal.isSynchronised = { isSynchronised }
        func set(by seconds: Int64) throws {
            offset += seconds * 1_000_000
            desk.front.show(desk.place.session.clockWasSet())
            try desk.type([])
            #expect(!desk.shows("Was the clock wrong?"))
            desk.front.show(desk.place.session.receive(at: .now + .seconds(10)))
            try desk.type([])
        }
        try desk.type("++")
        // It is asked on Count.
        try desk.type("3")
        try set(by: -600)
        #expect(!desk.shows("Was the clock wrong?"))
        try desk.type("1")
        #expect(
            desk.shows("Was the clock wrong?") && desk.shows("The clock was set 10m back by hand: 2 rows"))
        try desk.type("n")
        #expect(!desk.shows("Was the clock wrong?"))
        try desk.type("+")
        #expect(!desk.shows("Was the clock wrong?"))
        #expect(try journal.mistimedRows()?.count == 2)
        try set(by: -1_200)
        #expect(desk.shows("Was the clock wrong?"))
        try desk.type("y")
        #expect(desk.shows("the clock was set 20m back: 3 rows that it had timed moved with it"))
        #expect(try journal.mistimedRows() == nil)
        try desk.type("+")
        isSynchronised = true
        try set(by: -3_600)
        #expect(desk.shows("set 1h back: 4 rows that it had timed moved with it"))
        #expect(desk.count == "Count 4")
    }

    @Test func `Undo goes back as far as there is anything, and a reset comes back to the level before it`()
        throws
    {
        let desk = try ScreenDesk(Place())
        var levels = [0]
        for (key, level) in [("+", 1), ("+", 2), ("r", 0), ("-", -1), ("r", 0), ("+", 1)] {
            try desk.type(key)
            #expect(try desk.count == "Count \(level)" && desk.place.count() == level)
            levels.append(level)
        }
        for level in levels.dropLast().reversed() {
            try desk.type("u")
            #expect(try desk.count == "Count \(level)" && desk.place.count() == level)
        }
        try desk.type("u")
        #expect(desk.shows("there is nothing to undo") && desk.count == "Count 0")
    }

    @Test(arguments: ["1", "2", "4"])
    func `Every undo says what it took back`(tab: String) throws {
        let desk = try ScreenDesk(Place([.species("Robin", key: "a")]))
        try desk.type("]+++\(tab)")
        try desk.type("u")
        #expect(desk.shows("Robin: +1 of ") && desk.shows("taken back, Count 2"))
        try desk.type("1r\(tab)u")
        #expect(desk.shows("Robin: reset to 0 of ") && desk.shows("taken back, Count 2"))
        try desk.type("U")
        #expect(desk.shows("Robin: reset to 0 of ") && desk.shows("is back, Count 0"))
        try desk.type("U")
        #expect(desk.shows("there is nothing to redo"))
        try desk.type("uuUU")
        #expect(desk.shows("Robin: reset to 0 of ") && desk.shows("is back, Count 0"))
    }

    @Test func `Keys typed at once are as many counts, and one frame`() throws {
        let desk = try ScreenDesk(Place())
        let frames = desk.terminal.frames
        try desk.type(String(repeating: "+", count: 50))
        #expect(try desk.count == "Count 50" && desk.place.count() == 50)
        #expect(desk.terminal.frames == frames + 1)
    }

    @Test func `Counting goes on under the help and the details`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("?+")
        #expect(desk.count == "Count 1" && desk.shows("Esc closes"))
        try desk.type("?d")
        try desk.press(.up)
        #expect(desk.count == "Count 2" && desk.shows("Devices"))
    }

    @Test func `A knob is named with its setting, which stays among the details`() throws {
        let desk = try ScreenDesk(Place(), size: Size(columns: 160, rows: 24))
        for _ in 1...5 { try desk.place.keys.press(.up, for: .milliseconds(5), then: .milliseconds(45)) }
        try desk.type([])
        let setting = #"set debounce = "20ms" under [devices."#
        #expect(desk.shows("is a knob") && desk.shows(setting))
        try desk.type("d")
        // The hint stays with the device: it is below the reason, which the notice has on the same line.
        try desk.press(.down)
        let lines = desk.terminal.lines.filter { $0.contains(setting) }
        #expect(lines.count == 1 && !lines[0].contains("is a knob") && desk.shows("is a knob"))
    }

    @Test func `The volume keys are given back and taken again, and counting by hand does not mind`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("v+")
        #expect(desk.place.focusTracker.captureMode == .off)
        try desk.type("v+")
        #expect(desk.place.focusTracker.captureMode == .exclusive && desk.count == "Count 2")
    }

    @Test func `The device, and a terminal in the background`() throws {
        let desk = try ScreenDesk(Place())
        #expect(desk.shows("Dial exclusive"))
        try desk.type("d")
        #expect(desk.shows("Devices"))
        try desk.type([.key(.escape), .focusLost])
        #expect(desk.place.focusTracker.captureMode == .off)
    }

    @Test func `Tabs are reached by their numbers, and the count stays in sight`() throws {
        let desk = try ScreenDesk(Place([.door(capacity: 60)]))
        for (key, text) in [
            ("2", "0 of 60"), ("3", "Today"), ("4", "Capacity"), ("5", "none; N starts one"),
            ("1", "[U Undo]"),
        ] {
            try desk.type(key)
            #expect(desk.shows(text), "\(key)")
            try desk.press(.up)
        }
        #expect(desk.count == "Count 5")
    }

    @Test func `A target is typed into a field`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("t")
        #expect(desk.shows("Target"))
        try desk.type("5x\n")
        #expect(desk.shows("a target is a number from 1 up, or none"))
        try desk.press(.up)
        try desk.type("\u{7F}0\n")
        #expect(desk.shows("1 of 50"))
        #expect(try desk.place.other.existingLocation(named: "default").target == 50)
        try desk.type("t\u{15}3\n+")
        #expect(desk.shows("2 of 3  1 left") && !desk.shows("target of 3 reached"))
        let bells = desk.terminal.bells
        try desk.type("+")
        #expect(desk.shows("default: target of 3 reached") && desk.shows("3 of 3  target reached"))
        #expect(desk.terminal.bells > bells)
        try desk.type("-+")
        #expect(desk.count == "Count 3" && !desk.shows("target of 3 reached"))
        try desk.type("t\u{15}\n")
        #expect(desk.shows("default: no target") && !desk.shows("target reached"))
    }

    @Test func `Locations with keys are counted from one screen`() throws {
        let desk = try ScreenDesk(Place([.species("Robin", key: "a"), .species("Wren", key: "s")]))
        try desk.type("aaS")
        #expect(try desk.place.count(of: "Robin") == 2)
        #expect(try desk.place.count(of: "Wren") == -1)
        #expect(desk.shows("[a Robin 2]") && desk.count == "Count -1")
        try desk.type("[+")
        #expect(try desk.place.count(of: "Robin") == 3)
        try desk.click("[a Robin 3]")
        #expect(desk.count == "Count 4")
        // What another program counts is seen there too.
        try desk.place.append(.in, at: "Wren")
        try desk.wait(for: "[s Wren 0]")
        try desk.type("2sSa")
        #expect(desk.shows("[s] Wren") && desk.count == "Count 5")
    }

    @Test func `What the disk does not take is told, and stored when it does`() throws {
        let desk = try ScreenDesk(Place())
        let folder = desk.place.folder
        let (file, away) = (folder.path(of: "journal.sqlite"), folder.path(of: "away.sqlite"))
        #expect(rename(file, away) == 0)
        try desk.press(.up, .up)
        #expect(desk.shows("2 not stored") && desk.count == "Count 0")
        #expect(rename(away, file) == 0)
        try desk.press(.up)
        #expect(!desk.shows("not stored") && desk.count == "Count 3")
    }

    @Test func `A terminal that takes nothing delays no count`() throws {
        let desk = try ScreenDesk(Place())
        desk.terminal.isStalled = true
        try desk.press(.up)
        let frames = desk.terminal.frames
        desk.terminal.isStalled = false
        try desk.press(.up)
        #expect(try desk.place.count() == 2)
        #expect(desk.terminal.frames == frames + 1 && desk.count == "Count 2")
    }

    @Test func `Keys that leave, and signals`() throws {
        for key in ["q", "\u{3}"] {
            let desk = try ScreenDesk(Place())
            try desk.type(key)
            #expect(desk.front.isDone)
        }
        let desk = try ScreenDesk(Place())
        desk.terminal.size = Size(columns: 40, rows: 12)
        desk.front.handle(signal: SIGWINCH)
        try desk.type([])
        #expect(desk.terminal.lines.count == 12)
        desk.front.handle(signal: SIGTERM)
        #expect(desk.front.isDone)
    }
}
