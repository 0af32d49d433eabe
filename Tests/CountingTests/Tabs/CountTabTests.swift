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
