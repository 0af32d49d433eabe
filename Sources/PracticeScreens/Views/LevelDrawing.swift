import CounterTUI
import Practice

/// Draws a level.
struct LevelDrawing {
    let playing: Playing
    let palette: Palette

    init(_ playing: Playing, _ palette: Palette) {
        self.playing = playing
        self.palette = palette
    }

    func draw(_ page: inout Page, _ rows: Range<Int>) {
        switch playing.level.view {
        case .dice(let view): draw(view, &page, rows)
        case .choice(let view): draw(view, &page, rows)
        case .puzzle(let view): draw(view, &page, rows)
        case .labyrinth(let view): draw(view, &page, rows)
        }
    }

    /// The task above, the answer to the last mistake or hint below.
    private func drawTexts(_ page: inout Page, _ rows: Range<Int>, height: Int) -> Int {
        let last = playing.lastAnswer
        let isWorthReading = playing.level.mistakes + playing.level.hints > 0
        let hasRoom = height + 1 < rows.count
        if hasRoom { page.centre(Texts.task(playing.level.view), row: rows.lowerBound, palette.quiet) }
        if isWorthReading, height + 2 < rows.count {
            page.centre(last, row: rows.upperBound - 1, palette.problem)
        }
        let first = rows.lowerBound + (hasRoom ? 1 : 0)
        return first + max(0, (rows.upperBound - 1 - first - height) / 2)
    }

    // MARK: Dice

    private func draw(_ view: DiceView, _ page: inout Page, _ rows: Range<Int>) {
        let dice = view.dice.map(die)
        let lines = dice[0].indices.map { row in dice.map { $0[row] }.joined(separator: "  ") }
        var row = drawTexts(&page, rows, height: lines.count + 2)
        row = page.centre(lines, from: row, to: rows.upperBound, palette.art)
        page.centre(presses(view.pressed, columns: page.size.columns - 4), row: row, palette.title)
        page.centre("\(view.pressed)", row: row + 1, palette.title)
    }

    private func die(_ pips: Int) -> [String] {
        let rows = Drawings.pips(pips)
        let filled = rows.count < 3 ? (rows.count == 1 ? [0] + rows + [0] : [rows[0], 0, rows[1]]) : rows
        let inside = filled.map { count in
            let dots = Array(repeating: palette.dot, count: count).joined(separator: count == 2 ? "   " : " ")
            let free = 9 - CharacterWidth.columns(dots)
            let left = String(repeating: " ", count: free / 2)
            return "|" + left + dots + String(repeating: " ", count: free - free / 2) + "|"
        }
        return ["+---------+"] + inside + ["+---------+"]
    }

    /// One dot for each press, in groups of five.
    private func presses(_ count: Int, columns: Int) -> String {
        let groups = stride(from: 0, to: count, by: 5).map {
            String(repeating: palette.dot, count: min(5, count - $0))
        }
        return groups.joined(separator: " ").truncated(to: columns, ellipsis: "~")
    }

    // MARK: Choice

    private func draw(_ view: ChoiceView, _ page: inout Page, _ rows: Range<Int>) {
        let thing = Drawings.of(view.thing)
        let lines = stride(from: 0, to: view.count, by: 5).map { start in
            Array(repeating: thing, count: min(5, view.count - start)).joined(separator: "  ")
        }
        var row = drawTexts(&page, rows, height: lines.count + 2)
        row = page.centre(lines, from: row, to: rows.upperBound, palette.art)
        let width = view.numbers.reduce(0) { $0 + String($1).count + 4 }
        var point = Point(column: max(0, (page.size.columns - width) / 2), row: row + 1)
        for (index, number) in view.numbers.enumerated() {
            let isHere = index == view.cursor
            point.column = page.write(
                isHere ? "[ \(number) ]" : "  \(number)  ", at: point, isHere ? palette.chosen : .plain)
        }
    }

    // MARK: Puzzle

    private func draw(_ view: PuzzleView, _ page: inout Page, _ rows: Range<Int>) {
        let top = drawTexts(&page, rows, height: view.size)
        let width = view.size * 3
        let gap = page.size.columns >= 2 * width + 9 ? 7 : 3
        let left = max(0, (page.size.columns - 2 * width - gap) / 2)
        draw(view.pattern, view, cursor: nil, at: Point(column: left, row: top), &page)
        page.write(
            gap == 7 ? "  ->   " : " > ", at: Point(column: left + width, row: top + view.size / 2),
            palette.quiet)
        draw(view.copy, view, cursor: view.cursor, at: Point(column: left + width + gap, row: top), &page)
    }

    private func draw(
        _ cells: [PuzzleView.Color], _ view: PuzzleView, cursor: Int?, at origin: Point, _ page: inout Page
    ) {
        for (index, color) in cells.enumerated() {
            let point = Point(
                column: origin.column + index % view.size * 3, row: origin.row + index / view.size)
            let character = palette.character(color.shape)
            let isHere = index == cursor
            page.write(
                isHere ? "[\(character)]" : " \(character) ", at: point,
                isHere ? palette[color].reversed : palette[color])
        }
    }

    // MARK: Labyrinth

    private func draw(_ view: LabyrinthView, _ page: inout Page, _ rows: Range<Int>) {
        let height = 2 * view.height + 1
        let top = drawTexts(&page, rows, height: height)
        let left = max(0, (page.size.columns - 3 * view.width - 1) / 2)
        for (row, line) in LabyrinthText(view).lines.enumerated() where top + row < rows.upperBound {
            page.write(line, at: Point(column: left, row: top + row))
        }
        let cells = [
            (view.goal, "*", palette.problem),
            (view.figure, LabyrinthText.arrow(view.facing), palette.chosen),
        ]
        for (cell, character, style) in cells {
            let (row, column) = view.position(of: cell)
            page.write(character, at: Point(column: left + 3 * column + 1, row: top + 2 * row + 1), style)
        }
    }
}

/// The walls of a labyrinth in ASCII: a cell is two columns and one row, with a wall on each side that is not open.
struct LabyrinthText {
    let view: LabyrinthView

    init(_ view: LabyrinthView) { self.view = view }

    var lines: [String] {
        (0..<view.height).flatMap { row in [wall(above: row), cells(row)] } + [bottom]
    }

    static func arrow(_ direction: LabyrinthView.Direction) -> String {
        switch direction {
        case .north: "^"
        case .east: ">"
        case .south: "v"
        case .west: "<"
        }
    }

    private func isOpen(_ row: Int, _ column: Int, _ side: LabyrinthView.Direction) -> Bool {
        view.openings[row * view.width + column].contains(side)
    }

    private func wall(above row: Int) -> String {
        (0..<view.width).map { isOpen(row, $0, .north) ? "+  " : "+--" }.joined() + "+"
    }

    private func cells(_ row: Int) -> String {
        (0..<view.width).map { isOpen(row, $0, .west) ? "   " : "|  " }.joined() + "|"
    }

    private var bottom: String { String(repeating: "+--", count: view.width) + "+" }
}
