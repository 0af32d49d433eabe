import CounterTUI

/// Draws `zahlen_wuerfel`: the dice, and a dot for each press.
struct DiceDrawing {
    let view: DiceView
    let palette: Palette

    init(_ view: DiceView, _ palette: Palette) {
        self.view = view
        self.palette = palette
    }

    var sketches: [Sketch] {
        let large = view.dice.map(largeDie).inARow(gap: 4)
        let dots = Sketch([Self.groups(view.pressed, palette.dot)], palette.title)
        let number = LargeNumber(
            view.pressed, in: Size(columns: 14, rows: 5), glyphs: palette.look.glyphs)
        let digits = Sketch(number.rows.map { String($0.map(\.character)) }, palette[.yellow])
        let plain = dots.above(Sketch(["\(view.pressed)"], palette.title))
        return [
            large.above(dots, gap: 1).above(digits, gap: 1), large.above(plain, gap: 1),
            view.dice.map(die).inARow(gap: 2).above(plain),
        ]
    }

    /// Rows of ten dots.
    var compact: Sketch {
        let rows = stride(from: 0, to: view.pips, by: 10).map {
            Self.groups(min(10, view.pips - $0), palette.dot)
        }
        return Sketch(rows, palette[.cyan]).above(Sketch(["= \(view.pressed)"], palette.title))
    }

    /// Dots in groups of five.
    private static func groups(_ count: Int, _ dot: String) -> String {
        stride(from: 0, to: count, by: 5).map { String(repeating: dot, count: min(5, count - $0)) }
            .joined(separator: " ")
    }

    /// A die of five rows.
    private func die(_ pips: Int) -> Sketch {
        let inside = Self.rows(pips).map { count in
            Sketch(
                [Array(repeating: palette.dot, count: count).joined(separator: count == 2 ? "   " : " ")],
                palette[.cyan])
        }
        return die(inside, width: 9, gap: 0)
    }

    /// A die whose pips have two rows.
    private func largeDie(_ pips: Int) -> Sketch {
        let inside = Self.rows(pips).map { count in
            Array(repeating: Sketch(palette.pip, palette[.cyan]), count: count)
                .inARow(gap: count == 2 ? 8 : 2)
        }
        return die(inside.map { $0.height == 0 ? .blank(width: 0, height: 2) : $0 }, width: 28, gap: 1)
    }

    private func die(_ rows: [Sketch], width: Int, gap: Int) -> Sketch {
        let pips = rows.inAColumn(gap: gap).above(.blank(width: width, height: 0))
        let margin = Sketch.blank(width: width, height: gap)
        return Frame(palette.look.glyphs).box(
            margin.above(pips).above(margin), margin: 0, palette[.cyan])
    }

    /// The pips of three rows.
    private static func rows(_ pips: Int) -> [Int] {
        switch pips {
        case ..<4: [0, pips, 0]
        case 4: [2, 0, 2]
        case 5: [2, 1, 2]
        case 6: [3, 0, 3]
        case 7: [3, 1, 3]
        case 8: [3, 2, 3]
        case 9: [3, 3, 3]
        default: [3, 4, 3]
        }
    }
}
