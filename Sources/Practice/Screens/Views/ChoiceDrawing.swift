import CounterTUI

/// Draws `zahlen_waehle`: the things in rows of five, and the numbers below.
struct ChoiceDrawing {
    let view: ChoiceView
    let palette: Palette

    init(_ view: ChoiceView, _ palette: Palette) {
        self.view = view
        self.palette = palette
    }

    var sketches: [Sketch] {
        let small = things(view.thing.small, gap: 2)
        return [
            things(view.thing.large, gap: 3).above(boxes, gap: 1), small.above(boxes, gap: 1),
            small.above(numbers(gap: 2), gap: 1), small.above(numbers(gap: 2)),
        ]
    }

    /// Rows of ten things of one character.
    var compact: Sketch {
        let rows = stride(from: 0, to: view.count, by: 10).map { start in
            let count = min(10, view.count - start)
            return count > 5
                ? "***** " + String(repeating: "*", count: count - 5) : String(repeating: "*", count: count)
        }
        return Sketch(rows, palette[.yellow]).above(numbers(gap: 0))
    }

    private func things(_ thing: [String], gap: Int) -> Sketch {
        stride(from: 0, to: view.count, by: 5).map { start in
            Array(repeating: Sketch(thing, palette[.yellow]), count: min(5, view.count - start)).inARow(
                gap: gap)
        }.inAColumn()
    }

    private func numbers(gap: Int) -> Sketch {
        view.numbers.enumerated().map { index, number in
            index == view.cursor
                ? Sketch(["[\(number)]"], palette.chosen) : Sketch([" \(number) "], palette.title)
        }.inARow(gap: gap)
    }

    /// The numbers in frames; the one at which the player is has marks too.
    private var boxes: Sketch {
        view.numbers.enumerated().map { index, number in
            let isHere = index == view.cursor
            let text = isHere ? ">\(number)<" : " \(number) "
            return Frame(palette.look.glyphs).box(
                Sketch([text], isHere ? palette.chosen : palette.title), margin: 1,
                isHere ? palette[.yellow] : palette.quiet)
        }.inARow(gap: 1)
    }
}
