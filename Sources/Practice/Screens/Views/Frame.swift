import CounterTUI

/// The characters of lines, as the terminal's font has them.
struct Frame {
    private let glyphs: Capabilities.Glyphs

    init(_ glyphs: Capabilities.Glyphs) { self.glyphs = glyphs }

    /// A frame around a free space.
    func box(width: Int, height: Int, _ style: Style) -> Sketch {
        let corners: (String, String, String, String) =
            switch glyphs {
            case .quadrants: ("╭", "╮", "╰", "╯")
            case .halves: ("┌", "┐", "└", "┘")
            case .ascii: ("+", "+", "+", "+")
            }
        let bar = String(repeating: glyphs == .ascii ? "-" : "─", count: width)
        let side = glyphs == .ascii ? "|" : "│"
        let middle = side + String(repeating: " ", count: width) + side
        return Sketch(
            [corners.0 + bar + corners.1] + Array(repeating: middle, count: height)
                + [corners.2 + bar + corners.3], style)
    }

    /// A frame around a sketch.
    func box(_ inside: Sketch, margin: Int, _ style: Style) -> Sketch {
        var box = box(width: inside.width + 2 * margin, height: inside.height, style)
        box.put(inside, row: 1, column: 1 + margin)
        return box
    }

    /// The character where walls meet, by the sides at which there is one.
    func joint(north: Bool, east: Bool, south: Bool, west: Bool) -> Character {
        guard glyphs != .ascii else { return north || east || south || west ? "+" : " " }
        let number = (north ? 1 : 0) + (east ? 2 : 0) + (south ? 4 : 0) + (west ? 8 : 0)
        return Array(" ╵╶└╷│┌├╴┘─┴┐┤┬┼")[number]
    }

    var across: Character { glyphs == .ascii ? "-" : "─" }
    var down: Character { glyphs == .ascii ? "|" : "│" }
}
