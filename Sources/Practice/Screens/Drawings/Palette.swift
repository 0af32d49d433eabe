import CounterTUI

/// The styles of the screens. Colour never says anything that shape and place do not say too.
struct Palette {
    let look: Capabilities

    var title: Style { Style(.bold) }
    var quiet: Style { Style(.dim) }
    var key: Style { self[.blue] }
    var problem: Style { Style(foreground: pick(3, 172), .bold) }
    var chosen: Style { Style(.reverse) }

    /// A colour of drawings.
    enum Tint { case cyan, blue, yellow, green, red, magenta }

    subscript(tint: Tint) -> Style {
        switch tint {
        case .cyan: Style(foreground: pick(6, 38), .bold)
        case .blue: Style(foreground: pick(4, 33), .bold)
        case .yellow: Style(foreground: pick(3, 178), .bold)
        case .green: Style(foreground: pick(2, 35), .bold)
        case .red: Style(foreground: pick(1, 167), .bold)
        case .magenta: Style(foreground: pick(5, 133), .bold)
        }
    }

    func style(_ color: PuzzleView.Color) -> Style {
        switch color {
        case .red: self[.red]
        case .blue: self[.blue]
        case .yellow: self[.yellow]
        case .green: self[.green]
        }
    }

    var dot: String { look.glyphs == .ascii ? "o" : "●" }

    /// A pip of a large die.
    var pip: [String] {
        hasQuarters ? ["▟██▙", "▜██▛"] : look.glyphs == .halves ? ["▄██▄", "▀██▀"] : ["/##\\", "\\##/"]
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

    /// A shape of two rows of four columns.
    func large(_ shape: PuzzleView.Shape) -> [String] {
        switch shape {
        case .circle: pip
        case .square: look.glyphs == .ascii ? ["####", "####"] : ["████", "████"]
        case .star: ["\\\\//", "//\\\\"]
        case .triangle:
            hasQuarters ? [" ▟▙ ", "▟██▙"] : look.glyphs == .halves ? [" ▄▄ ", "████"] : [" /\\ ", "/__\\"]
        }
    }

    private var hasQuarters: Bool { look.glyphs == .quadrants }

    private func pick(_ eight: UInt8, _ many: UInt8) -> UInt8? {
        switch look.palette {
        case .none: nil
        case .eight: eight
        case .many: many
        }
    }
}
