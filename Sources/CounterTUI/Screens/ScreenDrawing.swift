/// Draws one screen after another: while it counts, only what the count changes is drawn anew.
public struct ScreenDrawing {
    /// What was drawn last, and of what.
    private struct Drawn {
        let model: ScreensViewModel
        let look: Look
        let screen: Screen
        let plan: CountLayout?
    }

    private var last: Drawn?
    private let digits = DigitGlyphs()

    /// With nothing drawn yet.
    public init() {}

    /// The screen of `model` at `size`; the same as a `ScreensView` draws.
    public mutating func draw(_ model: ScreensViewModel, look: Look, size: Size) -> Screen {
        let view = ScreensView(model, look: look)
        if let (screen, plan) = redrawn(model, view, look, size) {
            last = Drawn(model: model, look: look, screen: screen, plan: plan)
            return screen
        }
        let (screen, plan) = view.draw(size: size, digits)
        last = Drawn(model: model, look: look, screen: screen, plan: plan)
        return screen
    }

    /// The last screen with another count; nil where more has changed than that.
    private func redrawn(
        _ model: ScreensViewModel, _ view: ScreensView, _ look: Look, _ size: Size
    ) -> (Screen, CountLayout)? {
        guard let last, let plan = last.plan, last.look == look, last.screen.grid.size == size,
            model.differsOnlyInCount(from: last.model, columns: size.columns)
        else { return nil }
        var screen = last.screen
        return view.redrawCount(plan, over: &screen, digits) ? (screen, plan) : nil
    }
}

extension ScreensViewModel {
    /// Whether nothing differs but the count, of as many characters, and what stands beside it under the number.
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
