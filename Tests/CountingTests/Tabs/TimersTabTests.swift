import CounterStore
import CounterTUI
import KeyProtocol
import Linux
import TestSupport
import Testing

@testable import CounterModel
@testable import Counting

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

    @Test func `A click that acknowledges leaves the field that is open, with what is typed there`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("5n1s Robins\n\n")
        try desk.wait(for: "[Enter Acknowledge]")
        try desk.type("n5m Wrens")
        try desk.click("[Enter Acknowledge]")
        #expect(!desk.place.session.timers.isRinging)
        try desk.type("\n\n")
        #expect(desk.shows("Wrens") && desk.shows("running"))
    }

    /// `capacity` makes the location an occupancy, in which both keys count each for itself at other times.
    @Test(arguments: [nil, 5])
    func `Both keys acknowledge, single presses count, and then both keys are as ever`(capacity: Int?) throws
    {
        let place = try Place([.door(capacity: capacity)])
        let desk = try ScreenDesk(place)
        try desk.type("5n1s Robins\n\n")
        try desk.wait(for: "[Acknowledge]")
        try desk.press(.up, .up)
        #expect(try place.session.timers.isRinging && place.count() == 2)
        try place.keys.press(.up, .down)
        try desk.type([])
        #expect(try !place.session.timers.isRinging && place.count() == 2)
        // An occupancy counts both keys: one in, one out.
        try place.keys.press(.up, .down)
        try desk.type([])
        #expect(try place.count() == (capacity == nil ? 0 : 2))
    }

    @Test func `Both keys that are held start it again`() throws {
        let place = try Place()
        let desk = try ScreenDesk(place)
        try desk.type("5n1s Robins\n\n")
        try desk.wait(for: "[Acknowledge]")
        try place.keys.press(.up, .down, for: .milliseconds(1500))
        try desk.type([])
        let (board, now) = (place.session.timers.board, WallClock().now)
        #expect(board.running(at: now).count + board.ringing(at: now).count == 1)
        #expect(try place.count() == 0)
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

    @Test func `History marks the windows of timers`() throws {
        let desk = try ScreenDesk(Place())
        try desk.type("5n1h Robins\n\n")
        for keys in ["+++", "s", "3"] { try desk.type(keys) }
        try desk.wait(for: "Robins: 3 up, 0 down")
    }

    @Test func `A viewer changes nothing on any screen, and is offered nothing of it`() throws {
        let desk = try ScreenDesk(Place([.species("Robin", key: "a")], role: .viewer, counting: 1))
        for words in ["Reset", "Undo", "plug", "device"] { #expect(!desk.shows(words), "\(words)") }
        let now = WallClock().now
        _ = try TimerService(desk.place.other, userId: "ada")
            .start(TimerSetup(label: "Dawn", seconds: 3600), at: TimerMoment(present: now))
        try desk.wait(for: "Dawn")
        for (tab, keys) in [
            ("3", "x"), ("1", "+-=rutaA"), ("2", "+-=ua"), ("4", "ceuh\n"), ("5", "nps+*x\n"),
        ] {
            for key in keys {
                try desk.type([.key(.escape)])
                #expect(!desk.shows("read-only view"))
                try desk.type("\(tab)\(key)")
                #expect(desk.shows("read-only view: nothing was changed"), "\(key) on \(tab)")
            }
        }
        try desk.type([.key(.escape)])
        try desk.type([.volumeKey([KeyChange(.up, isDown: true), KeyChange(.up, isDown: false)])])
        #expect(desk.shows("read-only view"))
        #expect(try desk.place.count() == 1 && desk.place.count(of: "Robin") == 0)
    }
}
