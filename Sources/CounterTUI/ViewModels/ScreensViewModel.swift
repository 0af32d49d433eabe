/// The screens together: which tab is shown, and what lies over it.
public struct ScreensViewModel: Hashable, Sendable {
    /// What lies over a screen.
    public enum Overlay: Hashable, Sendable {
        /// The keys.
        case help
        /// The sources with their reasons and remedies.
        case details
    }

    /// A screen that has a tab.
    public enum Tab: String, Hashable, Sendable, CaseIterable {
        /// The number.
        case count = "Count"
    }

    /// What the Count screen shows.
    public var count: CountViewModel
    /// The tabs, from left to right; at most nine can be reached by their number.
    public let tabs: [Tab]
    /// The tab that is shown: an index into `tabs`.
    public private(set) var selected = 0
    /// What lies over the screen; nil where nothing does.
    public private(set) var overlay: Overlay?
    /// The page of the overlay, from 0; the view shows it modulo the number of pages.
    public private(set) var page = 0

    /// All tabs, with the first one shown.
    public init(count: CountViewModel = CountViewModel()) {
        self.init(count: count, tabs: Tab.allCases)
    }

    // Tests take more tabs than there are screens.
    init(count: CountViewModel, tabs: [Tab]) {
        self.count = count
        self.tabs = tabs
    }

    /// What `event` means on `screen`, the one that is shown; nil where it means nothing.
    ///
    /// What only concerns what is shown (tabs, help, pages) is done here and comes out as `.redraw`. Counting works on
    /// every tab and under every overlay. Focus reports mean nothing here: the executable hears them itself.
    public mutating func intent(for event: TerminalEvent, on screen: Screen) -> Intent? {
        guard let intent = meaning(of: event, on: screen) else { return nil }
        return apply(intent) ? .redraw : intent
    }

    private func meaning(of event: TerminalEvent, on screen: Screen) -> Intent? {
        switch event {
        case .resize: .redraw
        case .click(let point): screen.intent(at: point)
        case .key(let key): overlayIntent(for: key) ?? tabIntent(for: key) ?? count.intent(for: event)
        case .character(let character): intent(for: character) ?? count.intent(for: event)
        case .focusGained, .focusLost: nil
        }
    }

    private func overlayIntent(for key: TerminalEvent.Key) -> Intent? {
        guard overlay != nil else { return nil }
        switch key {
        case .escape, .enter: return .closeOverlay
        case .pageUp, .pageDown: return .nextPage
        case .up, .down, .left, .right, .tab, .backTab: return nil
        }
    }

    private func tabIntent(for key: TerminalEvent.Key) -> Intent? {
        switch key {
        case .tab: .selectTab((selected + 1) % tabs.count)
        case .backTab: .selectTab((selected + tabs.count - 1) % tabs.count)
        case .up, .down, .left, .right, .pageUp, .pageDown, .enter, .escape: nil
        }
    }

    private func intent(for character: Character) -> Intent? {
        switch character {
        case "?": return .toggleHelp
        case "q", "Q", "\u{3}": return .quit
        case "\u{C}": return .repaint
        case " ": return overlay == nil ? nil : .nextPage
        default:
            guard let number = character.wholeNumberValue, character.isASCII else { return nil }
            return tabs.indices.contains(number - 1) ? .selectTab(number - 1) : nil
        }
    }

    // True where the intent was about what is shown, and has been done.
    private mutating func apply(_ intent: Intent) -> Bool {
        switch intent {
        case .toggleHelp: show(overlay == .help ? nil : .help)
        case .toggleDetails: show(overlay == .details ? nil : .details)
        case .closeOverlay: show(nil)
        case .nextPage: page += 1
        case .selectTab(let index):
            selected = tabs.indices.contains(index) ? index : selected
            show(nil)
        case .countUp, .countDown, .reset, .undo, .toggleHold, .redraw, .repaint, .quit: return false
        }
        return true
    }

    private mutating func show(_ overlay: Overlay?) {
        self.overlay = overlay
        page = 0
    }
}
