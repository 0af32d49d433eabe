import CounterTUI

/// Draws `raetsel_puzzle`: the pattern, and the copy beside it.
struct PuzzleDrawing {
    let view: PuzzleView
    let palette: Palette

    init(_ view: PuzzleView, _ palette: Palette) {
        self.view = view
        self.palette = palette
    }

    var sketches: [Sketch] {
        let arrow = Sketch(["->"], palette.quiet)
        return [
            both(large).map { Frame(palette.look.glyphs).box($0, margin: 1, palette.quiet) }
                .joined(by: Sketch(["==>"], palette.quiet), gap: 3),
            both(large).joined(by: Sketch(["==>"], palette.quiet), gap: 2),
            both(small).joined(by: arrow, gap: 3), both(small).joined(by: arrow, gap: 1),
        ]
    }

    /// The row of the pattern at which the player is, the same row of the copy, and which one it is.
    var compact: Sketch {
        let row = view.cursor / view.size
        return [
            Sketch(["row \(row + 1) of \(view.size)"], palette.quiet),
            self.row(row, of: view.pattern, cursor: nil, small),
            self.row(row, of: view.copy, cursor: view.cursor, small),
        ].inAColumn()
    }

    private func both(_ cell: (PuzzleView.Color, Bool) -> Sketch) -> [Sketch] {
        [(view.pattern, nil), (view.copy, view.cursor)].map { cells, cursor in
            (0..<view.size).map { row($0, of: cells, cursor: cursor, cell) }.inAColumn()
        }
    }

    private func row(
        _ row: Int, of cells: [PuzzleView.Color], cursor: Int?, _ cell: (PuzzleView.Color, Bool) -> Sketch
    ) -> Sketch {
        (row * view.size..<(row + 1) * view.size).map { cell(cells[$0], $0 == cursor) }.inARow(gap: 0)
    }

    private func small(_ color: PuzzleView.Color, isHere: Bool) -> Sketch {
        let character = palette.character(color.shape)
        return isHere
            ? Sketch(["[\(character)]"], palette.style(color).reversed)
            : Sketch([" \(character) "], palette.style(color))
    }

    /// Six columns and three rows; the cell at which the player is has brackets and a line below.
    private func large(_ color: PuzzleView.Color, isHere: Bool) -> Sketch {
        let shape = Sketch(palette.large(color.shape), palette.style(color))
        let left = Sketch(isHere ? ["[", "["] : [" ", " "], palette.title)
        let right = Sketch(isHere ? ["]", "]"] : [" ", " "], palette.title)
        return left.beside(shape, gap: 0).beside(right, gap: 0).above(
            Sketch([isHere ? " ^^^^ " : "      "], palette.title))
    }
}

extension [Sketch] {
    /// The first and the second, with a third one between them.
    fileprivate func joined(by middle: Sketch, gap: Int) -> Sketch {
        self[0].beside(middle, gap: gap).beside(self[1], gap: gap)
    }
}
