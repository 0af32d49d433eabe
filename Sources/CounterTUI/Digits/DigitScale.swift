/// The size of large digits in pixels. A pixel is one column wide and half a row high, so it is square, because a
/// terminal's cells are twice as high as wide. In ASCII a pixel is a whole cell.
struct DigitScale: Hashable, Sendable {
    /// Width of each digit.
    let width: Int
    /// Height of each digit.
    let height: Int
    /// The pen that draws them.
    let pen: Pen
    /// The gap between two digits.
    let gap: Int
    /// Width of the minus sign; 0 for none.
    let sign: Int
    /// Pixels per row: 2, or 1 in ASCII.
    let pixelsPerRow: Int

    /// The largest size that shows `digits` digits (1…19) in `space`; nil where even the smallest does not fit.
    static func largest(digits: Int, signed: Bool, in space: Size, glyphs: Look.Glyphs) -> DigitScale? {
        var width = space.columns / digits
        while width >= 3 {
            let scale = DigitScale(width: width, signed: signed, rows: space.rows, glyphs: glyphs)
            if let scale, scale.columns(digits: digits) <= space.columns { return scale }
            width -= 1
        }
        return nil
    }

    /// Columns of a number with `digits` digits.
    func columns(digits: Int) -> Int {
        digits * (width + gap) - gap + (sign > 0 ? sign + gap : 0)
    }

    /// Rows of a number.
    var rows: Int { (height + pixelsPerRow - 1) / pixelsPerRow }

    // nil where the height is too small for the width: digits are never wider than high.
    private init?(width: Int, signed: Bool, rows: Int, glyphs: Look.Glyphs) {
        let pixelsPerRow = glyphs == .ascii ? 1 : 2
        // First in square pixels: these are the proportions on the screen.
        let tall = min(rows * 2, Int(Double(width) * 2.3))
        guard tall >= 5, Double(width) <= max(3, Double(tall) * 0.66) else { return nil }
        let weight = max(1, Int(min(Double(width) * 0.28, Double(tall) * 0.15).rounded()))
        let radius = max(Double(weight), Double(width) * 0.36)
        let bar = max(1, weight * pixelsPerRow / 2)
        // For two storeys of equal height, the height without three bars must be even.
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
