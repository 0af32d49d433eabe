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
        guard model.flash else { return }
        for row in rows {
            screen.grid.restyle(Strip(row: row, columns: 0..<size.columns), \.reversed)
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
