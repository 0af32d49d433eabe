import CounterTUI

/// `zahlen_waehle`: count what is shown, and choose the number.
package struct Choice: Hashable, Sendable, GameRules {
    private struct Question: Hashable {
        let thing: Thing
        let count: Int
        let numbers: [Int]
        /// The index of the number at which the player begins.
        let start: Int
    }

    /// What can be counted. Each has a short name and is easily drawn.
    package enum Thing: String, CaseIterable, Sendable { case star, ball, fish, tree, cup, bird }

    private let questions: [Question]
    package private(set) var round = 1
    package private(set) var cursor: Int
    /// The numbers that were chosen in this question and are not right; drawn with crosses.
    private var refused: Set<Int> = []
    /// A hint was given: the right number is marked.
    private var isTold = false

    private var question: Question { questions[round - 1] }
    package var thing: Thing { question.thing }
    /// How many of them, 1...20.
    package var count: Int { question.count }
    /// 3...5 numbers, ascending; one of them is `count`.
    package var numbers: [Int] { question.numbers }
    package var rounds: Int { questions.count }

    /// The number of questions and of numbers grows with the challenge, and so does the number of moves that all questions
    /// take together.
    init(_ size: LevelSize, _ random: inout LevelRandom) {
        let challenge = size.challenge
        let rounds = 2 + Int(4 * challenge)
        let choices = 3 + Int(2.99 * challenge)
        let moves = Self.distributed(
            1 + Int(14 * challenge), rounds: rounds, most: choices - 1, random: &random)
        questions = moves.map { distance in
            Self.question(choices: choices, distance: distance, challenge, &random)
        }
        cursor = questions[0].start
    }

    var game: Game { .choice(self) }

    mutating func up() -> LevelAnswer { move(by: 1) }
    mutating func down() -> LevelAnswer { move(by: -1) }

    private mutating func move(by step: Int) -> LevelAnswer {
        guard numbers.indices.contains(cursor + step) else { return .noFurther(numbers[cursor]) }
        cursor += step
        return .number(numbers[cursor])
    }

    mutating func both(givesHint: Bool) -> LevelAnswer {
        let chosen = numbers[cursor]
        guard chosen == count else {
            refused.insert(chosen)
            isTold = isTold || givesHint
            return .mistake(hint: givesHint)
        }
        guard round < rounds else { return .solved }
        round += 1
        (refused, isTold) = ([], false)
        cursor = question.start
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
        choices: Int, distance: Int, _ challenge: Float, _ random: inout LevelRandom
    ) -> Question {
        let starts = (0..<choices).filter { $0 >= distance || $0 + distance < choices }
        let start = random.element(of: starts)
        let answer = random.element(of: [start - distance, start + distance].filter((0..<choices).contains))
        let most = 4 + Int(16 * challenge)
        let count = random.number(in: max(answer + 1, 1 + Int(6 * challenge))...most)
        let smaller = random.shuffled(Array(max(1, count - choices)..<count)).prefix(answer)
        let larger = random.shuffled(Array(count + 1...count + choices)).prefix(choices - 1 - answer)
        return Question(
            thing: random.element(of: Thing.allCases), count: count,
            numbers: (smaller + [count] + larger).sorted(), start: start)
    }
}

// MARK: - Drawing

/// The things in rows of five, and the numbers below.
extension Choice {
    func drawings(_ palette: Palette) -> [Grid] {
        let (large, small) = thing.drawing
        let few = things(small, gap: 2, palette)
        let boxes = boxes(palette)
        return [
            things(large, gap: 3, palette).above(boxes, gap: 1), few.above(boxes, gap: 1),
            few.above(numbers(gap: 2, palette), gap: 1), few.above(numbers(gap: 2, palette)),
        ]
    }

    /// Rows of ten things of one character.
    func compact(_ palette: Palette, in space: Size) -> Grid {
        let rows = stride(from: 0, to: count, by: 10).map { start in
            let count = min(10, count - start)
            return count > 5
                ? "***** " + String(repeating: "*", count: count - 5) : String(repeating: "*", count: count)
        }
        return Grid(rows, palette[.yellow]).above(numbers(gap: 0, palette))
    }

    private func things(_ thing: [String], gap: Int, _ palette: Palette) -> Grid {
        stride(from: 0, to: count, by: 5).map { start in
            Array(repeating: Grid(thing, palette[.yellow]), count: min(5, count - start)).inARow(gap: gap)
        }.inAColumn()
    }

    private func numbers(gap: Int, _ palette: Palette) -> Grid {
        numbers.indices.map { number($0, here: ("[", "]"), palette) }.inARow(gap: gap)
    }

    /// A number with what marks it: the player is at it, it was refused, or a hint names it.
    private func number(_ index: Int, here: (String, String), _ palette: Palette) -> Grid {
        let (number, isHere) = (numbers[index], index == cursor)
        let isNamed = isTold && number == count
        let mark = refused.contains(number) ? "x" : isNamed ? "!" : " "
        let text = isHere ? "\(here.0)\(number)\(mark == " " ? here.1 : mark)" : "\(mark)\(number)\(mark)"
        return Grid([text], isHere ? palette.chosen : isNamed ? palette.problem : palette.title)
    }

    /// The numbers in frames; the one at which the player is has marks too.
    private func boxes(_ palette: Palette) -> Grid {
        numbers.indices.map { index in
            palette.box(
                number(index, here: (">", "<"), palette), margin: 1,
                index == cursor ? palette[.yellow] : palette.quiet)
        }.inARow(gap: 1)
    }
}

extension Choice.Thing {
    /// Three rows of five columns, and one row of three columns.
    fileprivate var drawing: (large: [String], small: [String]) {
        switch self {
        case .star: ([" \\|/ ", "--*--", " /|\\ "], ["\\*/"])
        case .ball: ([" .-. ", "(   )", " '-' "], ["( )"])
        case .fish: ([" __  ", "/o \\/", "\\__/\\"], ["><>"])
        case .tree: (["  ^  ", " /_\\ ", "  |  "], ["/^\\"])
        case .cup: (["     ", "|~~|)", "|__| "], ["|_D"])
        case .bird: ([" __  ", "<o )_", " (__/"], ["<v>"])
        }
    }
}
