/// Draws the whole terminal: the top line, the selected tab below it, and what lies over that.
public struct ScreensView: Sendable {
    private let model: ScreensViewModel
    private let look: Look

    /// Below this size there is room for the number alone.
    static let smallest = Size(columns: 20, rows: 6)

    /// A view of `model` for a terminal that can show `look`.
    public init(_ model: ScreensViewModel, look: Look) {
        self.model = model
        self.look = look
    }

    /// The screen at `size`. Every size works; an empty one has no cells.
    public func draw(size: Size) -> Screen {
        var screen = Screen(size: size)
        let theme = Theme(look: look)
        guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
            NumberView(model: model.count, theme: theme).draw(into: &screen, rows: 0..<size.rows)
            return screen
        }
        TopLineView(model: model, theme: theme).draw(into: &screen)
        switch model.tabs[model.selected] {
        case .count: CountView(model: model.count, theme: theme).draw(into: &screen)
        }
        drawOverlay(into: &screen, theme)
        return screen
    }

    private func drawOverlay(into screen: inout Screen, _ theme: Theme) {
        switch model.overlay {
        case .help:
            OverlayView(title: "Help", theme: theme, page: model.page)
                .draw(into: &screen) { HelpText(theme: theme).lines(columns: $0) }
        case .details:
            OverlayView(title: "Sources", theme: theme, page: model.page)
                .draw(into: &screen) { DetailsText(model: model.count, theme: theme).lines(columns: $0) }
        case nil: break
        }
    }
}
