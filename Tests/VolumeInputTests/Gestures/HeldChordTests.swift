import Linux
import Testing

@testable import KeyProtocol
@testable import VolumeInput

@Suite struct HeldChordTests {
    /// Runs `(milliseconds, keys down)`, and says what was told.
    private func told(_ steps: [(Int, up: Bool, down: Bool)], until end: Int, holds: Bool = true) -> [String]
    {
        var recognizer = GestureRecognizer(timing: GestureTiming(), heldChord: holds ? .seconds(2) : nil)
        var events: [VolumeEvent] = []
        var (up, down) = (false, false)
        for step in steps {
            var changes: [KeyChange] = []
            if step.up != up { changes.append(KeyChange(.up, isDown: step.up)) }
            if step.down != down { changes.append(KeyChange(.down, isDown: step.down)) }
            (up, down) = (step.up, step.down)
            while let due = recognizer.deadline, due < moment(step.0) {
                recognizer.advance(to: due, into: &events)
            }
            recognizer.handle(
                KeyFrame(node: NodeID(rawValue: 1), stamp: moment(step.0), changes: KeyChanges(changes)),
                into: &events)
        }
        recognizer.advance(to: moment(end), into: &events)
        return events.compactMap {
            let time = $0.timestamp.microseconds / 1000
            return switch $0.type {
            case .bothHeld: "held@\(time)"
            case .bothReleased(let wereHeld): "\(wereHeld ? "after hold" : "released")@\(time)"
            default: nil
            }
        }
    }

    private func moment(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(microseconds: Int64(milliseconds) * 1000)
    }

    @Test func `Let go early, both keys choose; held for two seconds, they lead home`() {
        #expect(
            told([(0, true, false), (50, true, true), (900, true, false), (950, false, false)], until: 5000)
                == ["released@950"])
        #expect(
            told([(0, true, false), (50, true, true), (2500, false, false)], until: 5000)
                == ["held@2050", "after hold@2500"])
        #expect(told([(0, true, false), (50, true, true)], until: 2050) == ["held@2050"])
        #expect(told([(0, true, false), (50, true, true)], until: 2049).isEmpty)
    }

    @Test func `One key let go ends the hold; a bounce does not`() {
        #expect(
            told(
                [(0, true, false), (50, true, true), (1000, true, false), (4000, false, false)], until: 5000)
                == ["released@4000"])
        #expect(
            told(
                [
                    (0, true, false), (50, true, true), (1000, true, false), (1010, true, true),
                    (3000, false, false),
                ],
                until: 5000) == ["held@2050", "after hold@3000"])
    }

    @Test func `A keyboard that reports one key at a time holds with one`() {
        #expect(
            told([(0, true, false), (50, false, true), (2400, false, false)], until: 3000)
                == ["held@2050", "after hold@2400"])
    }

    @Test func `Nobody who does not ask for it is told`() {
        #expect(
            told([(0, true, false), (50, true, true), (2500, false, false)], until: 5000, holds: false)
                .isEmpty)
    }
}
