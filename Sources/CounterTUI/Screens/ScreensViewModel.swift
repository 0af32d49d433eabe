/// The screens together: which tab is shown, which location it is about, and what lies over it.
public struct ScreensViewModel: Hashable, Sendable {
    /// What lies over a screen.
    public enum Overlay: Hashable, Sendable {
        /// The keys.
        case help
        /// The sources with their reasons and remedies.
        case details
        /// What was odd in a range of history.
        case anomalies
        /// A text that is being typed.
        case field(FieldPrompt)
        /// What is asked before it is done.
        case question(Question)
    }

    /// A screen that has a tab.
    public enum Tab: String, Hashable, Sendable, CaseIterable {
        /// The number.
        case count = "Count"
        /// How full and how fresh every location is.
        case live = "Live"
        /// What a location came to.
        case history = "History"
        /// The settings, the devices and the ended days.
        case admin = "Admin"
    }

    /// What the Count screen shows. The top line and the alerts of all screens are in it too.
    public var count: CountViewModel
    /// What the Live screen shows.
    public var live = LiveViewModel()
    /// What the History screen shows.
    public var history = HistoryViewModel()
    /// What the Admin screen shows.
    public var admin = AdminViewModel()
    /// The locations, and the one that every screen but Count is about.
    public var places = PlaceChoice()
    /// The tabs, from left to right; at most nine can be reached by their number.
    public let tabs: [Tab]
    /// The tab that is shown: an index into `tabs`.
    public private(set) var selected = 0
    /// What lies over the screen; nil where nothing does.
    public internal(set) var overlay: Overlay?
    /// The page of the overlay, from 0, below it from the last; the view shows it modulo the number of pages.
    public private(set) var page = 0

    /// All tabs, with the first one shown.
    public init(count: CountViewModel = CountViewModel()) {
        self.init(count: count, tabs: Tab.allCases)
    }

    // Tests take other tabs.
    init(count: CountViewModel, tabs: [Tab]) {
        self.count = count
        self.tabs = tabs
    }

    /// The tab that is shown.
    public var tab: Tab { tabs[selected] }

    /// Whether a text is being typed: what is shown otherwise makes no difference to what keys mean then.
    public var isTyping: Bool { if case .field = overlay { true } else { false } }

    /// What `event` means on `screen`, the one that is shown; nil where it means nothing.
    ///
    /// What only concerns what is shown (tabs, help, pages) is done here and comes out as `.redraw`. An overlay hears keys
    /// first, then all screens together, then the one that is shown. Focus reports and volume keys mean nothing here:
    /// the executable hears them itself.
    public mutating func intent(for event: TerminalEvent, on screen: Screen) -> Intent? {
        guard var intent = meaning(of: event, on: screen) else { return nil }
        if case .answer(let isYes) = intent { intent = answer(isYes) }
        return apply(intent) ? .redraw : intent
    }

    private mutating func meaning(of event: TerminalEvent, on screen: Screen) -> Intent? {
        switch event {
        case .resize: .redraw
        case .click(let point): screen.intent(at: point)
        case .key, .character, .scroll:
            switch overlay {
            case .field: fieldIntent(for: event) ?? controlKeys.intent(for: event)
            case .question(let question):
                question.intent(for: event, on: screen) ?? Self.turnIntent(for: event)
                    ?? controlKeys.intent(for: event)
            case .help, .details, .anomalies:
                Self.readingIntent(for: event) ?? commonKeys.intent(for: event)
                    ?? tabIntent(for: event, in: screen.grid.size)
            case nil: commonKeys.intent(for: event) ?? tabIntent(for: event, in: screen.grid.size)
            }
        case .pasted: fieldIntent(for: event)
        case .focusGained, .focusLost, .volumeKey: nil
        }
    }

    // Of an overlay that is only read: what it does not know works as without it.
    private static func readingIntent(for event: TerminalEvent) -> Intent? {
        switch event {
        case .key(.escape), .key(.enter): .closeOverlay
        case .key, .character, .pasted, .click, .scroll, .resize, .focusGained, .focusLost, .volumeKey:
            turnIntent(for: event)
        }
    }

    /// What turns the pages of an overlay.
    private static func turnIntent(for event: TerminalEvent) -> Intent? {
        switch event {
        case .key(.pageDown), .character(" "): .turn(pages: 1)
        case .key(.pageUp): .turn(pages: -1)
        case .key, .character, .pasted, .click, .scroll, .resize, .focusGained, .focusLost, .volumeKey: nil
        }
    }

    /// What a tab but Count has for itself: all but the top line, the alerts and the keys.
    func area(in size: Size) -> Size {
        Size(columns: size.columns, rows: size.rows - 2 - Alerts(count, in: size).lines.count)
    }

    private func tabIntent(for event: TerminalEvent, in size: Size) -> Intent? {
        guard case .scroll(let clicks) = event else { return tabKeys(in: size).intent(for: event) }
        return switch tab {
        case .count, .live: nil
        case .history: history.scroll(clicks, area: area(in: size))
        case .admin: admin.move(by: clicks)
        }
    }

    // True where the intent was about what is shown, and has been done.
    private mutating func apply(_ intent: Intent) -> Bool {
        switch intent {
        case .toggleHelp: show(overlay == .help ? nil : .help)
        case .toggleDetails: show(overlay == .details ? nil : .details)
        case .closeOverlay: show(nil)
        case .turn(let pages): page += pages
        case .selectTab(let index):
            selected = tabs.indices.contains(index) ? index : selected
            show(nil)
        case .selectPlace(let id): places.select(id)
        case .live(let intent): return apply(intent)
        case .history(let intent): return apply(intent)
        case .admin(let intent): return apply(intent)
        case .answer, .countUp, .countDown, .reset, .undo, .toggleHold, .redraw, .ring, .repaint, .suspend,
            .quit:
            return false
        }
        return true
    }

    private mutating func apply(_ intent: LiveIntent) -> Bool {
        switch intent {
        case .enlarge(let id):
            places.select(id)
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
        case .choose, .step, .show, .scroll, .showLatest, .showEarliest: return false
        }
        return true
    }

    mutating func show(_ overlay: Overlay?) {
        self.overlay = overlay
        page = 0
    }
}
