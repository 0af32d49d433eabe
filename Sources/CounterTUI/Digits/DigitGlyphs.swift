/// A cache of the glyphs of large signs for one size: each sign is drawn once.
final class DigitGlyphs {
    let glyphs: Capabilities.Glyphs
    private var scale: DigitScale?
    private var signs: [UInt8: [[Glyph]]] = [:]

    init(_ glyphs: Capabilities.Glyphs) { self.glyphs = glyphs }

    /// The rows of a sign in ASCII: a digit is `scale.width` columns wide, a minus sign or a colon `scale.sign`.
    func rows(of sign: UInt8, _ scale: DigitScale) -> [[Glyph]] {
        if scale != self.scale { (self.scale, signs) = (scale, [:]) }
        if let rows = signs[sign] { return rows }
        let shapes = DigitShapes(width: scale.width, height: scale.height, pen: scale.pen)
        let width = DigitShapes.isDigit(sign) ? scale.width : scale.sign
        let pieces = shapes.pieces(of: sign, width: width)
        let rows = Bitmap(pieces, columns: width, rows: scale.rows, glyphs: glyphs).cells
        signs[sign] = rows
        return rows
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

    /// The samples that `pieces` cover.
    init(_ pieces: [Piece], columns: Int, rows: Int, glyphs: Capabilities.Glyphs) {
        (self.glyphs, self.columns, self.rows) = (glyphs, columns, rows)
        across = glyphs == .quadrants ? 2 : 1
        down = glyphs == .ascii ? 1 : 2
        bits = Array(repeating: 0, count: columns * rows)
        for piece in pieces { draw(piece) }
    }

    // A piece is sampled at the centre of each sample; samples outside of the piece's bounds are skipped.
    private mutating func draw(_ piece: Piece) {
        let scale = Double(across)
        let xs = Self.samples(
            from: piece.x.lowerBound * scale, to: piece.x.upperBound * scale, of: columns * across)
        for y in Self.samples(from: piece.y.lowerBound, to: piece.y.upperBound, of: rows * down) {
            let start = y / down * columns
            for x in xs where piece.covers((Double(x) + 0.5) / scale, Double(y) + 0.5) {
                bits[start + x / across] |= 1 << (y % down * across + x % across)
            }
        }
    }

    private static func samples(from low: Double, to high: Double, of count: Int) -> Range<Int> {
        let first = max(0, Int(low.rounded(.down)))
        return first..<max(first, min(count, Int(high.rounded(.up))))
    }

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
