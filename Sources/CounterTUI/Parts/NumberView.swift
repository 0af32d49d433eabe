/// The number, in digits that were made for its space.
struct NumberView {
    let number: LargeNumber
    /// What each of its rows looks like: the row, and how many there are.
    let style: (Int, Int) -> Style

    /// Draws it in the middle of `area`.
    func draw(into screen: inout Screen, in area: Area) {
        let left = area.origin.column + (area.size.columns - number.columns) / 2
        let top = area.origin.row + (area.size.rows - number.rows.count) / 2
        for (index, glyphs) in number.rows.enumerated() {
            let point = Point(column: left, row: top + index)
            screen.grid.put(glyphs, at: point, style(index, number.rows.count))
        }
    }

    /// Makes the whole width of `area` stand out, so that it is seen from the corner of an eye too.
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

/// A part of a screen.
struct Area: Hashable {
    /// Its top left corner.
    let origin: Point
    /// Its columns and rows.
    let size: Size

    init(_ origin: Point, _ size: Size) {
        self.origin = origin
        self.size = size
    }

    /// The whole width of some rows.
    init(rows: Range<Int>, columns: Int) {
        self.init(Point(column: 0, row: rows.lowerBound), Size(columns: columns, rows: rows.count))
    }
}
