/// A level of an activity as a state machine: inputs change what is shown, until it is solved or quit.
///
/// The same arguments make the same level on every machine.
package struct Level: Hashable, Sendable {
    /// The activity.
    package let activity: ActivityType
    /// What the player sees now.
    package var view: LevelView { game.view }
    /// Whether it runs, or how it ended.
    package private(set) var phase = Phase.playing
    /// Mistakes so far.
    package private(set) var mistakes = 0
    /// Hints so far, asked for or given.
    package private(set) var hints = 0

    private var game: Game
    private let mistakesBeforeHint: Int

    /// Whether a level runs, or how it ended.
    package enum Phase: Hashable, Sendable {
        /// It takes inputs.
        case playing
        /// The player solved it.
        case solved
        /// The player ended it without a solution.
        case quit
    }

    /// Makes a level.
    ///
    /// - Parameters:
    ///   - activity: The activity.
    ///   - seed: Which of its levels of this size.
    ///   - difficulty: 0.0...1.0, ``ActivityProgress/currentDifficulty``.
    ///   - number: The number of the level, from 1.
    ///   - mistakesBeforeHint: At which mistake a hint is given, ``LearningProfile/mistakesBeforeHint``.
    package init(
        _ activity: ActivityType, seed: UInt64, difficulty: Float, number: Int, mistakesBeforeHint: Int = 3
    ) {
        self.activity = activity
        self.mistakesBeforeHint = mistakesBeforeHint
        game = Game(
            activity, size: LevelSize(difficulty: difficulty, level: number), random: LevelRandom(seed: seed))
    }

    /// Takes an input, and says what it did.
    package mutating func take(_ input: LevelInput) -> LevelAnswer {
        guard phase == .playing else { return .ended }
        if input == .bothHeld {
            phase = .quit
            return .quit
        }
        let answer = game.take(input, givesHint: mistakes + 1 >= mistakesBeforeHint)
        switch answer {
        case .solved: phase = .solved
        case .hint: hints += 1
        case .mistake(let mistake):
            mistakes += 1
            hints += mistake.hint ? 1 : 0
        case .pressed, .number, .noFurther, .nextQuestion, .cell, .color, .turned, .walked, .quit, .ended:
            break
        }
        return answer
    }
}

extension LevelAnswer.Mistake {
    /// Whether a hint was given with it.
    var hint: Bool {
        switch self {
        case .count(_, _, let hint), .choice(_, _, let hint), .pattern(_, _, let hint): hint
        case .deadEnd: false
        }
    }
}

/// The state of one of the activities.
private enum Game: Hashable, Sendable {
    case dice(DiceLevel)
    case choice(ChoiceLevel)
    case puzzle(PuzzleLevel)
    case labyrinth(LabyrinthLevel)

    init(_ activity: ActivityType, size: LevelSize, random: LevelRandom) {
        self =
            switch activity {
            case .zahlenWuerfel: .dice(DiceLevel(size: size, random: random))
            case .zahlenWaehle: .choice(ChoiceLevel(size: size, random: random))
            case .raetselPuzzle: .puzzle(PuzzleLevel(size: size, random: random))
            case .raetselLabyrinth: .labyrinth(LabyrinthLevel(size: size, random: random))
            }
    }

    var view: LevelView {
        switch self {
        case .dice(let level): .dice(level.view)
        case .choice(let level): .choice(level.view)
        case .puzzle(let level): .puzzle(level.view)
        case .labyrinth(let level): .labyrinth(level.view)
        }
    }

    mutating func take(_ input: LevelInput, givesHint: Bool) -> LevelAnswer {
        switch self {
        case .dice(var level):
            defer { self = .dice(level) }
            return level.take(input, givesHint: givesHint)
        case .choice(var level):
            defer { self = .choice(level) }
            return level.take(input, givesHint: givesHint)
        case .puzzle(var level):
            defer { self = .puzzle(level) }
            return level.take(input, givesHint: givesHint)
        case .labyrinth(var level):
            defer { self = .labyrinth(level) }
            return level.take(input)
        }
    }
}
