import CounterModel
import CounterTUI
import System

/// Updates the view model of a tab from the journal, only while the tab is shown.
protocol TabFeed: AnyObject {
    /// The last reading is out of date: the journal has changed, here or elsewhere, or input devices changed.
    func journalChanged()
    /// Updates the tab's view model; reads only what is out of date. Called before each drawing while the tab is shown.
    ///
    /// - Parameters:
    ///   - model: The model that is drawn next.
    ///   - now: The time of this machine's clock.
    ///   - isInFront: False where the terminal is known to be in the background.
    /// - Throws: `JournalError`; then the last state stays on the screen.
    func update(_ model: inout ScreensViewModel, at now: Timestamp, isInFront: Bool) throws
    /// When to draw again without an event, as of the last `update`; `nil` at rest. Read while the tab is shown.
    var deadline: MonotonicTime? { get }
}
