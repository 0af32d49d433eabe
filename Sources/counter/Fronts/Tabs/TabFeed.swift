import CounterModel
import CounterTUI
import System

/// Stands behind a tab: reads the journal for its view model while it is shown, and only then.
protocol TabFeed: AnyObject {
    /// What was read is out of date: the journal has changed, here or elsewhere, or sources came and went.
    func journalChanged()
    /// Brings the tab's view model up to date, reading no more than what is out of date. Called before each drawing while the tab is shown.
    ///
    /// - Parameters:
    ///   - model: The one that is drawn next.
    ///   - now: Our clock's time.
    ///   - isInFront: False where it is known that nobody looks.
    /// - Throws: `JournalError`; then the last state stays on the screen.
    func update(_ model: inout ScreensViewModel, at now: Timestamp, isInFront: Bool) throws
    /// When to draw again though nothing happened, as of the last `update`; `nil` at rest. Asked while the tab is shown.
    var deadline: MonotonicTime? { get }
}
