import CounterTUI

/// Draws a level: the task above, the answer to a mistake or hint, or praise, below, and between them the largest drawing that fits.
struct LevelDrawing {
    let playing: Playing
    let palette: Palette

    init(_ playing: Playing, _ palette: Palette) {
        self.playing = playing
        self.palette = palette
    }

    func draw(_ page: inout Page, _ rows: Range<Int>) {
        let columns = page.size.columns
        let all = drawings + [compact(Size(columns: columns, rows: rows.count - 1))]
        let fitting = { (texts: Int) in
            all.first { $0.fits(Size(columns: columns, rows: rows.count - texts)) }
        }
        let answer = playing.lastAnswer.wrapped(to: columns - 2)
        let style = playing.isPraised ? palette[.green] : palette.problem
        let task = [Texts.task(playing.level.view)]
        if let sketch = fitting(2) {
            let room = max(1, rows.count - 1 - sketch.height)
            let below = answer.count <= room ? answer : [playing.lastAnswer]
            page.centre(task, from: rows.lowerBound, to: rows.upperBound, palette.quiet)
            page.centre(below, from: rows.upperBound - below.count, to: rows.upperBound, style)
            // One row stays free for an answer, so that the drawing never moves.
            page.centre(sketch, in: rows.lowerBound + 1..<rows.upperBound - max(1, below.count))
        } else if let sketch = fitting(1) {
            let above = answer.isEmpty ? task : [playing.lastAnswer]
            page.centre(above, from: rows.lowerBound, to: rows.upperBound, style)
            page.centre(sketch, in: rows.dropFirst())
        } else {
            page.centre(fitting(0) ?? all[all.count - 1], in: rows)
        }
    }

    /// The drawings from large to small.
    private var drawings: [Sketch] {
        switch playing.level.view {
        case .dice(let view): DiceDrawing(view, palette).sketches
        case .choice(let view): ChoiceDrawing(view, palette).sketches
        case .puzzle(let view): PuzzleDrawing(view, palette).sketches
        case .labyrinth(let view): LabyrinthDrawing(view, palette).sketches
        }
    }

    /// The drawing for a terminal that is too small for the others.
    private func compact(_ space: Size) -> Sketch {
        switch playing.level.view {
        case .dice(let view): DiceDrawing(view, palette).compact
        case .choice(let view): ChoiceDrawing(view, palette).compact
        case .puzzle(let view): PuzzleDrawing(view, palette).compact
        case .labyrinth(let view): LabyrinthDrawing(view, palette).compact(space)
        }
    }
}

extension Sketch {
    func fits(_ space: Size) -> Bool { width <= space.columns && height <= space.rows }
}
