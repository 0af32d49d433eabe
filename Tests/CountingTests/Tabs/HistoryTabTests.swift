import CounterModel
import CounterStore
import CounterTUI
import KeyProtocol
import Linux
import TestSupport
import Testing

@testable import Counting

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
}
