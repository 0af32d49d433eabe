/// Turns the difference between two screens into the bytes that make a terminal show the second.
///
/// It keeps what the terminal was sent before: cells and style.
struct Painter {
    private let sequences: DrawingSequences
    private let isShowable: (Glyph) -> Bool
    private var shown: Grid?
    /// Nil where it is not known.
    private var style: Style?
    /// Nil where it is not known, as after a character in the last column.
    private var cursor: Point?
    private var bytes: [UInt8] = []

    /// A painter for a terminal of which nothing is known.
    ///
    /// - Parameters:
    ///   - sequences: the terminal's.
    ///   - isShowable: whether a glyph that is not ASCII takes as many columns there as in a grid; a `?` stands
    ///     for one that does not, so that all cells behind it stay in place.
    init(_ sequences: DrawingSequences, isShowable: @escaping (Glyph) -> Bool) {
        self.sequences = sequences
        self.isShowable = isShowable
    }

    /// Forgets what the terminal shows: the next screen is painted whole.
    mutating func forget() {
        shown = nil
        style = nil
    }

    /// What makes the terminal show `grid`; empty where it does.
    mutating func paint(_ grid: Grid) -> [UInt8] {
        bytes = []
        cursor = nil
        let known = shown?.size == grid.size ? shown : nil
        if known == nil {
            begin(.plain)
            send(sequences.clear)
        }
        let before = known ?? Grid(size: grid.size)
        for row in 0..<grid.size.rows where grid.row(row) != before.row(row) {
            paint(row, of: grid, over: before)
        }
        shown = grid
        if sequences.showsCursor, !bytes.isEmpty { move(to: Point(column: 0, row: grid.size.rows - 1)) }
        return bytes
    }

    // Most cells of a row that changes stay as they are: only those between the first and the last that differ are
    // looked at closely.
    private mutating func paint(_ row: Int, of grid: Grid, over before: Grid) {
        let isCut = row == grid.size.rows - 1 && sequences.scrollsAtLastCell
        let cells = grid.row(row).dropLast(isCut ? 1 : 0)
        let changed = RowChanges.span(from: before.row(row), to: cells)
        let (old, new) = (showable(before.row(row), changed), showable(cells, changed))
        // What is blank up to the right edge is cleared at once.
        let textEnd = sequences.clearToEndOfRow == nil ? cells.count : Self.textEnd(of: cells)
        let end = max(0, min(new.count, textEnd - changed.lowerBound))
        for run in RowChanges.runs(from: old, to: new, end: end) {
            move(to: Point(column: changed.lowerBound + run.lowerBound, row: row))
            for cell in new[run] { put(cell, columns: grid.size.columns) }
        }
        guard let clear = sequences.clearToEndOfRow, new[end...] != old[end...] else { return }
        move(to: Point(column: changed.lowerBound + end, row: row))
        begin(.plain)
        send(clear)
    }

    private static func textEnd(of cells: ArraySlice<Cell>) -> Int {
        cells.lastIndex { $0.glyph != .space || $0.style.marksSpaces }.map { $0 + 1 - cells.startIndex } ?? 0
    }

    /// The cells of some columns of a row as the terminal shows them.
    private func showable(_ row: ArraySlice<Cell>, _ columns: Range<Int>) -> [Cell] {
        var cells = Array(row[(row.startIndex + columns.lowerBound)..<(row.startIndex + columns.upperBound)])
        for column in cells.indices {
            guard let glyph = cells[column].glyph else { continue }
            if glyph == .space, !cells[column].style.marksSpaces { cells[column] = .blank }
            if glyph.isASCII || isShowable(glyph) { continue }
            cells[column].glyph = "?"
            if column + 1 < cells.count, cells[column + 1].glyph == nil { cells[column + 1].glyph = .space }
        }
        return cells
    }

    // MARK: - Sending

    private mutating func put(_ cell: Cell, columns: Int) {
        guard let glyph = cell.glyph, let place = cursor else { return }
        // A blank looks the same in most styles.
        if cell != .blank || style?.marksSpaces != false { begin(cell.style) }
        glyph.write(to: &bytes)
        let next = place.column + glyph.columns
        cursor = next < columns ? Point(column: next, row: place.row) : nil
    }

    private mutating func move(to point: Point) {
        if cursor == point { return }
        send(sequences.cursor(to: point))
        cursor = point
    }

    private mutating func begin(_ style: Style) {
        if self.style == style { return }
        send(sequences.change(from: self.style, to: style))
        self.style = style
    }

    private mutating func send(_ text: String) { bytes += text.utf8 }
}

/// Which cells of a row have to be written again.
enum RowChanges {
    /// About what moving the cursor costs, in bytes: a gap of unchanged cells that costs no more is written too.
    private static let smallGap = 6

    /// The columns from the first that differs to the last, and one more on each side, where the other half of a wide
    /// character may be.
    static func span(from old: ArraySlice<Cell>, to new: ArraySlice<Cell>) -> Range<Int> {
        func differs(_ column: Int) -> Bool { old[old.startIndex + column] != new[new.startIndex + column] }
        guard let first = (0..<new.count).first(where: differs) else { return 0..<0 }
        let last = (0..<new.count).last(where: differs) ?? first
        return max(0, first - 1)..<min(new.count, last + 2)
    }

    /// The columns before `end` that differ, in runs from left to right.
    static func runs(from old: [Cell], to new: [Cell], end: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for column in 0..<end where new[column] != old[column] {
            if let last = runs.last, isSmall(new[last.upperBound..<column], new[column].style) {
                runs[runs.count - 1] = last.lowerBound..<column + 1
            } else {
                runs.append(column..<column + 1)
            }
        }
        return runs
    }

    private static func isSmall(_ gap: ArraySlice<Cell>, _ style: Style) -> Bool {
        gap.allSatisfy { $0.style == style || $0 == .blank && !style.marksSpaces }
            && gap.reduce(0) { $0 + ($1.glyph?.bytes ?? 0) } <= smallGap
    }
}

extension Style {
    /// Whether it can be seen of a space.
    fileprivate var marksSpaces: Bool { !attributes.isDisjoint(with: [.reverse, .underline]) }
}
