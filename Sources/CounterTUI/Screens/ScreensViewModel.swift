/// The screens together: the visible tab, the selected location, and the overlay.
package struct ScreensViewModel: Hashable, Sendable {
    /// An overlay over a screen.
    package enum Overlay: Hashable, Sendable {
        case help
        /// The input devices with their reasons and remedies.
        case details
        /// The anomalies of a range of history.
        case anomalies
        case field(FieldPrompt)
        /// A question that needs a confirmation.
        case question(Question)
    }

    /// A tab.
    package enum Tab: String, Hashable, Sendable, CaseIterable {
        case count = "Count"
        /// The occupancy and freshness of every location.
        case live = "Live"
        /// The totals of a location.
        case history = "History"
        /// The settings, the devices and the ended days.
        case admin = "Admin"
        /// The timers, the presets and the results.
        case timers = "Timers"
    }

    /// What the Count screen shows, and with it the top line and the alerts of all screens.
    package var count: CountViewModel
    package var live = LiveViewModel()
    package var history = HistoryViewModel()
    package var admin = AdminViewModel()
    package var timers = TimersViewModel()
    /// The locations, and the selected one, which every screen but Count shows.
    package var locations = LocationChoice()
    /// The tabs, from left to right; at most nine can be reached by their number.
    package let tabs: [Tab]
    /// The index of the visible tab in `tabs`.
    package private(set) var selected = 0
    /// The overlay; nil for none.
    package internal(set) var overlay: Overlay?
    /// The page of the overlay, from 0; negative pages count from the last. The view takes it modulo the number of pages.
    package private(set) var page = 0

    /// All tabs, with the first one shown.
    package init(count: CountViewModel = CountViewModel()) {
        self.init(count: count, tabs: Tab.allCases)
    }

    // Tests use other tabs.
    init(count: CountViewModel, tabs: [Tab]) {
        self.count = count
        self.tabs = tabs
    }

    package var tab: Tab { tabs[selected] }

    /// Whether a text field is open; the meaning of keys then does not depend on what else is shown.
    package var isTyping: Bool { if case .field = overlay { true } else { false } }

    /// The intent of `event` on `screen`, the visible one; nil where there is none.
    ///
    /// Intents that only concern what is shown (tabs, help, pages) are handled here and return `.redraw`. The overlay
    /// handles keys first, then the common keys, then those of the visible tab. Focus reports and volume keys have no
    /// intent here: the executable handles them itself.
    package mutating func intent(for event: TerminalEvent, on frame: Frame) -> Intent? {
        guard var intent = meaning(of: event, on: frame) else { return nil }
        if case .answer(let isYes) = intent { intent = answer(isYes) }
        return apply(intent) ? .redraw : intent
    }

    private mutating func meaning(of event: TerminalEvent, on frame: Frame) -> Intent? {
        switch event {
        case .resize: .redraw
        case .click(let point): frame.intent(at: point)
        case .key, .character, .scroll, .pasted:
            Frame.isNumberAlone(at: frame.grid.size)
                ? numberIntent(for: event) : screenIntent(for: event, on: frame)
        case .pasteCutOff, .focusGained, .focusLost, .volumeKey: nil
        }
    }

    /// Where only the number is drawn, no key acts on a tab or an overlay that the user does not see.
    private func numberIntent(for event: TerminalEvent) -> Intent? {
        let intent = controlKeys.intent(for: event) ?? PlainKeys(self).intent(for: event)
        return intent == .toggleHelp ? nil : intent
    }

    private mutating func screenIntent(for event: TerminalEvent, on frame: Frame) -> Intent? {
        if case .pasted = event { return fieldIntent(for: event) }
        return switch overlay {
        case .field: fieldIntent(for: event) ?? controlKeys.intent(for: event)
        case .question(let question):
            question.intent(for: event) ?? Self.turnIntent(for: event) ?? controlKeys.intent(for: event)
        case .help, .details, .anomalies:
            acknowledgement(for: event) ?? Self.readingIntent(for: event) ?? commonKeys.intent(for: event)
                ?? tabIntent(for: event, in: frame.grid.size)
        case nil:
            acknowledgement(for: event) ?? commonKeys.intent(for: event)
                ?? tabIntent(for: event, in: frame.grid.size)
        }
    }

    /// Enter and Space acknowledge an alarm, where no field or question is open.
    func acknowledgement(for event: TerminalEvent) -> Intent? {
        guard count.alarm != nil, [.key(.enter), .character(" ")].contains(event) else { return nil }
        return .timers(.acknowledge)
    }

    // For an overlay without input: keys that it does not handle work as without it.
    private static func readingIntent(for event: TerminalEvent) -> Intent? {
        switch event {
        case .key(.escape), .key(.enter): .closeOverlay
        case .key, .character, .pasted, .pasteCutOff, .click, .scroll, .resize, .focusGained, .focusLost,
            .volumeKey:
            turnIntent(for: event)
        }
    }

    /// The keys that turn the pages of an overlay.
    private static func turnIntent(for event: TerminalEvent) -> Intent? {
        switch event {
        case .key(.pageDown), .character(" "): .turn(pages: 1)
        case .key(.pageUp): .turn(pages: -1)
        case .key, .character, .pasted, .pasteCutOff, .click, .scroll, .resize, .focusGained, .focusLost,
            .volumeKey:
            nil
        }
    }

    /// The area of a tab other than Count: the screen without the top line, the alerts and the key line.
    func area(in size: Size) -> Size {
        Size(columns: size.columns, rows: size.rows - 2 - Alerts(count, in: size).lines.count)
    }

    private func tabIntent(for event: TerminalEvent, in size: Size) -> Intent? {
        guard case .scroll(let clicks) = event else { return tabKeys(in: size).intent(for: event) }
        return switch tab {
        case .count, .live: nil
        case .history: history.scroll(clicks, area: area(in: size))
        case .admin: admin.move(by: clicks)
        case .timers: timers.move(by: clicks)
        }
    }

    // True where the intent only concerned what is shown, and has been handled.
    private mutating func apply(_ intent: Intent) -> Bool {
        switch intent {
        case .toggleHelp: show(overlay == .help ? nil : .help)
        case .toggleDetails: show(overlay == .details ? nil : .details)
        case .closeOverlay: show(nil)
        case .turn(let pages): page += pages
        case .selectTab(let index):
            selected = tabs.indices.contains(index) ? index : selected
            show(nil)
        case .selectLocation(let id): locations.select(id)
        case .count(_, let id):
            locations.select(id)
            return false
        case .askTarget:
            guard count.mayChange else { return false }
            show(.field(count.targetPrompt))
        case .live(let intent): return apply(intent)
        case .history(let intent): return apply(intent)
        case .admin(let intent): return apply(intent)
        case .timers(let intent): return apply(intent)
        case .answer, .countUp, .countDown, .reset, .undo, .say, .toggleCapture, .redraw, .ring, .repaint,
            .suspend,
            .quit:
            return false
        }
        return true
    }

    private mutating func apply(_ intent: LiveIntent) -> Bool {
        switch intent {
        case .enlarge(let id):
            locations.select(id)
            live.isEnlarged = true
        case .overview: live.isEnlarged = false
        case .count, .undo: return false
        }
        return true
    }

    private mutating func apply(_ intent: HistoryIntent) -> Bool {
        switch intent {
        case .askRange: show(.field(.range))
        case .toggleAnomalies: show(overlay == .anomalies ? nil : .anomalies)
        case .choose, .step, .show, .move, .select, .askToTakeBack, .takeBack, .scroll, .showLatest,
            .showEarliest:
            return false
        }
        return true
    }

    mutating func show(_ overlay: Overlay?) {
        self.overlay = overlay
        page = 0
    }
}
