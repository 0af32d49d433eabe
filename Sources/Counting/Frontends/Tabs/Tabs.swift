import CounterModel
import CounterTUI
import Linux
import VolumeInput

/// Updates the view model of the tab that is shown.
struct Tabs {
    let live: LiveTab
    let history: HistoryTab
    let admin: AdminTab
    let timers: TimersTab
    private let session: CountingSession
    private let focusTracker: FocusTracker
    private var count: CountTab

    init(_ session: CountingSession, _ focusTracker: FocusTracker) {
        self.session = session
        self.focusTracker = focusTracker
        count = CountTab(session: session, focusTracker: focusTracker)
        live = LiveTab(session)
        history = HistoryTab(session)
        admin = AdminTab(session)
        timers = TimersTab(session)
    }

    /// The tabs' readings of the journal are out of date.
    func journalChanged() {
        live.journalChanged()
        history.journalChanged()
        admin.journalChanged()
        timers.journalChanged()
    }

    /// Input devices were connected or disconnected, or their interception changed.
    mutating func inputDevicesChanged() { count.inputDevicesChanged() }

    private var isInForeground: Bool { focusTracker.policy.focus != .lost }

    /// Updates the model before it is drawn.
    ///
    /// - Throws: `JournalError`
    mutating func update(_ model: inout ScreensViewModel) throws {
        let locations = session.locations.filter { !$0.isHidden }
        model.locations.offer(
            locations.map { .init(id: $0.id, name: $0.name) }, preferred: session.location.id)
        model.locations.select(session.location.id)
        count.update(&model.count)
        try timers.updateEverywhere(&model, at: WallClock().now, isInForeground: isInForeground)
        try feed(of: model.tab)?.update(&model, at: WallClock().now, isInForeground: isInForeground)
    }

    /// When `update` is due without an event; `nil` at rest.
    func deadline(of tab: ScreensViewModel.Tab) -> MonotonicTime? {
        [feed(of: tab)?.deadline, timers.nextReading].compactMap(\.self).min()
    }

    /// The same by the wall clock.
    func wallDeadline(of tab: ScreensViewModel.Tab) -> Timestamp? {
        let day = tab == .count && isInForeground ? count.dayEnd : nil
        return [feed(of: tab)?.wallDeadline, timers.nextSecond, day].compactMap(\.self).min()
    }

    /// The tab's feed; `nil` for Count, which shows what the session knows.
    private func feed(of tab: ScreensViewModel.Tab) -> (any TabFeed)? {
        switch tab {
        case .count: nil
        case .live: live
        case .history: history
        case .admin: admin
        case .timers: timers
        }
    }
}

/// Updates the view model of a tab from the journal, only while the tab is shown.
protocol TabFeed: AnyObject {
    /// The last reading is out of date: the journal has changed, here or elsewhere, or input devices changed.
    func journalChanged()
    /// Updates the tab's view model; reads only what is out of date. Called before each drawing while the tab is shown.
    ///
    /// - Parameters:
    ///   - model: The model that is drawn next.
    ///   - now: The time of this machine's clock.
    ///   - isInForeground: False where the terminal is known to be in the background.
    /// - Throws: `JournalError`; then the last state stays on the screen.
    func update(_ model: inout ScreensViewModel, at now: Timestamp, isInForeground: Bool) throws
    /// When to draw again without an event, as of the last `update`; `nil` at rest. Read while the tab is shown.
    var deadline: MonotonicTime? { get }
    /// The same by the wall clock.
    var wallDeadline: Timestamp? { get }
}

extension TabFeed {
    var deadline: MonotonicTime? { nil }
    var wallDeadline: Timestamp? { nil }
}
