/// Draws successive screens: where only the count has changed, it redraws only what shows the count.
package struct ScreenDrawing {
    /// The last screen, and the model that it shows.
    private struct Drawn {
        let model: ScreensViewModel
        let capabilities: Capabilities
        let frame: Frame
        let plan: CountLayout?
    }

    private var last: Drawn?
    private let digits = DigitGlyphs()

    package init() {}

    /// The screen of `model` at `size`; the result is the same as from `ScreensView`.
    package mutating func draw(_ model: ScreensViewModel, capabilities: Capabilities, size: Size) -> Frame {
        let view = ScreensView(model, capabilities: capabilities)
        if let (frame, plan) = redrawn(model, view, capabilities, size) {
            last = Drawn(model: model, capabilities: capabilities, frame: frame, plan: plan)
            return frame
        }
        let (frame, plan) = view.draw(size: size, digits)
        last = Drawn(model: model, capabilities: capabilities, frame: frame, plan: plan)
        return frame
    }

    /// The last screen with another count; nil where more than that has changed.
    private func redrawn(
        _ model: ScreensViewModel, _ view: ScreensView, _ capabilities: Capabilities, _ size: Size
    ) -> (Frame, CountLayout)? {
        guard let last, let plan = last.plan, last.capabilities == capabilities, last.frame.grid.size == size,
            model.differsOnlyInCount(from: last.model, columns: size.columns)
        else { return nil }
        var frame = last.frame
        let isDrawn = view.redrawCount(plan, over: &frame, showing: last.model.count.level, digits)
        return isDrawn ? (frame, plan) : nil
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
