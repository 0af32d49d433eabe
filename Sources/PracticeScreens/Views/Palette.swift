import CounterTUI
import Practice

/// The styles of the screens. Colour never says anything that shape and place do not say too.
struct Palette {
    let look: Look

    var title: Style { Style(.bold) }
    var quiet: Style { Style(.dim) }
    var key: Style { Style(foreground: pick(4, 33), .bold) }
    var problem: Style { Style(foreground: pick(3, 172), .bold) }
    var art: Style { Style(foreground: pick(6, 38), .bold) }
    var chosen: Style { Style(.reverse) }

    subscript(color: PuzzleView.Color) -> Style {
        switch color {
        case .red: Style(foreground: pick(1, 167), .bold)
        case .blue: Style(foreground: pick(4, 33), .bold)
        case .yellow: Style(foreground: pick(3, 178), .bold)
        case .green: Style(foreground: pick(2, 35), .bold)
        }
    }

    /// The character of a shape.
    func character(_ shape: PuzzleView.Shape) -> String {
        let isPlain = look.glyphs == .ascii
        return switch shape {
        case .circle: isPlain ? "o" : "●"
        case .square: isPlain ? "#" : "■"
        case .star: "*"
        case .triangle: isPlain ? "^" : "▲"
        }
    }

    var dot: String { look.glyphs == .ascii ? "o" : "●" }

    private func pick(_ eight: UInt8, _ many: UInt8) -> UInt8? {
        switch look.palette {
        case .none: nil
        case .eight: eight
        case .many: many
        }
    }
}
