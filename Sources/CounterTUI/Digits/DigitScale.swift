/// The size of large digits: all of it in pixels, where a pixel is one column wide and, but for ASCII, half a row
/// high (a terminal's cells are twice as high as wide, so such a pixel is square).
struct DigitScale: Hashable, Sendable {
    /// Width of each digit.
    let width: Int
    /// Height of each digit.
    let height: Int
    /// What they are drawn with.
    let pen: Pen
    /// Between two digits.
    let gap: Int
    /// Width of the minus sign; 0 where there is none.
    let sign: Int
    /// Pixels to a row: 2, or 1 for ASCII.
    let pixelsPerRow: Int

    /// The largest that shows `digits` digits (1…19) in `space`; nil where even the smallest does not fit.
    static func largest(digits: Int, signed: Bool, in space: Size, glyphs: Look.Glyphs) -> DigitScale? {
        var width = space.columns / digits
        while width >= 3 {
            let scale = DigitScale(width: width, signed: signed, rows: space.rows, glyphs: glyphs)
            if let scale, scale.columns(digits: digits) <= space.columns { return scale }
            width -= 1
        }
        return nil
    }

    /// Columns that a number takes.
    func columns(digits: Int) -> Int {
        digits * (width + gap) - gap + (sign > 0 ? sign + gap : 0)
    }

    /// Rows that a number takes.
    var rows: Int { (height + pixelsPerRow - 1) / pixelsPerRow }

    // nil where the height is too small for the width: digits are tall, never squat.
    private init?(width: Int, signed: Bool, rows: Int, glyphs: Look.Glyphs) {
        let pixelsPerRow = glyphs == .ascii ? 1 : 2
        // In square pixels first: these proportions are what the eye sees.
        let tall = min(rows * 2, Int(Double(width) * 2.3))
        guard tall >= 5, Double(width) <= max(3, Double(tall) * 0.66) else { return nil }
        let weight = max(1, Int(min(Double(width) * 0.28, Double(tall) * 0.15).rounded()))
        let radius = max(Double(weight), Double(width) * 0.36)
        let bar = max(1, weight * pixelsPerRow / 2)
        // Two storeys of the same height want a height that three bars leave even.
        let height = Self.even(tall * pixelsPerRow / 2, bar: bar)
        guard height >= 5 else { return nil }

        self.width = width
        self.height = height
        self.pixelsPerRow = pixelsPerRow
        gap = max(1, Int((Double(width) * 0.2).rounded()))
        sign = signed ? max(2, Int((Double(width) * 0.6).rounded())) : 0
        pen = Pen(
            stem: weight, bar: bar, radiusX: Int(radius.rounded()),
            radiusY: max(1, Int((radius * Double(pixelsPerRow) / 2).rounded())))
    }

    private static func even(_ height: Int, bar: Int) -> Int {
        (height - 3 * bar) % 2 == 0 ? height : height - 1
    }
}
