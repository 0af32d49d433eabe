/// Draws successive screens: where only the count has changed, it redraws only what shows the count.
package struct ScreenDrawing {
    /// The last screen, and the model that it shows.
    private struct Drawn {
        let model: ScreensViewModel
        let look: Look
        let screen: Screen
        let plan: CountLayout?
    }

    private var last: Drawn?
    private let digits = DigitGlyphs()

    /// Starts with nothing drawn.
    package init() {}

    /// The screen of `model` at `size`; the result is the same as from `ScreensView`.
    package mutating func draw(_ model: ScreensViewModel, look: Look, size: Size) -> Screen {
        let view = ScreensView(model, look: look)
        if let (screen, plan) = redrawn(model, view, look, size) {
            last = Drawn(model: model, look: look, screen: screen, plan: plan)
            return screen
        }
        let (screen, plan) = view.draw(size: size, digits)
        last = Drawn(model: model, look: look, screen: screen, plan: plan)
        return screen
    }

    /// The last screen with another count; nil where more than that has changed.
    private func redrawn(
        _ model: ScreensViewModel, _ view: ScreensView, _ look: Look, _ size: Size
    ) -> (Screen, CountLayout)? {
        guard let last, let plan = last.plan, last.look == look, last.screen.grid.size == size,
            model.differsOnlyInCount(from: last.model, columns: size.columns)
        else { return nil }
        var screen = last.screen
        let isDrawn = view.redrawCount(plan, over: &screen, showing: last.model.count.level, digits)
        return isDrawn ? (screen, plan) : nil
    }
}

extension ScreensViewModel {
    /// Whether only the count, with the same number of characters, and the rest of its caption differ.
    fileprivate func differsOnlyInCount(from other: ScreensViewModel, columns: Int) -> Bool {
        let captions = (
            Caption(count.level, columns: columns), Caption(other.count.level, columns: columns)
        )
        guard captions.0.text.utf8.count == captions.1.text.utf8.count, count.flash == nil,
            other.count.flash == nil
        else { return false }
        var same = other
        same.count.level = count.level
        same.count.lastChange = count.lastChange
        same.count.ratePerMinute = count.ratePerMinute
        return same == self
    }
}
