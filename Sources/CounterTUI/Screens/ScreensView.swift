import Linux

/// Draws the whole terminal: the top line, the selected tab below it, and the overlay.
package struct ScreensView: Sendable {
    private let model: ScreensViewModel
    private let capabilities: Capabilities

    /// A view of `model` for a terminal that can show `look`.
    package init(_ model: ScreensViewModel, capabilities: Capabilities) {
        self.model = model
        self.capabilities = capabilities
    }

    /// The screen at `size`. Every size works; an empty one has no cells.
    package func draw(size: Size) -> Frame { draw(size: size, DigitGlyphs()).frame }

    /// The same with cached digits. Also returns the layout of the Count screen, where nothing but that is shown.
    func draw(size: Size, _ digits: DigitGlyphs) -> (frame: Frame, plan: CountLayout?) {
        var frame = Frame(size: size)
        let theme = Theme(capabilities)
        let count = CountView(model: model.count, theme: theme, digits: digits)
        if Frame.isNumberAlone(at: size) {
            let number = LargeNumber(model.count.level, in: size, glyphs: capabilities.glyphs, digits)
            count.draw(number, into: &frame, rows: 0..<size.rows)
            return (frame, nil)
        }
        TopLineView(model: model, theme: theme).draw(into: &frame)
        if model.tab == .count {
            let plan = count.draw(into: &frame, commonKeys: model.commonKeys)
            drawOverlay(into: &frame, theme)
            return (frame, model.overlay == nil ? plan : nil)
        }
        drawTab(into: &frame, theme)
        drawOverlay(into: &frame, theme)
        return (frame, nil)
    }

    /// Draws a changed count over the last screen, which has the layout `plan` and shows `level`; nothing else may have
    /// changed.
    ///
    /// - Returns: false where the whole screen has to be drawn.
    func redrawCount(
        _ plan: CountLayout, over frame: inout Frame, showing level: Int, _ digits: DigitGlyphs
    ) -> Bool {
        let theme = Theme(capabilities)
        TopLineView(model: model, theme: theme).drawCount(into: &frame)
        return CountView(model: model.count, theme: theme, digits: digits)
            .redraw(plan, over: &frame, showing: level)
    }

    private func drawTab(into frame: inout Frame, _ theme: Theme) {
        switch model.tab {
        case .count: break
        case .live:
            draw(LiveView(model: model.live, locations: model.locations, theme: theme), into: &frame, theme)
        case .history:
            draw(
                HistoryView(model: model.history, locations: model.locations, theme: theme), into: &frame,
                theme)
        case .admin:
            draw(
                AdminView(model: model.admin, locations: model.locations, theme: theme), into: &frame, theme)
        case .timers: draw(TimersView(model: model.timers, theme: theme), into: &frame, theme)
        }
    }

    /// Draws a tab, with the alerts and its keys at the bottom.
    private func draw(_ view: some TabView, into frame: inout Frame, _ theme: Theme) {
        let size = frame.grid.size
        let footer =
            AlertLines(model: model.count, theme: theme).lines(in: size)
            + KeyLine(model.tabKeys(in: size), common: model.commonKeys, theme: theme)
            .lines(columns: size.columns)
        let rows = 1..<(1 + model.area(in: size).rows)
        view.draw(into: &frame, rows: rows)
        for (row, line) in zip(rows.upperBound..., footer) { line.draw(into: &frame, row: row) }
    }

    private func drawOverlay(into frame: inout Frame, _ theme: Theme) {
        switch model.overlay {
        case .help:
            let keys = HelpText(
                theme: theme, bindings: model.tabKeys(in: frame.grid.size) + model.commonKeys)
            OverlayView(title: "Help", theme: theme, page: model.page)
                .draw(into: &frame) { keys.lines(columns: $0) }
        case .details:
            OverlayView(title: "Devices", theme: theme, page: model.page)
                .draw(into: &frame) { DetailsText(model: model.count, theme: theme).lines(columns: $0) }
        case .anomalies:
            OverlayView(title: "Anomalies", theme: theme, page: model.page).draw(into: &frame) {
                AnomalyLines(summary: model.history.summary, theme: theme).lines(columns: $0)
            }
        case .field(let prompt):
            FieldView(prompt: prompt, problem: model.problem(of: prompt), theme: theme).draw(into: &frame)
        case .question(let question):
            QuestionView(question: question, theme: theme, page: model.page).draw(into: &frame)
        case nil: break
        }
    }
}

/// The top line: the tabs at the left, and the count at the right end.
struct TopLineView {
    let model: ScreensViewModel
    let theme: Theme

    func draw(into frame: inout Frame) {
        let start = drawCount(into: &frame)
        let behindTabs = drawTabs(into: &frame, before: start - 1)
        drawLocation(into: &frame, between: behindTabs + 2, and: start - 2)
    }

    /// Draws only the count.
    ///
    /// - Returns: the column where it begins.
    @discardableResult
    func drawCount(into frame: inout Frame) -> Int {
        let caption = Caption(model.count.level, columns: frame.grid.size.columns)
        let start = frame.grid.size.columns - caption.text.count
        frame.write([Span(caption.text, theme[.caption])], at: Point(column: start, row: 0))
        return start
    }

    // A tab that does not fit completely is left out; its number key still works. Where the location or the selected tab needs
    // the room, only the selected one keeps its name; where that is too much, it is alone and a number.
    private func drawTabs(into frame: inout Frame, before limit: Int) -> Int {
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
            frame.write([span], at: Point(column: column, row: 0))
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
    private func drawLocation(into frame: inout Frame, between start: Int, and end: Int) {
        let capacity = model.count.capacity.map { "\($0.percentage) % of \($0.places)" }
        let whole = [location, capacity].compactMap(\.self).joined(separator: "  ")
        guard !whole.isEmpty, end - start >= 4 else { return }
        let fits = CharacterWidth.columns(whole) <= end - start
        guard let text = fits ? whole : location?.truncated(to: end - start, ellipsis: theme.ellipsis)
        else { return }
        let next = model.locations.following(1).map { Intent.selectLocation($0.id) }
        let column = end - CharacterWidth.columns(text)
        frame.write([Span(text, theme[.location], next)], at: Point(column: column, row: 0))
    }
}

/// The keys of a tab and the common keys, for the help.
struct HelpText {
    let theme: Theme
    let bindings: [KeyBinding]

    // At most nine lines of 36 columns, so that the help is one page at 40×12.
    var rows: [(keys: String, meaning: String)] {
        [("Volume keys", "count; both reset")] + bindings.compactMap(\.help)
    }

    private static let keyColumns = 19
    /// The inner width of a box on a screen of 40 columns.
    private static let sideBySide = 36

    /// Keys and meanings side by side, or in narrow boxes one below the other.
    func lines(columns: Int) -> [[Span]] {
        rows.flatMap { key, meaning -> [[Span]] in
            guard columns >= Self.sideBySide else {
                return [[Span(key, theme[.key])]] + meaning.wrapped(to: columns - 2).map { [Span("  " + $0)] }
            }
            let pad = String(repeating: " ", count: max(1, Self.keyColumns - key.count))
            return [[Span(key + pad, theme[.key]), Span(meaning)]]
        }
    }
}
