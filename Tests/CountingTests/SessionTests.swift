import CounterModel
import CounterStore
import KeyProtocol
import Linux
import TestSupport
import Testing

@testable import Counting

@Suite("Session: from keys to the journal") struct SessionTests {
    @Test func `A press counts once, and what the session shows is committed`() throws {
        let place = try Place()
        try place.keys.press(.up)
        let events = place.session.receive(at: .now)
        #expect(
            events.contains { if case .answered(let receipts) = $0 { receipts.count == 1 } else { false } })
        #expect(try place.session.state.currentCount == 1 && place.count() == 1)
        #expect(place.session.receive(at: .now).isEmpty)
        #expect(place.session.recent.last?.kind == .up(1))
    }

    @Test func `Presses that come together are one transaction`() throws {
        let place = try Place()
        for key in [CountedKey.up, .up, .down, .up] { try place.keys.press(key) }
        let answers = place.session.receive(at: .now).compactMap { event -> [Receipt]? in
            if case .answered(let receipts) = event { receipts } else { nil }
        }
        #expect(answers.map(\.count) == [4])
        #expect(try place.count() == 2)
    }

    @Test func `A press counts so many as are set`() throws {
        let place = try Place(step: 10)
        try place.keys.press(.up)
        _ = place.session.receive(at: .now)
        #expect(try place.count() == 10)
    }

    @Test func `Both keys reset a tally, and count one each in an occupancy`() throws {
        for (capacity, count) in [(nil, 0), (60, 2)] as [(Int?, Int)] {
            let place = try Place([.door(capacity: capacity)])
            for keys in [[CountedKey.up], [.up]] { try place.keys.press(keys[0]) }
            try place.keys.press(.up, .down)
            _ = place.session.receive(at: .now)
            #expect(try place.count() == count, "capacity \(capacity ?? 0)")
        }
    }

    @Test func `The captured keys are those of the mode, and none at the end`() throws {
        let place = try Place()
        _ = place.session.capture(.exclusive)
        _ = place.session.receive(at: .now + .seconds(1))
        _ = place.session.capture(.off)
        try place.keys.press(.up)
        let modes = place.keys.received.compactMap { message -> CaptureMode? in
            if case .capture(let mode) = message { mode } else { nil }
        }
        #expect(modes == [.off, .exclusive, .off])
    }

    @Test func `A key server that ends is told of, and what was counted stays`() throws {
        let place = try Place()
        try place.keys.press(.up)
        _ = place.session.receive(at: .now)
        place.keys.end()
        let notices = place.session.receive(at: .now).notices
        #expect(notices == ["counter-keys (the system service) has ended"])
        #expect(place.session.inputDevices.isEmpty)
        #expect(try place.count() == 1)
    }

    @Test func `A key that never comes up counts until the limit, and the session says so`() throws {
        let place = try Place()
        _ = place.session.capture(.exclusive)
        try place.keys.press(.up, for: .seconds(31))
        let notices = place.session.receive(at: .now).notices
        #expect(notices == ["a key was down for too long; it is taken as released"])
        // At once, at 400 ms, and every 150 ms before 30 s.
        #expect(try place.count() == 199)
    }

    @Test func `Typed changes are committed together, and undone one by one`() throws {
        let place = try Place()
        for _ in 0..<3 { place.session.count(.in) }
        #expect(place.session.waiting == 3)
        #expect(try place.count() == 0)
        _ = place.session.commitTyped()
        #expect(try place.count() == 3)
        place.session.undo()
        place.session.undo()
        _ = place.session.commitTyped()
        #expect(try place.count() == 1)
        #expect(place.session.commitTyped().isEmpty)
    }

    @Test func `An undo takes back what was pressed here, and nothing of others`() throws {
        let place = try Place()
        try place.keys.press(.up)
        _ = place.session.receive(at: .now)
        place.session.undo()
        place.session.undo()
        let events = place.session.commitTyped()
        #expect(try place.count() == 0)
        guard case .answered(let receipts) = events.first else { return #expect(Bool(false)) }
        #expect(receipts.last?.refusal != nil)
    }

    @Test func `A target is announced once, and again after a reset`() throws {
        var door = Location.door()
        door.target = 2
        let place = try Place([door])
        func reached() -> Int {
            place.session.commitTyped().count { if case .targetReached = $0 { true } else { false } }
        }
        var announced: [Int] = []
        for _ in 0..<3 {
            place.session.count(.in)
            announced.append(reached())
        }
        place.session.reset()
        announced.append(reached())
        for _ in 0..<2 { place.session.count(.in) }
        announced.append(reached())
        // Another program's counts reach it as well.
        place.session.reset()
        announced.append(reached())
        for _ in 0..<2 { try place.append(.in, at: Location.defaultId) }
        let followed = place.session.followJournal(at: .now + .seconds(1))
        announced.append(followed.count { if case .targetReached = $0 { true } else { false } })
        #expect(announced == [0, 1, 0, 0, 1, 0, 1])
    }
}

extension [SessionEvent] {
    fileprivate var notices: [String] { compactMap { if case .notice(let text) = $0 { text } else { nil } } }
}
