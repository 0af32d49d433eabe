/// A number in digits as large as its space allows.
///
/// In order of preference: block digits, plain digits on one line, plain digits on several lines. Where none of these
/// fits, it shows the last digits after a mark for truncation.
package struct LargeNumber: Hashable, Sendable {
    /// The digits and the gaps between them, from left to right: the rows of each, all of one width.
    let parts: [[[Glyph]]]

    /// The largest form of `value` that fits into `space`.
    package init(_ value: Int, in space: Size, glyphs: Capabilities.Glyphs) {
        self.init(value, in: space, DigitGlyphs(glyphs))
    }

    /// The same with cached digits.
    init(_ value: Int, in space: Size, _ digits: DigitGlyphs) {
        parts = Self.blocks(String(value), in: space, digits) ?? [Self.plain(value, in: space, digits.glyphs)]
    }

    /// A clock such as `4:32` or `1:04:32`; nil where large digits do not fit.
    init?(clock text: String, in space: Size, glyphs: Capabilities.Glyphs) {
        guard let blocks = Self.blocks(text, in: space, DigitGlyphs(glyphs)) else { return nil }
        parts = blocks
    }

    /// The glyphs of the rows, each one column wide; all rows have the same width. Empty for an empty space.
    package var rows: [[Glyph]] { (0..<height).map { row in parts.flatMap { $0[row] } } }

    var height: Int { parts.first?.count ?? 0 }

    package var columns: Int { parts.reduce(0) { $0 + Self.columns($1) } }

    static func columns(_ part: [[Glyph]]) -> Int { part.first?.count ?? 0 }

    /// Whether each part takes the same cells as in `other`.
    func hasShape(of other: LargeNumber) -> Bool {
        height == other.height && parts.map(Self.columns) == other.parts.map(Self.columns)
    }

    private static func blocks(_ text: String, in space: Size, _ digits: DigitGlyphs) -> [[[Glyph]]]? {
        let signs = text.utf8.count { !DigitShapes.isDigit($0) }
        // One sign is reserved, so the others, colons, take the room of a digit.
        let count = text.utf8.count - signs + max(0, signs - 1)
        guard
            let scale = DigitScale.largest(
                digits: count, signed: signs > 0, in: space, glyphs: digits.glyphs)
        else { return nil }
        let gap = Array(repeating: Array(repeating: Glyph.space, count: scale.gap), count: scale.rows)
        var parts: [[[Glyph]]] = []
        for sign in text.utf8 {
            if !parts.isEmpty { parts.append(gap) }
            parts.append(digits.rows(of: sign, scale))
        }
        return parts
    }

    private static func plain(_ value: Int, in space: Size, _ glyphs: Capabilities.Glyphs) -> [[Glyph]] {
        guard space.columns > 0, space.rows > 0 else { return [] }
        let text = String(value).utf8.map(Glyph.init(ascii:))
        let needed = (text.count + space.columns - 1) / space.columns
        guard needed <= space.rows else { return tail(of: text, in: space, glyphs: glyphs) }
        // Rows of nearly equal length, longer ones first: 19 digits become 10 and 9, not 18 and 1.
        let length = (text.count + needed - 1) / needed
        return stride(from: 0, to: text.count, by: length).map { start in
            let row = text[start..<min(start + length, text.count)]
            return row + Array(repeating: .space, count: length - row.count)
        }
    }

    // The first cell marks the truncation: a 4 alone would be read as the count.
    private static func tail(of text: [Glyph], in space: Size, glyphs: Capabilities.Glyphs) -> [[Glyph]] {
        let mark: Glyph = glyphs == .ascii ? "*" : "…"
        let shown = [mark] + text.suffix(space.columns * space.rows - 1)
        return stride(from: 0, to: shown.count, by: space.columns).map {
            Array(shown[$0..<min($0 + space.columns, shown.count)])
        }
    }
}

/// The size of large digits in pixels. A pixel is one column wide and half a row high, so it is square, because a
/// terminal's cells are twice as high as wide. In ASCII a pixel is a whole cell.
struct DigitScale: Hashable, Sendable {
    let width: Int
    let height: Int
    let pen: Pen
    let gap: Int
    /// Width of the minus sign or a colon; 0 for none.
    let sign: Int
    /// Pixels per row: 2, or 1 in ASCII.
    let pixelsPerRow: Int

    /// The largest size that shows `digits` digits (1…19) in `space`; nil where even the smallest does not fit.
    static func largest(digits: Int, signed: Bool, in space: Size, glyphs: Capabilities.Glyphs) -> DigitScale?
    {
        var width = space.columns / digits
        while width >= 3 {
            let scale = DigitScale(width: width, signed: signed, rows: space.rows, glyphs: glyphs)
            if let scale, scale.columns(digits: digits) <= space.columns { return scale }
            width -= 1
        }
        return nil
    }

    func columns(digits: Int) -> Int {
        digits * (width + gap) - gap + (sign > 0 ? sign + gap : 0)
    }

    var rows: Int { (height + pixelsPerRow - 1) / pixelsPerRow }

    // nil where the height is too small for the width: digits are never wider than high.
    private init?(width: Int, signed: Bool, rows: Int, glyphs: Capabilities.Glyphs) {
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

        (self.width, self.height, self.pixelsPerRow) = (width, height, pixelsPerRow)
        gap = max(1, Int((Double(width) * 0.2).rounded()))
        sign = signed ? max(2, Int((Double(width) * 0.6).rounded())) : 0
        pen = Pen(
            stem: weight, bar: bar, radiusX: radius.rounded(),
            radiusY: max(1, (radius * Double(pixelsPerRow) / 2).rounded()))
    }

    private static func even(_ height: Int, bar: Int) -> Int {
        (height - 3 * bar) % 2 == 0 ? height : height - 1
    }
}
