import CounterModel
import CounterStore
import CounterTUI
import Linux
import Reports
import VolumeInput

final class TabContext {
    let session: CountingSession
    let screens: Screens
    /// What all screens share: the locations, the overlay.
    var shared: ScreenContext { screens.context }
    /// Shows the result of what a key has had done; set by the frontend.
    var show: ([SessionEvent]) -> Void = { _ in }

    init(_ session: CountingSession, _ screens: Screens) { (self.session, self.screens) = (session, screens) }

    var location: Location? { shared.locations.selectedLocation }

    /// Carries out what a viewer may not, and closes the field that asked for it. An error appears there, else as a notice.
    func carryOut(_ body: () throws -> [SessionEvent]) {
        if session.role == .viewer { return show([.refused(CountingSession.viewerNotice)]) }
        do {
            let events = try body()
            shared.closeField()
            show(events)
        } catch {
            let reason = (error as? JournalError)?.reason.failure ?? ProgramError(error)
            // A field says itself what may be typed.
            if !shared.refuseField(reason.message) { show([.refused(reason.sentence)]) }
        }
    }
}

/// Updates what a tab shows from the journal, only while it is shown.
protocol TabFeed: AnyObject {
    /// The last reading is out of date: the journal has changed, here or elsewhere, or input devices changed.
    func journalChanged()
    /// Updates what the tab shows; reads only what is out of date. Called before each drawing while the tab is shown. Where
    /// it throws, the last state stays on the screen. `isInForeground`: not known to be in the background.
    func update(at now: Timestamp, isInForeground: Bool) throws
    /// When to draw again without an event, as of the last `update`; `nil` at rest. Read while the tab is shown.
    var wallDeadline: Timestamp? { get }
}

extension TabFeed {
    var wallDeadline: Timestamp? { nil }
}

/// Updates the screens, and carries out what their keys ask for.
struct Tabs {
    let context: TabContext
    let timers: TimersTab
    private let live: LiveTab
    private let history: HistoryTab
    private let admin: AdminTab
    private let focusTracker: FocusTracker
    var count: CountTab
    /// Whether to move them was asked.
    private var asked: MistimedRows?

    init(_ session: CountingSession, _ screens: Screens, _ focusTracker: FocusTracker) {
        context = TabContext(session, screens)
        self.focusTracker = focusTracker
        count = CountTab(session: session, focusTracker: focusTracker)
        live = LiveTab(context)
        history = HistoryTab(context)
        admin = AdminTab(context, count.machines)
        timers = TimersTab(context)
        (screens.history.actions, screens.admin.actions, screens.timers.actions) = (history, admin, timers)
    }

    func journalChanged() {
        for feed in [live, history, admin, timers] as [any TabFeed] { feed.journalChanged() }
    }

    private var isInForeground: Bool { focusTracker.policy.focus != .lost }

    mutating func update() throws {
        let (session, screens) = (context.session, context.screens)
        screens.context.locations.offer(
            session.locations.filter { !$0.isHidden }, preferred: session.location.id)
        screens.context.locations.select(session.location.id)
        count.update(&screens.count, on: screens.tab)
        askAboutMistimed()
        try timers.updateEverywhere(at: WallClock().now, isInForeground: isInForeground)
        try shown?.update(at: WallClock().now, isInForeground: isInForeground)
    }

    private mutating func askAboutMistimed() {
        guard context.screens.tab == .count, context.shared.overlay == nil,
            let rows = context.session.clock.mistimed,
            rows != asked
        else { return }
        asked = rows
        let number = rows.count == 1 ? "1 row" : "\(rows.count) rows"
        let move = "\(number) \(ClockMend.words(rows.step))"
        context.shared.ask(
            Question(
                title: "Was the clock wrong?", subject: number, gist: "Moves \(move)",
                paragraphs: [
                    "\(rows.doubt.prefix(1).uppercased())\(rows.doubt.dropFirst()).",
                    "If that clock was wrong, yes moves \(move). X on the row of the clock in History takes it back.",
                    "No leaves all as it is. counter clock move does it later, and counter clock keep says that it was right.",
                ]
            ) { [context] in context.carryOut { try context.session.moveMistimed() } })
    }

    /// When what is shown is to be read again, which was too soon when it had changed; `nil` where that is not due.
    var deadline: MonotonicTime? {
        let history = context.screens.tab == .history ? history.nextReading : nil
        return [history, timers.nextReading].compactMap(\.self).min()
    }

    /// When to draw again without an event.
    var wallDeadline: Timestamp? {
        let isCount = context.screens.tab == .count
        let day = isCount && isInForeground ? count.dayEnd : nil
        let rate = isCount ? count.rateFalls : nil
        return [shown?.wallDeadline, timers.nextSecond, day, rate, count.machines.changesAt]
            .compactMap(\.self).min()
    }

    /// The feed of the tab that is shown; `nil` for Count, which shows what the session knows.
    private var shown: (any TabFeed)? {
        switch context.screens.tab {
        case .count: nil
        case .live: live
        case .history: history
        case .admin: admin
        case .timers: timers
        }
    }
}

/// Behind the Live screen: reads the present state of every location.
final class LiveTab: TabFeed {
    private let context: TabContext
    private var readings: [Identifier: LiveReading] = [:]
    private var isOutOfDate = true
    private(set) var wallDeadline: Timestamp?

    init(_ context: TabContext) { self.context = context }

    func journalChanged() { isOutOfDate = true }

    func update(at now: Timestamp, isInForeground: Bool) throws {
        let (session, live) = (context.session, context.screens.live)
        let staleAfter = session.settings.staleAfter
        wallDeadline = nil
        live.mayChange = session.role == .admin
        live.step = session.settings.step
        let shown = context.shared.locations.all
        if isOutOfDate || isInForeground && readings.values.contains(where: { $0.end <= now }) {
            try read(Set(shown.map(\.id)), at: now)
        }
        live.cards = shown.compactMap {
            readings[$0.id]?.card(
                at: now, staleAfter: staleAfter, isInForeground: isInForeground, hasKey: live.mayChange)
        }
        wallDeadline = readings.values.compactMap {
            $0.nextChange(after: now, staleAfter: staleAfter, isInForeground: isInForeground)
        }.min()
    }

    private func read(_ shown: Set<Identifier>, at now: Timestamp) throws {
        let old = readings
        readings = [:]
        for location in context.session.locations where shown.contains(location.id) {
            readings[location.id] = try LiveReading(
                of: location, in: context.session.journal, at: now, after: old[location.id])
        }
        isOutOfDate = false
    }
}
