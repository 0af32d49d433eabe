/// A number in digits as large as its space allows.
///
/// From large to small: digits of blocks, plain digits on one line, plain digits on several lines, and where not
/// even those fit, the last digits behind a mark that says so.
public struct LargeNumber: Hashable, Sendable {
    /// The glyphs of its rows, each one column wide; all rows of the same width. None in an empty space.
    public let rows: [[Glyph]]
    /// Whether they are digits made of blocks, and not plain text.
    public let isLarge: Bool

    /// The largest form of `value` that fits into `space`.
    public init(_ value: Int, in space: Size, glyphs: Look.Glyphs) {
        self.init(value, in: space, glyphs: glyphs, DigitGlyphs())
    }

    /// The same, of digits that are there already where they have been drawn in this size before.
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

    /// The columns that it takes.
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
        // Rows as even as possible, the longer ones first: 19 digits are 10 and 9, not 18 and 1.
        let length = (text.count + needed - 1) / needed
        return stride(from: 0, to: text.count, by: length).map { start in
            let row = text[start..<min(start + length, text.count)]
            return row + Array(repeating: .space, count: length - row.count)
        }
    }

    // The first cell says that something is missing: a 4 alone would be read as the count.
    private static func tail(of text: [Glyph], in space: Size, glyphs: Look.Glyphs) -> [[Glyph]] {
        let mark: Glyph = glyphs == .ascii ? "*" : "…"
        let shown = [mark] + text.suffix(space.columns * space.rows - 1)
        return stride(from: 0, to: shown.count, by: space.columns).map {
            Array(shown[$0..<min($0 + space.columns, shown.count)])
        }
    }
}
