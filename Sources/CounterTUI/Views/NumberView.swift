/// The number, as large as its rows allow.
struct NumberView {
    let model: CountViewModel
    let theme: Theme

    /// Draws it in the middle of `rows`.
    func draw(into screen: inout Screen, rows: Range<Int>) {
        let size = screen.grid.size
        let number = LargeNumber(
            model.level, in: Size(columns: size.columns, rows: rows.count), glyphs: theme.look.glyphs)
        draw(number, into: &screen, top: rows.lowerBound + (rows.count - number.lines.count) / 2)
        if model.flash { flash(into: &screen, rows: rows) }
    }

    // The whole width of the rows, so that it is seen from the corner of an eye too.
    private func flash(into screen: inout Screen, rows: Range<Int>) {
        for row in rows {
            let style = theme.digits(row: row - rows.lowerBound, of: rows.count, level: model.level).reversed
            screen.grid.restyle(Strip(row: row, columns: 0..<screen.grid.size.columns)) { _ in style }
        }
    }

    private func draw(_ number: LargeNumber, into screen: inout Screen, top: Int) {
        let left = (screen.grid.size.columns - number.columns) / 2
        for (index, line) in number.lines.enumerated() {
            let style = theme.digits(row: index, of: number.lines.count, level: model.level)
            screen.grid.write(line, at: Point(column: left, row: top + index), style)
        }
    }
}
