import Linux
import Testing

@testable import KeyProtocol
@testable import KeyServer
@testable import VolumeInput

@Suite struct CapturePacingTests {
    private static let start = MonotonicTime(microseconds: 1_000_000)

    /// The messages that are sent, with their times, for modes that are set at given times, all in ms. Every deadline
    /// is met.
    private func sent(_ wishes: [(Int, CaptureMode)]) -> [String] {
        var pace = CapturePacing()
        _ = pace.begin(at: Self.start)
        var sent: [String] = []
        let last = wishes.map(\.0).max() ?? 0
        for moment in 0...(last + 1000) {
            let now = Self.start + .milliseconds(moment)
            for (_, wish) in wishes.filter({ $0.0 == moment }) {
                if let captureMode = pace.want(wish, at: now) { sent.append("\(moment) \(captureMode)") }
            }
            if let due = pace.due, due <= now, let captureMode = pace.next(at: now) {
                sent.append("\(moment) \(captureMode)")
            }
        }
        return sent
    }

    @Test func whatChangesNowAndThenIsSentAtOnce() {
        #expect(
            sent([(100, .exclusive), (300, .off), (500, .shared)])
                == ["100 exclusive", "300 off", "500 shared"])
        #expect(sent([(100, .exclusive), (300, .exclusive)]) == ["100 exclusive"])
        #expect(sent([(100, .off)]).isEmpty, "that is how it begins")
    }

    @Test func keysAreTakenAPauseAfterTheLastChangeAndGivenBackAtOnce() {
        #expect(sent([(10, .exclusive)]) == ["100 exclusive"])
        #expect(
            sent([(100, .exclusive), (130, .off), (160, .exclusive)])
                == ["100 exclusive", "130 off", "230 exclusive"])
        #expect(sent([(100, .exclusive), (130, .off), (160, .exclusive), (190, .off)]).count == 2)
    }

    @Test(arguments: [1, 10, 33, 40, 51]) func aKeyThatIsHeldDownStaysFarBelowTheBudget(every: Int) {
        let wishes = (0..<200).map { (100 + $0 * every, $0.isMultiple(of: 2) ? CaptureMode.exclusive : .off) }
        let sent = sent(wishes)
        #expect(sent.count <= 2 + 200 * every / 50)
        #expect(sent.last?.hasSuffix("off") == true)
        var budget = MessageBudget()
        budget.endIntroduction()
        for line in sent {
            let moment = Int(line.split(separator: " ")[0]) ?? 0
            let isWithin = budget.spend(at: Self.start + .milliseconds(moment))
            #expect(isWithin)
        }
    }

    @Test func anotherServerIsToldAnew() {
        var pace = CapturePacing()
        let early = pace.want(.exclusive, at: Self.start)
        #expect(early == nil, "there is none yet")
        #expect(pace.due == nil)
        let first = pace.begin(at: Self.start)
        pace.end()
        let between = pace.want(.off, at: Self.start)
        let second = pace.begin(at: Self.start)
        #expect([first, between, second] == [.exclusive, nil, .off])
    }
}
