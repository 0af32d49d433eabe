/// Draws the number, in digits that were sized for its space.
struct NumberView {
    let number: LargeNumber
    /// The style of each row, from the row's index and the number of rows.
    let style: (Int, Int) -> Style

    /// Draws the number in the middle of `area`. Where a number of the same shape stands there, only the digits that
    /// differ are drawn.
    func draw(into screen: inout Screen, in area: Area, over before: LargeNumber? = nil) {
        var column = area.origin.column + (area.size.columns - number.columns) / 2
        let top = area.origin.row + (area.size.rows - number.height) / 2
        for (index, part) in number.parts.enumerated() {
            if part != before?.parts[index] {
                for (row, glyphs) in part.enumerated() {
                    let point = Point(column: column, row: top + row)
                    screen.grid.put(glyphs, at: point, style(row, number.height))
                }
            }
            column += LargeNumber.columns(part)
        }
    }

    /// Highlights the whole width of `area`, so that the flash is visible from the corner of the eye.
    func flash(into screen: inout Screen, in area: Area) {
        for row in 0..<area.size.rows {
            let strip = Strip(
                row: area.origin.row + row,
                columns: area.origin.column..<(area.origin.column + area.size.columns))
            let style = style(row, area.size.rows).reversed
            screen.grid.restyle(strip) { _ in style }
        }
    }
}

/// A rectangle of the screen.
struct Area: Hashable {
    /// Its top left corner.
    let origin: Point
    /// Its columns and rows.
    let size: Size

    init(_ origin: Point, _ size: Size) {
        self.origin = origin
        self.size = size
    }

    /// The whole width of a range of rows.
    init(rows: Range<Int>, columns: Int) {
        self.init(Point(column: 0, row: rows.lowerBound), Size(columns: columns, rows: rows.count))
    }
}
