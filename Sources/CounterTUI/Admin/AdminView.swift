import CounterModel

/// The Admin screen: the selected location, the devices and the ended days, in one list.
///
/// ```
///  <  North door  2/3   12 of 120        ada, admin    location, user (AdminHeadView)
///  Location                                            headings
///    Name           North door                         rows: one is chosen
///  Devices
///    AB Shutter3    North door    connected    counts
///  Ended days
///    2026-11-20 03:00:00 to 2026-11-21 03:00:00
///      final 12, in 340, out 328, highest 80
/// ```
struct AdminView: TabView {
    let model: AdminViewModel
    let locations: LocationChoice
    let theme: Theme

    func draw(into screen: inout Screen, rows: Range<Int>) {
        let columns = screen.grid.size.columns - 2
        AdminHeadView(model: model, locations: locations, theme: theme)
            .draw(into: &screen, row: rows.lowerBound)
        let lines = AdminLines(model: model, theme: theme, columns: columns).all
        let space = rows.dropFirst()
        for (row, line) in zip(space, lines.dropFirst(start(of: lines, in: space.count))) {
            screen.write(
                line.spans.truncated(to: columns, ellipsis: theme.look.ellipsis),
                at: Point(column: 1, row: row))
        }
    }

    /// The first visible line: the selected row is about in the middle where not all lines fit.
    private func start(of lines: [AdminLines.Line], in rows: Int) -> Int {
        let chosen = lines.firstIndex { $0.row == model.cursor } ?? 0
        return min(max(0, chosen - rows / 2), max(0, lines.count - rows))
    }
}
