import PracticeTestSupport
import Testing

@testable import Practice

@Suite struct SpokenAfternoonTests {
    @Test(arguments: ActivityType.allCases)
    func `From the start to a solved level by somebody who only hears`(activity: ActivityType) {
        var afternoon = Afternoon.mia()
        afternoon.choose("Mia")
        afternoon.choose(English.name(activity))
        var listener = Listener(afternoon.heard, end: "Solved!") { key in
            switch key {
            case .up: afternoon.press(.up)
            case .down: afternoon.press(.down)
            case .both: afternoon.press(.both)
            case .bothHeld: afternoon.press(.home)
            }
            return afternoon.heard
        }
        let isSolved = listener.play()
        #expect(isSolved, "\(listener.transcript.suffix(6))")
        #expect(afternoon.heard.contains("Go on"))
        afternoon.press(.both)
        #expect(afternoon.heard.hasPrefix("Mia"))
        #expect(afternoon.model.session?.levels.count(where: \.solved) == 1)
    }

    @Test func `What is chosen on the way is spoken`() {
        var afternoon = Afternoon.mia()
        #expect(afternoon.heard == "Who plays? Mia.")
        afternoon.press(.up)
        #expect(afternoon.heard == "Noah.")
        afternoon.press(.both)
        #expect(afternoon.heard.contains("closed by the grown-up"))
    }
}
