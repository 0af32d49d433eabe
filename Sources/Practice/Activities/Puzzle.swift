import CounterTUI

/// `raetsel_puzzle`: copy the pattern. The copy begins with the first colour everywhere.
///
/// Cells are in rows from the top, each from the left.
package struct Puzzle: Hashable, Sendable, GameRules {
    /// In the order in which down changes them. A colour always has the same shape too, which tells it apart without colour.
    package enum Color: Int, CaseIterable, Sendable {
        case red, blue, yellow, green

        var shape: String { ["circle", "square", "star", "triangle"][rawValue] }
    }

    /// Rows and columns, 3...6.
    package let size: Int
    /// How many of ``Color`` the level uses, 2...4.
    package let colorCount: Int
    package let pattern: [Color]
    package private(set) var copy: [Color]
    package private(set) var cursor = 0
    /// The first cell that differed when the player said that it was done; marked until it is right.
    package private(set) var wrong: Int?

    /// The number of cells in another than the first colour grows with the challenge, from 2 to 24.
    init(_ size: LevelSize, _ random: inout LevelRandom) {
        let cells = size.puzzleGridSize * size.puzzleGridSize
        let colors = Array(Color.allCases.prefix(size.puzzleColorCount))
        var pattern = Array(repeating: colors[0], count: cells)
        let changed = 2 + Int(22 * size.labyrinthComplexity)
        for cell in random.shuffled(Array(pattern.indices)).prefix(min(changed, cells)) {
            pattern[cell] = random.element(of: Array(colors.dropFirst()))
        }
        self.size = size.puzzleGridSize
        colorCount = colors.count
        self.pattern = pattern
        copy = Array(repeating: colors[0], count: cells)
    }

    var game: Game { .puzzle(self) }

    mutating func up() -> LevelAnswer {
        cursor = (cursor + 1) % pattern.count
        return .cell
    }

    mutating func down() -> LevelAnswer {
        copy[cursor] = Color.allCases[(copy[cursor].rawValue + 1) % colorCount]
        if wrong == cursor, copy[cursor] == pattern[cursor] { wrong = nil }
        return .color(copy[cursor])
    }

    mutating func both(givesHint: Bool) -> LevelAnswer {
        wrong = pattern.indices.first { pattern[$0] != copy[$0] }
        return wrong == nil ? .solved : .mistake(hint: givesHint)
    }

    var missing: Int { zip(pattern, copy).count { $0 != $1 } }
}

// MARK: - Drawing

/// The pattern, and the copy beside it.
extension Puzzle {
    private typealias CellDrawing = (_ color: Color, _ isHere: Bool, _ isWrong: Bool) -> Grid

    func drawings(_ palette: Palette) -> [Grid] {
        let (thin, thick) = (Grid(["->"], palette.quiet), Grid(["==>"], palette.quiet))
        let (small, large) = (both(palette.small), both(palette.large))
        return [
            large.map { palette.box($0, margin: 1, palette.quiet) }.joined(by: thick, gap: 3),
            large.joined(by: thick, gap: 2), small.joined(by: thin, gap: 3), small.joined(by: thin, gap: 1),
        ]
    }

    /// The row of the pattern at which the player is, the same row of the copy, and which one it is.
    func compact(_ palette: Palette, in space: Size) -> Grid {
        let row = cursor / size
        return [
            Grid(["row \(row + 1) of \(size)"], palette.quiet),
            self.row(row, of: pattern, cursor: nil, palette.small),
            self.row(row, of: copy, cursor: cursor, palette.small),
        ].inAColumn()
    }

    private func both(_ cell: CellDrawing) -> [Grid] {
        [(pattern, nil), (copy, cursor)].map { cells, cursor in
            (0..<size).map { row($0, of: cells, cursor: cursor, cell) }.inAColumn()
        }
    }

    private func row(_ row: Int, of cells: [Color], cursor: Int?, _ cell: CellDrawing) -> Grid {
        (row * size..<(row + 1) * size).map { cell(cells[$0], $0 == cursor, $0 == wrong) }.inARow(gap: 0)
    }
}

extension Palette {
    private typealias CellLook = (style: Style, small: String, large: [String])

    /// The colour; its shape as one character, and as two rows of four columns.
    private func look(of color: Puzzle.Color) -> CellLook {
        let isPlain = look.glyphs == .ascii
        return switch color {
        case .red: (self[.red], isPlain ? "o" : "●", pip)
        case .blue: (self[.blue], isPlain ? "#" : "■", isPlain ? ["####", "####"] : ["████", "████"])
        case .yellow: (self[.yellow], "*", ["\\\\//", "//\\\\"])
        case .green: (self[.green], isPlain ? "^" : "▲", triangle)
        }
    }

    private var triangle: [String] {
        switch look.glyphs {
        case .quadrants: [" ▟▙ ", "▟██▙"]
        case .halves: [" ▄▄ ", "████"]
        case .ascii: [" /\\ ", "/__\\"]
        }
    }

    /// Three columns and one row; the cell at which the player is has brackets, a wrong one exclamation marks.
    fileprivate func small(_ color: Puzzle.Color, isHere: Bool, isWrong: Bool) -> Grid {
        let (style, shape, _) = look(of: color)
        let (left, right) = Self.sides(isHere, isWrong)
        return Grid([left + shape + right], isHere ? style.reversed : style)
    }

    /// Six columns and three rows; the cell at which the player is has a line below too.
    fileprivate func large(_ color: Puzzle.Color, isHere: Bool, isWrong: Bool) -> Grid {
        let (style, _, shape) = look(of: color)
        let (left, right) = Self.sides(isHere, isWrong)
        let sides = [left, right].map { Grid([$0, $0], isWrong ? problem : title) }
        return [sides[0], Grid(shape, style), sides[1]].inARow(gap: 0)
            .above(Grid([isHere ? " ^^^^ " : "      "], title))
    }

    private static func sides(_ isHere: Bool, _ isWrong: Bool) -> (String, String) {
        (isHere ? "[" : isWrong ? "!" : " ", isWrong ? "!" : isHere ? "]" : " ")
    }
}

extension [Grid] {
    /// The first and the second, with a third one between them.
    fileprivate func joined(by middle: Grid, gap: Int) -> Grid {
        [self[0], middle, self[1]].inARow(gap: gap)
    }
}
