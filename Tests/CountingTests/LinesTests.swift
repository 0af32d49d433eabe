import CounterModel
import CounterStore
import CounterTUI
import Glibc
import KeyProtocol
import Linux
import TestSupport
import Testing
import Transfer

@testable import Counting

@Suite("counter --plain") struct PlainFrontendTests {
    private let place: Place
    private let terminal = RecordedLines()
    private let front: PlainFrontend
    private let loop: MainLoop

    init() throws { try self.init([]) }

    private init(_ locations: [Location]) throws {
        place = try Place(locations)
        front = PlainFrontend(place.session, terminal: terminal, focusTracker: place.focusTracker)
        loop = try MainLoop(place.session, front, signals: SignalDescriptor([]))
        try loop.turn()
    }

    /// The lines for typed keys.
    private func type(_ events: [TerminalEvent]) throws -> [String] {
        terminal.typed = events
        _ = terminal.take()
        try loop.turn()
        return terminal.take()
    }

    private func type(_ text: String) throws -> [String] { try type(text.map(TerminalEvent.character)) }

    @Test func `It begins with the count`() {
        #expect(terminal.take() == ["Count 0"])
    }

    @Test func `Each change is a line`() throws {
        try place.keys.press(.up)
        #expect(try type("") == ["Count 1"])
        #expect(try type("++-") == ["Count 2", "Count 3", "Count 2"])
        let undone = try type("u")
        #expect(undone.count == 1 && undone[0].hasPrefix("default: -1 of "))
        #expect(undone[0].hasSuffix(" taken back, Count 3"))
        #expect(try type("U")[0].hasSuffix(" is back, Count 2"))
        #expect(try type("u").count == 1)
        #expect(try type("r") == ["Count 0"])
    }

    @Test func `What was typed before something else is told before it`() throws {
        #expect(
            try type("+?").prefix(2) == ["Count 1", "Volume keys: count up, count down; both together reset"])
        #expect(try type("+q") == ["Count 2"])
        #expect(front.isDone)
    }

    @Test func `Keys that need a screen mean nothing`() throws {
        for key in ["1", "2", "t", "d", "\u{C}"] { #expect(try type(key) == []) }
        #expect(try type([.key(.tab), .key(.escape)]) == [])
    }

    @Test func `The key of another location is one line, with its count after that`() throws {
        let desk = try PlainFrontendTests([.species("Robin", key: "a"), .species("Wren", key: "w")])
        #expect(try desk.type("a") == ["Robin: Count 1"])
        #expect(try desk.type("aw") == ["Robin: Count 2", "Wren: Count 1"])
        let line = try desk.type("]")
        #expect(line.count == 1 && line[0].hasSuffix(": Count 0"))
    }

    @Test func `A refusal is a line`() throws {
        #expect(try type("u").first?.contains("nothing to undo") == true)
        #expect(try type([.pasteCutOff]) == [TerminalEvent.pasteNotice])
    }
}

@Suite("counter listen") struct LineFrontendTests {
    private let place: Place
    private let front: LineFrontend
    private let loop: MainLoop
    private let pipe = TestPipe()

    init() throws { try self.init(feed: false) }

    private init(feed: Bool) throws {
        place = try Place()
        front = try LineFrontend(
            place.session, feed: feed ? JournalFeed(place.session.journal, after: nil) : nil,
            focusTracker: place.focusTracker, output: pipe.input)
        loop = try MainLoop(place.session, front, signals: SignalDescriptor([]))
    }

    /// The lines for keys that are pressed, one after the other.
    private func press(_ keys: [CountedKey]) throws -> [String] {
        for key in keys { try place.keys.press(key) }
        try loop.turn()
        try front.finish()
        return pipe.read().split(separator: "\n").map(String.init)
    }

    @Test func `A line is a count`() throws {
        #expect(try press([.up, .up, .down]) == ["1", "2", "1"])
    }

    @Test func `With JSON a line is a row of the journal`() throws {
        let desk = try LineFrontendTests(feed: true)
        let lines = try desk.press([.up])
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("{\"type\":\"in\",") == true)
        #expect(lines.first?.contains("\"deviceId\":\"usb:1\"") == true)
    }

    @Test func `It ends by a signal, not by one of another meaning`() throws {
        front.handle(signal: SIGWINCH)
        #expect(!front.isDone)
        front.handle(signal: SIGTERM)
        #expect(front.isDone)
    }
}
