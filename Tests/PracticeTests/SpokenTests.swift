import TestSupport
import Testing

@testable import Practice

@Suite struct SpokenTests {
    @Test(arguments: ActivityType.allCases)
    func `Each activity is played to the end by somebody who only hears`(activity: ActivityType) {
        for step in 0...10 {
            for seed in Volume.of(sample: 20, full: UInt64(0)..<1_000) {
                var listener = Listener(
                    Level(activity, seed: seed, difficulty: Float(step) / 10, number: 1))
                if !listener.play() {
                    Issue.record("seed \(seed), step \(step): \(listener.transcript.suffix(8))")
                    return
                }
            }
        }
    }

    @Test func `A mistake is told, and the third one with a hint`() {
        var level = Level(.zahlenWuerfel, seed: 1, difficulty: 0.3, number: 1)
        guard case .dice(let view) = level.game else { return }
        _ = level.take(.up)
        let answers = (0..<3).map { _ in English.answer(level.take(.both), level.game) }
        let more = English.number(view.pips - 1)
        #expect(answers == ["one is too few.", "one is too few.", "one is too few. Press up \(more) times."])
        #expect((level.mistakes, level.hints) == (3, 1))
    }

    @Test func `A wrong number of things is asked again, and the fifth time it is told`() {
        var level = Level(
            .zahlenWaehle, seed: 4, difficulty: 0.3, number: 1, mistakesBeforeHint: 5)
        guard case .choice(let view) = level.game else { return }
        _ = level.take(view.numbers[0] == view.count || view.cursor == 0 ? .up : .down)
        guard case .choice(let moved) = level.game, moved.numbers[moved.cursor] != view.count else {
            Issue.record("the seed should begin beside the right number")
            return
        }
        let answers = (0..<5).map { _ in English.answer(level.take(.both), level.game) }
        let chosen = English.number(moved.numbers[moved.cursor])
        #expect(answers[0] == "It is not \(chosen). " + English.task(level.game))
        #expect(answers[4] == "It is not \(chosen). It is \(English.number(view.count)).")
    }

    @Test func `A pattern that differs is told with the number of cells, then with the first one`() {
        var level = Level(.raetselPuzzle, seed: 2, difficulty: 0, number: 1)
        let answers = (0..<3).map { _ in English.answer(level.take(.both), level.game) }
        #expect(
            answers[0].wholeMatch(of: /two cells are different\. The first is row \w+, place \w+\./) != nil)
        #expect(answers[2] == "\(answers[0].dropLast()): it should be a blue square.")
    }
}

@Suite struct SpokenAfternoonTests {
    @Test(arguments: ActivityType.allCases)
    func `From the start to a solved level by somebody who only hears`(activity: ActivityType) {
        var afternoon = Afternoon.mia()
        afternoon.choose("Mia")
        afternoon.choose(English.name(activity))
        var listener = Listener(afternoon.heard, end: "Solved!") { key in
            afternoon.press(.key(key))
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
