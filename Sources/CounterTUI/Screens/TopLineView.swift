import Linux

/// The top line: the tabs at the left, and the count at the right end.
struct TopLineView {
    let model: ScreensViewModel
    let theme: Theme

    func draw(into screen: inout Screen) {
        let start = drawCount(into: &screen)
        let behindTabs = drawTabs(into: &screen, before: start - 1)
        drawLocation(into: &screen, between: behindTabs + 2, and: start - 2)
    }

    /// Draws only the count.
    ///
    /// - Returns: the column where it begins.
    @discardableResult
    func drawCount(into screen: inout Screen) -> Int {
        let caption = Caption(model.count.level, columns: screen.grid.size.columns)
        let start = screen.grid.size.columns - caption.text.count
        screen.write([Span(caption.text, theme[.caption])], at: Point(column: start, row: 0))
        return start
    }

    // A tab that does not fit completely is left out; its number key still works. Where the location or the selected tab needs
    // the room, only the selected one keeps its name; where that is too much, it is alone and a number.
    private func drawTabs(into screen: inout Screen, before limit: Int) -> Int {
        let location = location.map { 2 + min(Self.leastName, CharacterWidth.columns($0)) } ?? 0
        let long = tabs { _ in true }
        let needed = location == 0 ? Array(long.prefix(model.selected + 1)).columns : long.columns + location
        let fits = needed <= limit
        let short = tabs { $0 == model.selected }
        // On a narrow terminal the location matters more than the name of the screen.
        let isAlone = location > 0 && Array(short.prefix(model.selected + 1)).columns + 5 > limit
        var column = 0
        for span in isAlone ? [tabs { _ in false }[model.selected]] : fits ? long : short {
            guard column + span.columns <= limit else { break }
            screen.write([span], at: Point(column: column, row: 0))
            column += span.columns
        }
        return isAlone ? column - 1 : column
    }

    private func tabs(isNamed: (Int) -> Bool) -> [Span] {
        model.tabs.enumerated().map { index, tab in
            let style = theme[index == model.selected ? .selectedTab : .tab]
            let name = isNamed(index) ? "\(tab.rawValue) " : ""
            return Span(" \(index + 1) \(name)", style, .selectTab(index))
        }
    }

    /// The columns that a location's name keeps beside the names of the tabs.
    private static let leastName = 8

    /// The name of the location; nil where it is not shown.
    private var location: String? { model.count.location?.sanitised }

    // A click on the name selects the next location. The capacity is left out first.
    private func drawLocation(into screen: inout Screen, between start: Int, and end: Int) {
        let capacity = model.count.capacity.map { "\($0.percentage) % of \($0.places)" }
        let whole = [location, capacity].compactMap(\.self).joined(separator: "  ")
        guard !whole.isEmpty, end - start >= 4 else { return }
        let fits = CharacterWidth.columns(whole) <= end - start
        guard let text = fits ? whole : location?.truncated(to: end - start, ellipsis: theme.look.ellipsis)
        else { return }
        let next = model.locations.following(1).map { Intent.selectLocation($0.id) }
        let column = end - CharacterWidth.columns(text)
        screen.write([Span(text, theme[.location], next)], at: Point(column: column, row: 0))
    }
}
