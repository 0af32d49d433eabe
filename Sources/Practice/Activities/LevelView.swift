/// What a player sees of a level. Screens and spoken texts are made from it.
package enum LevelView: Hashable, Sendable {
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
package struct DiceView: Hashable, Sendable {
    /// The pips of each die, 1...10; one or two dice.
    package let dice: [Int]
    /// Presses so far, 0...40.
    package internal(set) var pressed = 0

    /// The sum of the dice.
    package var pips: Int { dice.reduce(0, +) }
}

/// Some things to be counted, and the numbers to choose from.
package struct ChoiceView: Hashable, Sendable {
    /// What is shown.
    package let thing: Thing
    /// How many of them, 1...20.
    package let count: Int
    /// 3...5 numbers, ascending; one of them is `count`.
    package let numbers: [Int]
    /// The index of the number at which the player is.
    package internal(set) var cursor: Int
    /// Which question of the level, from 1.
    package internal(set) var round: Int
    /// How many questions the level has.
    package let rounds: Int

    /// What can be counted. Each has one character or more of its own on the screen.
    package enum Thing: String, CaseIterable, Sendable {
        /// Things that have a short name and are easily drawn.
        case star, ball, fish, tree, cup, bird
    }
}

/// A pattern, and the copy that the player makes of it. Cells are in rows from the top, each from the left.
package struct PuzzleView: Hashable, Sendable {
    /// Rows and columns, 3...6.
    package let size: Int
    /// How many of ``Color`` the level uses, 2...4.
    package let colorCount: Int
    /// `size` × `size` cells.
    package let pattern: [Color]
    /// `size` × `size` cells.
    package internal(set) var copy: [Color]
    /// The index of the cell at which the player is.
    package internal(set) var cursor = 0

    /// A colour, which always has the same shape too.
    package enum Color: Int, CaseIterable, Sendable {
        /// In the order in which down changes them.
        case red, blue, yellow, green

        /// The shape that is drawn in this colour.
        package var shape: Shape {
            switch self {
            case .red: .circle
            case .blue: .square
            case .yellow: .star
            case .green: .triangle
            }
        }
    }

    /// What tells colours apart without colour.
    package enum Shape: String, CaseIterable, Sendable {
        /// One for each colour.
        case circle, square, star, triangle
    }

    /// How many cells differ from the pattern.
    package var differences: Int { zip(pattern, copy).count { $0 != $1 } }
}

/// A labyrinth, the figure in it, and its goal.
package struct LabyrinthView: Hashable, Sendable {
    /// Cells in a row, 3...12.
    package let width: Int
    /// Cells in a column, 3...4.
    package let height: Int
    /// The open sides of each cell, in rows from the top. A side is open in both of its cells or in none.
    package let openings: [Set<Direction>]
    /// The index of the cell of the goal.
    package let goal: Int
    /// The index of the cell of the figure.
    package internal(set) var figure: Int
    /// Where the figure looks; always an open side.
    package internal(set) var facing: Direction
    /// The key that a hint has told, until the next key.
    package internal(set) var hint: LevelInput?

    /// A side of a cell. North is up on the screen.
    package enum Direction: Int, CaseIterable, Sendable {
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
    package func position(of cell: Int) -> (row: Int, column: Int) { (cell / width, cell % width) }
}
