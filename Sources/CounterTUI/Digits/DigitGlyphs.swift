/// A cache of the glyphs of large digits for one size: each digit is drawn once.
final class DigitGlyphs {
    /// What the glyphs of a digit depend on.
    private struct Key: Hashable {
        let scale: DigitScale
        let glyphs: Capabilities.Glyphs
    }

    private var key: Key?
    private var digits: [Int: [[Glyph]]] = [:]
    private var minus: [[Glyph]]?

    /// The rows of a digit, 0…9, `scale.width` columns wide.
    func rows(of digit: Int, _ scale: DigitScale, _ glyphs: Capabilities.Glyphs) -> [[Glyph]] {
        use(scale, glyphs)
        if let rows = digits[digit] { return rows }
        let shapes = DigitShapes(width: scale.width, height: scale.height, pen: scale.pen)
        let rows = Self.draw(shapes.pieces(of: digit), width: scale.width, scale, glyphs)
        digits[digit] = rows
        return rows
    }

    /// The rows of the minus sign, `scale.sign` columns wide.
    func minus(_ scale: DigitScale, _ glyphs: Capabilities.Glyphs) -> [[Glyph]] {
        use(scale, glyphs)
        if let minus { return minus }
        let shapes = DigitShapes(width: scale.width, height: scale.height, pen: scale.pen)
        let rows = Self.draw(shapes.minus(width: scale.sign), width: scale.sign, scale, glyphs)
        minus = rows
        return rows
    }

    /// The rows of a colon, `scale.sign` columns wide.
    func colon(_ scale: DigitScale, _ glyphs: Capabilities.Glyphs) -> [[Glyph]] {
        let shapes = DigitShapes(width: scale.width, height: scale.height, pen: scale.pen)
        return Self.draw(shapes.colon(width: scale.sign), width: scale.sign, scale, glyphs)
    }

    private func use(_ scale: DigitScale, _ glyphs: Capabilities.Glyphs) {
        let key = Key(scale: scale, glyphs: glyphs)
        if key == self.key { return }
        (self.key, digits, minus) = (key, [:], nil)
    }

    private static func draw(
        _ pieces: [Piece], width: Int, _ scale: DigitScale, _ glyphs: Capabilities.Glyphs
    ) -> [[Glyph]] {
        var bitmap = Bitmap(columns: width, rows: scale.rows, glyphs: glyphs)
        bitmap.draw(pieces, at: 0, width: width)
        return bitmap.cells
    }
}

/// Pixels, and the characters that represent them.
struct Bitmap {
    private let glyphs: Capabilities.Glyphs
    private let columns: Int
    private let rows: Int
    // Samples across and down in one cell; each sample is one bit of the cell's character.
    private let across: Int
    private let down: Int
    /// The set samples of each cell: the upper left one is bit 0, then to the right, then down.
    private var bits: [Int]

    init(columns: Int, rows: Int, glyphs: Capabilities.Glyphs) {
        self.glyphs = glyphs
        self.columns = columns
        self.rows = rows
        across = glyphs == .quadrants ? 2 : 1
        down = glyphs == .ascii ? 1 : 2
        bits = Array(repeating: 0, count: columns * rows)
    }

    /// Sets the samples that `pieces` cover, in pixels from `column`, clipped to `width` columns.
    mutating func draw(_ pieces: [Piece], at column: Int, width: Int) {
        for piece in pieces { draw(piece, at: column, width: width) }
    }

    // A piece is sampled at the centre of each sample; samples outside of the piece's bounds are skipped.
    private mutating func draw(_ piece: Piece, at column: Int, width: Int) {
        let (left, right) = piece.horizontal
        let (top, bottom) = piece.vertical
        let xs = Self.samples(from: left * Double(across), to: right * Double(across), of: width * across)
        for y in Self.samples(from: top, to: bottom, of: rows * down) {
            let start = y / down * columns + column
            for x in xs where piece.covers((Double(x) + 0.5) / Double(across), Double(y) + 0.5) {
                bits[start + x / across] |= 1 << (y % down * across + x % across)
            }
        }
    }

    private static func samples(from low: Double, to high: Double, of count: Int) -> Range<Int> {
        let first = max(0, Int(low.rounded(.down)))
        return first..<max(first, min(count, Int(high.rounded(.up))))
    }

    /// The glyphs of each row, `columns` of them.
    var cells: [[Glyph]] {
        let table = Self.table(glyphs)
        return (0..<rows).map { row in bits[(row * columns)..<((row + 1) * columns)].map { table[$0] } }
    }

    private static func table(_ glyphs: Capabilities.Glyphs) -> [Glyph] {
        switch glyphs {
        case .ascii: ascii
        case .halves: halves
        case .quadrants: quadrants
        }
    }

    private static let ascii: [Glyph] = [" ", "#"]
    private static let halves: [Glyph] = [" ", "▀", "▄", "█"]
    private static let quadrants: [Glyph] = [
        " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
    ]
}
