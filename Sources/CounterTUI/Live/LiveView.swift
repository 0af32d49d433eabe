import Reports

/// The Live screen: occupancy and freshness of one location, or of all.
struct LiveView: TabView {
    let model: LiveViewModel
    let locations: LocationChoice
    let theme: Theme

    func draw(into screen: inout Screen, rows: Range<Int>) {
        let area = Area(
            Point(column: 1, row: rows.lowerBound),
            Size(columns: screen.grid.size.columns - 2, rows: rows.count))
        if model.isOverview(locations) {
            drawOverview(into: &screen, in: area)
        } else if let card = model.cards.first(where: { $0.id == locations.selected }) {
            LiveTileView(card: card, isNamed: locations.all.count > 1, isSelected: false, theme: theme)
                .draw(into: &screen, in: area)
        }
    }

    private func drawOverview(into screen: inout Screen, in area: Area) {
        guard !model.cards.isEmpty else { return }
        let tiling = LiveTiling(model.cards.count, in: area.size)
        let selected = model.cards.firstIndex { $0.id == locations.selected } ?? 0
        let page = tiling.page(with: selected, of: model.cards.count)
        for index in page {
            draw(model.cards[index], into: &screen, in: tile(tiling, index - page.lowerBound, area))
        }
        if page.count < model.cards.count { drawPageNumber(page, into: &screen, below: area) }
    }

    private func tile(_ tiling: LiveTiling, _ index: Int, _ area: Area) -> Area {
        let corner = tiling.corner(of: index)
        let origin = Point(column: area.origin.column + corner.column, row: area.origin.row + corner.row)
        return Area(origin, tiling.tile)
    }

    // A click anywhere on a tile enlarges it.
    private func draw(_ card: LiveCard, into screen: inout Screen, in area: Area) {
        LiveTileView(card: card, isNamed: true, isSelected: card.id == locations.selected, theme: theme)
            .draw(into: &screen, in: area)
        let columns = area.origin.column..<(area.origin.column + area.size.columns)
        for row in 0..<area.size.rows {
            screen.target(Strip(row: area.origin.row + row, columns: columns), .live(.enlarge(card.id)))
        }
    }

    private func drawPageNumber(_ page: Range<Int>, into screen: inout Screen, below area: Area) {
        let text = "\(page.lowerBound + 1)-\(page.upperBound) of \(model.cards.count)"
        screen.centre([Span(text, theme[.quiet])], row: area.origin.row + area.size.rows - 1)
    }
}
