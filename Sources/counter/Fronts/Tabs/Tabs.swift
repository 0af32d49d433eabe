import CounterModel
import CounterTUI
import System

/// What stands behind the screens: brings the view model of the one that is shown up to date.
struct Tabs {
    let live: LiveTab
    let history: HistoryTab
    let admin: AdminTab
    private let session: CountingSession
    private let attendance: Attendance
    private var count: CountTab

    init(_ session: CountingSession, _ settings: Settings, _ attendance: Attendance) {
        self.session = session
        self.attendance = attendance
        count = CountTab(session: session, attendance: attendance)
        live = LiveTab(session, staleAfter: settings.staleAfter)
        history = HistoryTab(session, settings)
        admin = AdminTab(session)
    }

    /// What was read of the journal is out of date.
    func journalChanged() {
        live.journalChanged()
        history.journalChanged()
        admin.journalChanged()
    }

    /// Sources came, went, or are treated differently.
    mutating func sourcesChanged() { count.sourcesChanged() }

    /// Brings up to date what is about to be drawn.
    ///
    /// - Throws: `JournalError`
    func update(_ model: inout ScreensViewModel) throws {
        count.update(&model.count)
        let places = session.locations.filter { !$0.isHidden }
        model.places.offer(places.map { .init(id: $0.id, name: $0.name) }, preferred: session.location.id)
        let isInFront = attendance.policy.focus != .lost
        try feed(of: model.tab)?.update(&model, at: WallClock().now, isInFront: isInFront)
    }

    /// When `update` is due though nothing happened; `nil` at rest.
    func deadline(of tab: ScreensViewModel.Tab) -> MonotonicTime? { feed(of: tab)?.deadline }

    /// `nil` for Count, which shows what the session knows.
    private func feed(of tab: ScreensViewModel.Tab) -> (any TabFeed)? {
        switch tab {
        case .count: nil
        case .live: live
        case .history: history
        case .admin: admin
        }
    }
}
