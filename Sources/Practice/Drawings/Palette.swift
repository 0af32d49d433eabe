import CounterTUI

/// Styles and characters as the terminal has them. Colour never says anything that shape and place do not say too.
struct Palette {
    let look: Capabilities

    var title: Style { Style(.bold) }
    var quiet: Style { Style(.dim) }
    var key: Style { self[.blue] }
    var problem: Style { Style(foreground: look.pick(3, 172), .bold) }
    var chosen: Style { Style(.reverse) }

    enum Tint { case cyan, blue, yellow, green, red, magenta }

    subscript(tint: Tint) -> Style {
        switch tint {
        case .cyan: Style(foreground: look.pick(6, 38), .bold)
        case .blue: Style(foreground: look.pick(4, 33), .bold)
        case .yellow: Style(foreground: look.pick(3, 178), .bold)
        case .green: Style(foreground: look.pick(2, 35), .bold)
        case .red: Style(foreground: look.pick(1, 167), .bold)
        case .magenta: Style(foreground: look.pick(5, 133), .bold)
        }
    }

    var dot: String { look.glyphs == .ascii ? "o" : "●" }
    var ring: String { look.glyphs == .ascii ? "." : "○" }

    var pip: [String] {
        switch look.glyphs {
        case .quadrants: ["▟██▙", "▜██▛"]
        case .halves: ["▄██▄", "▀██▀"]
        case .ascii: ["/##\\", "\\##/"]
        }
    }

    // MARK: Lines

    func box(width: Int, height: Int, _ style: Style) -> Grid {
        let corners: [String] =
            switch look.glyphs {
            case .quadrants: ["╭", "╮", "╰", "╯"]
            case .halves: ["┌", "┐", "└", "┘"]
            case .ascii: ["+", "+", "+", "+"]
            }
        let bar = String(repeating: across, count: width)
        let middle = down + String(repeating: " ", count: width) + down
        return Grid(
            [corners[0] + bar + corners[1]] + Array(repeating: middle, count: height)
                + [corners[2] + bar + corners[3]], style)
    }

    func box(_ inside: Grid, margin: Int, _ style: Style) -> Grid {
        var box = box(width: inside.width + 2 * margin, height: inside.height, style)
        box.draw(inside, at: Point(column: 1 + margin, row: 1))
        return box
    }

    /// The character where walls meet, by the sides at which there is one.
    func joint(north: Bool, east: Bool, south: Bool, west: Bool) -> String {
        guard look.glyphs != .ascii else { return north || east || south || west ? "+" : " " }
        let number = (north ? 1 : 0) + (east ? 2 : 0) + (south ? 4 : 0) + (west ? 8 : 0)
        return String(Array(" ╵╶└╷│┌├╴┘─┴┐┤┬┼")[number])
    }

    var across: String { look.glyphs == .ascii ? "-" : "─" }
    var down: String { look.glyphs == .ascii ? "|" : "│" }
}
