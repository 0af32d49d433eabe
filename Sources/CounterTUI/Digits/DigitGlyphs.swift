/// A cache of the glyphs of large digits for one size: each digit is drawn once.
final class DigitGlyphs {
    /// What the glyphs of a digit depend on.
    private struct Key: Hashable {
        let scale: DigitScale
        let glyphs: Look.Glyphs
    }

    private var key: Key?
    private var digits: [Int: [[Glyph]]] = [:]
    private var minus: [[Glyph]]?

    /// The rows of a digit, 0…9, `scale.width` columns wide.
    func rows(of digit: Int, _ scale: DigitScale, _ glyphs: Look.Glyphs) -> [[Glyph]] {
        use(scale, glyphs)
        if let rows = digits[digit] { return rows }
        let shapes = DigitShapes(width: scale.width, height: scale.height, pen: scale.pen)
        let rows = Self.draw(shapes.pieces(of: digit), width: scale.width, scale, glyphs)
        digits[digit] = rows
        return rows
    }

    /// The rows of the minus sign, `scale.sign` columns wide.
    func minus(_ scale: DigitScale, _ glyphs: Look.Glyphs) -> [[Glyph]] {
        use(scale, glyphs)
        if let minus { return minus }
        let shapes = DigitShapes(width: scale.width, height: scale.height, pen: scale.pen)
        let rows = Self.draw(shapes.minus(width: scale.sign), width: scale.sign, scale, glyphs)
        minus = rows
        return rows
    }

    /// The rows of a colon, `scale.sign` columns wide.
    func colon(_ scale: DigitScale, _ glyphs: Look.Glyphs) -> [[Glyph]] {
        let shapes = DigitShapes(width: scale.width, height: scale.height, pen: scale.pen)
        return Self.draw(shapes.colon(width: scale.sign), width: scale.sign, scale, glyphs)
    }

    private func use(_ scale: DigitScale, _ glyphs: Look.Glyphs) {
        let key = Key(scale: scale, glyphs: glyphs)
        if key == self.key { return }
        (self.key, digits, minus) = (key, [:], nil)
    }

    private static func draw(
        _ pieces: [Piece], width: Int, _ scale: DigitScale, _ glyphs: Look.Glyphs
    ) -> [[Glyph]] {
        var bitmap = Bitmap(columns: width, rows: scale.rows, glyphs: glyphs)
        bitmap.draw(pieces, at: 0, width: width)
        return bitmap.cells
    }
}
