/// Draws the whole terminal: the top line, the selected tab below it, and the overlay.
package struct ScreensView: Sendable {
    private let model: ScreensViewModel
    private let look: Look

    /// A view of `model` for a terminal that can show `look`.
    package init(_ model: ScreensViewModel, look: Look) {
        self.model = model
        self.look = look
    }

    /// The screen at `size`. Every size works; an empty one has no cells.
    package func draw(size: Size) -> Screen { draw(size: size, DigitGlyphs()).screen }

    /// The same with cached digits. Also returns the layout of the Count screen, where nothing but that is shown.
    func draw(size: Size, _ digits: DigitGlyphs) -> (screen: Screen, plan: CountLayout?) {
        var screen = Screen(size: size)
        let theme = Theme(look: look)
        let count = CountView(model: model.count, theme: theme, digits: digits)
        if Screen.isNumberAlone(at: size) {
            let number = LargeNumber(model.count.level, in: size, glyphs: look.glyphs, digits)
            count.draw(number, into: &screen, rows: 0..<size.rows)
            return (screen, nil)
        }
        TopLineView(model: model, theme: theme).draw(into: &screen)
        if model.tab == .count {
            let plan = count.draw(into: &screen, commonKeys: model.commonKeys)
            drawOverlay(into: &screen, theme)
            return (screen, model.overlay == nil ? plan : nil)
        }
        drawTab(into: &screen, theme)
        drawOverlay(into: &screen, theme)
        return (screen, nil)
    }

    /// Draws a changed count over the last screen, which has the layout `plan` and shows `level`; nothing else may have
    /// changed.
    ///
    /// - Returns: false where the whole screen has to be drawn.
    func redrawCount(
        _ plan: CountLayout, over screen: inout Screen, showing level: Int, _ digits: DigitGlyphs
    ) -> Bool {
        let theme = Theme(look: look)
        TopLineView(model: model, theme: theme).drawCount(into: &screen)
        return CountView(model: model.count, theme: theme, digits: digits)
            .redraw(plan, over: &screen, showing: level)
    }

    private func drawTab(into screen: inout Screen, _ theme: Theme) {
        switch model.tab {
        case .count: break
        case .live:
            draw(LiveView(model: model.live, locations: model.locations, theme: theme), into: &screen, theme)
        case .history:
            draw(
                HistoryView(model: model.history, locations: model.locations, theme: theme), into: &screen,
                theme)
        case .admin:
            draw(
                AdminView(model: model.admin, locations: model.locations, theme: theme), into: &screen, theme)
        case .timers: draw(TimersView(model: model.timers, theme: theme), into: &screen, theme)
        }
    }

    /// Draws a tab, with the alerts and its keys at the bottom.
    private func draw(_ view: some TabView, into screen: inout Screen, _ theme: Theme) {
        let size = screen.grid.size
        let footer =
            AlertLines(model: model.count, theme: theme).lines(in: size)
            + KeyLine(model.tabKeys(in: size), common: model.commonKeys, theme: theme)
            .lines(columns: size.columns)
        let rows = 1..<(1 + model.area(in: size).rows)
        view.draw(into: &screen, rows: rows)
        for (row, line) in zip(rows.upperBound..., footer) { line.draw(into: &screen, row: row) }
    }

    private func drawOverlay(into screen: inout Screen, _ theme: Theme) {
        switch model.overlay {
        case .help:
            let keys = HelpText(
                theme: theme, bindings: model.tabKeys(in: screen.grid.size) + model.commonKeys)
            OverlayView(title: "Help", theme: theme, page: model.page)
                .draw(into: &screen) { keys.lines(columns: $0) }
        case .details:
            OverlayView(title: "Devices", theme: theme, page: model.page)
                .draw(into: &screen) { DetailsText(model: model.count, theme: theme).lines(columns: $0) }
        case .anomalies:
            OverlayView(title: "Anomalies", theme: theme, page: model.page).draw(into: &screen) {
                AnomalyLines(summary: model.history.summary, theme: theme).lines(columns: $0)
            }
        case .field(let prompt):
            FieldView(prompt: prompt, problem: model.problem(of: prompt), theme: theme).draw(into: &screen)
        case .question(let question):
            QuestionView(question: question, theme: theme, page: model.page).draw(into: &screen)
        case nil: break
        }
    }
}
