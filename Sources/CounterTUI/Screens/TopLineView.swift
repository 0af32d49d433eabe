import System

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

    // A tab that does not fit completely is left out; its number key still works.
    private func drawTabs(into screen: inout Screen, before limit: Int) -> Int {
        var column = 0
        for (index, tab) in model.tabs.enumerated() {
            let style = theme[index == model.selected ? .selectedTab : .tab]
            let span = Span(" \(index + 1) \(tab.rawValue) ", style, .selectTab(index))
            guard column + span.columns <= limit else { break }
            screen.write([span], at: Point(column: column, row: 0))
            column += span.columns
        }
        return column
    }

    private func drawLocation(into screen: inout Screen, between start: Int, and end: Int) {
        guard let location = model.count.location, end - start >= 4 else { return }
        let name = location.sanitised.truncated(to: end - start, ellipsis: theme.look.ellipsis)
        let column = end - CharacterWidth.columns(name)
        screen.write([Span(name, theme[.location])], at: Point(column: column, row: 0))
    }
}
