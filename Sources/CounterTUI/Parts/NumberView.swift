import CounterModel

/// Draws the number, in digits that were sized for its space.
struct NumberView {
    let number: LargeNumber
    /// The style of each row, from the row's index and the number of rows.
    let style: (Int, Int) -> Style

    /// Draws the number in the middle of `area`. Where a number of the same shape stands there, only the digits that
    /// differ are drawn.
    func draw(into frame: inout Frame, in area: Area, over before: LargeNumber? = nil) {
        var column = area.origin.column + (area.size.columns - number.columns) / 2
        let top = area.origin.row + (area.size.rows - number.height) / 2
        for (index, part) in number.parts.enumerated() {
            if part != before?.parts[index] {
                for (row, glyphs) in part.enumerated() {
                    let point = Point(column: column, row: top + row)
                    frame.grid.put(glyphs, at: point, style(row, number.height))
                }
            }
            column += LargeNumber.columns(part)
        }
    }

    /// Highlights the whole width of `area`, so that the flash is visible from the corner of the eye.
    func flash(into frame: inout Frame, in area: Area) {
        for (row, strip) in area.strips.enumerated() {
            frame.grid.restyle(strip, style(row, area.size.rows).reversed)
        }
    }
}

/// How far a count is on its way to a target, or to a capacity: `██████░░░░  12 of 50  38 left`.
struct ProgressBar {
    private let count: Int
    private let whole: Int
    private let style: Style
    private let facts: [Span]
    private let theme: Theme

    private static let widest = 40
    private static let least = 5

    init(count: Int, target: Int, theme: Theme) {
        (self.count, whole, self.theme) = (count, target, theme)
        let isReached = count >= target
        style = theme[isReached ? .ok : .ins]
        facts = [
            Span("\(count) of \(target)", theme[.caption]),
            isReached
                ? Span("target reached", theme[.ok])
                : Span("\(Int128(target) - Int128(count)) left", theme[.label]),
        ]
    }

    /// nil for a tally.
    init?(capacityOf state: CounterState, theme: Theme) {
        guard let capacity = state.maxCapacity, let left = state.placesLeft, let status = state.status else {
            return nil
        }
        (count, whole, self.theme) = (state.currentCount, capacity, theme)
        style = theme.digits(status)
        facts = [Span("\(count) of \(whole)", theme[.caption]), Span("\(left) left", theme[.label])]
    }

    /// One line of at most `columns` columns; the bar is left out first, then what is left.
    func line(columns: Int) -> [Span] {
        let text = facts.joined(by: Span("  "))
        let width = min(Self.widest, columns - text.columns - 2)
        guard width >= Self.least else { return text.columns <= columns ? text : Array(facts.prefix(1)) }
        let filled = Int(Int128(max(0, min(count, whole))) * Int128(width) / Int128(whole))
        return theme.bar(filled, of: width, style) + [Span("  ")] + text
    }
}
