import CounterTUI

/// What the four games have in common: the three keys, and how they are drawn.
///
/// Everything in a game can be seen by the player, except for the questions that follow.
protocol GameRules {
    var game: Game { get }

    mutating func up() -> LevelAnswer
    mutating func down() -> LevelAnswer
    /// `givesHint`: a mistake is answered with what to do.
    mutating func both(givesHint: Bool) -> LevelAnswer

    /// How many presses, or cells, the solution still takes; 0 where telling would be the solution.
    var missing: Int { get }

    /// The drawings from large to small.
    func drawings(_ palette: Palette) -> [Grid]
    /// The drawing for a terminal that is too small for the others.
    func compact(_ palette: Palette, in space: Size) -> Grid
}

extension GameRules {
    var missing: Int { 0 }
}

package enum Game: Hashable, Sendable {
    case dice(Dice)
    case choice(Choice)
    case puzzle(Puzzle)
    case labyrinth(Labyrinth)

    init(_ activity: ActivityType, _ size: LevelSize, _ random: inout LevelRandom) {
        self =
            switch activity {
            case .zahlenWuerfel: .dice(Dice(size, &random))
            case .zahlenWaehle: .choice(Choice(size, &random))
            case .raetselPuzzle: .puzzle(Puzzle(size, &random))
            case .raetselLabyrinth: .labyrinth(Labyrinth(size, &random))
            }
    }

    var rules: any GameRules {
        switch self {
        case .dice(let game): game
        case .choice(let game): game
        case .puzzle(let game): game
        case .labyrinth(let game): game
        }
    }

    mutating func take(_ input: LevelInput, givesHint: Bool) -> LevelAnswer {
        var rules = rules
        defer { self = rules.game }
        return switch input {
        case .up: rules.up()
        case .down: rules.down()
        case .both: rules.both(givesHint: givesHint)
        }
    }
}
