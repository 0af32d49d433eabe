/// What a player sees of a level. Screens and spoken texts are made from it.
public enum LevelView: Hashable, Sendable {
    /// `zahlen_wuerfel`.
    case dice(DiceView)
    /// `zahlen_waehle`.
    case choice(ChoiceView)
    /// `raetsel_puzzle`.
    case puzzle(PuzzleView)
    /// `raetsel_labyrinth`.
    case labyrinth(LabyrinthView)
}

/// One or two dice, and how often the player has pressed.
public struct DiceView: Hashable, Sendable {
    /// The pips of each die, 1...10; one or two dice.
    public let dice: [Int]
    /// Presses so far, 0...40.
    public internal(set) var pressed = 0

    /// The sum of the dice.
    public var pips: Int { dice.reduce(0, +) }
}

/// Some things to be counted, and the numbers to choose from.
public struct ChoiceView: Hashable, Sendable {
    /// What is shown.
    public let thing: Thing
    /// How many of them, 1...20.
    public let count: Int
    /// 3...5 numbers, ascending; one of them is `count`.
    public let numbers: [Int]
    /// The index of the number at which the player is.
    public internal(set) var cursor: Int
    /// Which question of the level, from 1.
    public internal(set) var round: Int
    /// How many questions the level has.
    public let rounds: Int

    /// What can be counted. Each has one character or more of its own on the screen.
    public enum Thing: String, CaseIterable, Sendable {
        /// Things that have a short name and are easily drawn.
        case star, ball, fish, tree, cup, bird
    }
}

/// A pattern, and the copy that the player makes of it. Cells are in rows from the top, each from the left.
public struct PuzzleView: Hashable, Sendable {
    /// Rows and columns, 3...6.
    public let size: Int
    /// How many of ``Color`` the level uses, 2...4.
    public let colorCount: Int
    /// `size` × `size` cells.
    public let pattern: [Color]
    /// `size` × `size` cells.
    public internal(set) var copy: [Color]
    /// The index of the cell at which the player is.
    public internal(set) var cursor = 0

    /// A colour, which always has the same shape too.
    public enum Color: Int, CaseIterable, Sendable {
        /// In the order in which down changes them.
        case red, blue, yellow, green

        /// The shape that is drawn in this colour.
        public var shape: Shape {
            switch self {
            case .red: .circle
            case .blue: .square
            case .yellow: .star
            case .green: .triangle
            }
        }
    }

    /// What tells colours apart without colour.
    public enum Shape: String, CaseIterable, Sendable {
        /// One for each colour.
        case circle, square, star, triangle
    }

    /// How many cells differ from the pattern.
    public var differences: Int { zip(pattern, copy).count { $0 != $1 } }
}

/// A labyrinth, the figure in it, and its goal.
public struct LabyrinthView: Hashable, Sendable {
    /// Cells in a row, 3...12.
    public let width: Int
    /// Cells in a column, 3...4.
    public let height: Int
    /// The open sides of each cell, in rows from the top. A side is open in both of its cells or in none.
    public let openings: [Set<Direction>]
    /// The index of the cell of the goal.
    public let goal: Int
    /// The index of the cell of the figure.
    public internal(set) var figure: Int
    /// Where the figure looks; always an open side.
    public internal(set) var facing: Direction
    /// The key that a hint has told, until the next key.
    public internal(set) var hint: LevelInput?

    /// A side of a cell. North is up on the screen.
    public enum Direction: Int, CaseIterable, Sendable {
        /// Clockwise.
        case north, east, south, west

        /// The next one clockwise.
        var clockwise: Direction { turned(by: 1) }
        /// The other way.
        var opposite: Direction { turned(by: 2) }

        private func turned(by quarters: Int) -> Direction {
            Direction.allCases[(rawValue + quarters) % Direction.allCases.count]
        }
    }

    /// The row of a cell, from 0 at the top, and its column, from 0 at the left.
    public func position(of cell: Int) -> (row: Int, column: Int) { (cell / width, cell % width) }
}
