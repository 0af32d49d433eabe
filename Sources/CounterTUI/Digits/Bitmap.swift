/// Pixels, and the characters that stand for them.
struct Bitmap {
    private let glyphs: Look.Glyphs
    private let columns: Int
    private let rows: Int
    // Samples across and down in one cell; a sample is one bit of what the cell's character shows.
    private let across: Int
    private let down: Int
    private var samples: [Bool]

    /// A bitmap of empty cells.
    init(columns: Int, rows: Int, glyphs: Look.Glyphs) {
        self.glyphs = glyphs
        self.columns = columns
        self.rows = rows
        across = glyphs == .quadrants ? 2 : 1
        down = glyphs == .ascii ? 1 : 2
        samples = Array(repeating: false, count: columns * rows * across * down)
    }

    /// Sets what `pieces` cover, in pixels from `column` on, `width` columns wide.
    mutating func draw(_ pieces: [Piece], at column: Int, width: Int) {
        for y in 0..<(rows * down) {
            for x in 0..<(width * across) {
                let px = (Double(x) + 0.5) / Double(across)
                let py = Double(y) + 0.5
                guard pieces.contains(where: { $0.covers(px, py) }) else { continue }
                samples[y * columns * across + column * across + x] = true
            }
        }
    }

    /// One text per row, each `columns` long.
    var lines: [String] {
        (0..<rows).map { row in String((0..<columns).map { character(column: $0, row: row) }) }
    }

    private func character(column: Int, row: Int) -> Character {
        switch glyphs {
        case .ascii: sample(column, row) ? "#" : " "
        case .halves: Self.halves[bits(column, row)]
        case .quadrants: Self.quadrants[bits(column, row)]
        }
    }

    // Upper left is bit 0, then to the right, then down.
    private func bits(_ column: Int, _ row: Int) -> Int {
        var bits = 0
        for y in 0..<down {
            for x in 0..<across where sample(column * across + x, row * down + y) {
                bits |= 1 << (y * across + x)
            }
        }
        return bits
    }

    private func sample(_ x: Int, _ y: Int) -> Bool { samples[y * columns * across + x] }

    private static let halves: [Character] = [" ", "▀", "▄", "█"]
    private static let quadrants: [Character] = [
        " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
    ]
}
