/// A number in digits as large as its space allows.
///
/// In order of preference: block digits, plain digits on one line, plain digits on several lines. Where none of these
/// fits, it shows the last digits after a mark for truncation.
public struct LargeNumber: Hashable, Sendable {
    /// The glyphs of the rows, each one column wide; all rows have the same width. Empty for an empty space.
    public let rows: [[Glyph]]
    /// Whether the digits are made of blocks, and are not plain text.
    public let isLarge: Bool

    /// The largest form of `value` that fits into `space`.
    public init(_ value: Int, in space: Size, glyphs: Look.Glyphs) {
        self.init(value, in: space, glyphs: glyphs, DigitGlyphs())
    }

    /// The same with cached digits.
    init(_ value: Int, in space: Size, glyphs: Look.Glyphs, _ shapes: DigitGlyphs) {
        let digits = value.magnitude.description.compactMap(\.wholeNumberValue)
        let scale = DigitScale.largest(digits: digits.count, signed: value < 0, in: space, glyphs: glyphs)
        if let scale {
            rows = Self.blocks(digits, scale: scale, glyphs: glyphs, shapes)
            isLarge = true
        } else {
            rows = Self.plain(value, in: space, glyphs: glyphs)
            isLarge = false
        }
    }

    /// The width in columns.
    public var columns: Int { rows.first?.count ?? 0 }

    private static func blocks(
        _ digits: [Int], scale: DigitScale, glyphs: Look.Glyphs, _ shapes: DigitGlyphs
    ) -> [[Glyph]] {
        let sign = scale.sign > 0 ? [shapes.minus(scale, glyphs)] : []
        let parts = sign + digits.map { shapes.rows(of: $0, scale, glyphs) }
        let gap = repeatElement(Glyph.space, count: scale.gap)
        return (0..<scale.rows).map { row in
            var glyphs: [Glyph] = []
            glyphs.reserveCapacity(scale.columns(digits: digits.count))
            for part in parts {
                if !glyphs.isEmpty { glyphs += gap }
                glyphs += part[row]
            }
            return glyphs
        }
    }

    private static func plain(_ value: Int, in space: Size, glyphs: Look.Glyphs) -> [[Glyph]] {
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
    private static func tail(of text: [Glyph], in space: Size, glyphs: Look.Glyphs) -> [[Glyph]] {
        let mark: Glyph = glyphs == .ascii ? "*" : "…"
        let shown = [mark] + text.suffix(space.columns * space.rows - 1)
        return stride(from: 0, to: shown.count, by: space.columns).map {
            Array(shown[$0..<min($0 + space.columns, shown.count)])
        }
    }
}
