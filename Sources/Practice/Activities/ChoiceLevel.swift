/// `zahlen_waehle`: count what is shown, and choose the number.
struct ChoiceLevel: Hashable, Sendable {
    private(set) var view: ChoiceView
    /// The questions that follow, the next one last.
    private var following: [ChoiceView]

    /// The number of questions and of numbers grows with the challenge, and so does the number of moves that all questions
    /// take together.
    init(size: LevelSize, random: LevelRandom) {
        var random = random
        let challenge = size.challenge
        let rounds = 2 + Int(4 * challenge)
        let choices = 3 + Int(2.99 * challenge)
        let moves = Self.distributed(
            1 + Int(14 * challenge), rounds: rounds, most: choices - 1, random: &random)
        let questions = moves.enumerated().map { index, distance in
            Self.question(
                index + 1, of: rounds, choices: choices, distance: distance, size: size, random: &random)
        }
        view = questions[0]
        following = questions.dropFirst().reversed()
    }

    mutating func take(_ input: LevelInput, givesHint: Bool) -> LevelAnswer {
        switch input {
        case .up: return move(by: 1)
        case .down: return move(by: -1)
        case .both: return choose(givesHint: givesHint)
        case .bothHeld: return .quit
        }
    }

    private mutating func move(by step: Int) -> LevelAnswer {
        guard view.numbers.indices.contains(view.cursor + step) else {
            return .noFurther(view.numbers[view.cursor])
        }
        view.cursor += step
        return .number(view.numbers[view.cursor])
    }

    private mutating func choose(givesHint: Bool) -> LevelAnswer {
        let chosen = view.numbers[view.cursor]
        guard chosen == view.count else {
            return .mistake(.choice(chosen, count: view.count, hint: givesHint))
        }
        guard let next = following.popLast() else { return .solved }
        view = next
        return .nextQuestion
    }

    /// `total` moves as a number for each round, each at most `most`.
    private static func distributed(
        _ total: Int, rounds: Int, most: Int, random: inout LevelRandom
    ) -> [Int] {
        var moves = Array(repeating: 0, count: rounds)
        for _ in 0..<min(total, rounds * most) {
            moves[random.element(of: moves.indices.filter { moves[$0] < most })] += 1
        }
        return moves
    }

    /// A question whose number is `distance` moves away from the one at which the player begins.
    private static func question(
        _ round: Int, of rounds: Int, choices: Int, distance: Int, size: LevelSize, random: inout LevelRandom
    ) -> ChoiceView {
        let starts = (0..<choices).filter { $0 >= distance || $0 + distance < choices }
        let cursor = random.element(of: starts)
        let answer = random.element(
            of: [cursor - distance, cursor + distance].filter((0..<choices).contains))
        let most = 4 + Int(16 * size.challenge)
        let count = random.number(in: max(answer + 1, 1 + Int(6 * size.challenge))...most)
        let smaller = random.shuffled(Array(max(1, count - choices)..<count)).prefix(answer)
        let larger = random.shuffled(Array(count + 1...count + choices)).prefix(choices - 1 - answer)
        return ChoiceView(
            thing: random.element(of: ChoiceView.Thing.allCases), count: count,
            numbers: (smaller + [count] + larger).sorted(), cursor: cursor, round: round, rounds: rounds)
    }
}
