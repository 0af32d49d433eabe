import CounterModel
import CounterStore
import CounterTUI
import KeyProtocol
import Linux
import TestSupport
import Testing

@testable import Counting

@Suite("Locations and Live on a session") struct LiveTabTests {
    private static func hall(_ count: Int) throws -> ScreenDesk {
        let desk = try ScreenDesk(Place([.door(capacity: 10)], counting: count))
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
}
