package import CounterModel

/// The screens together: the visible tab, and what each shows.
package final class Screens {
    package enum Tab: String, CaseIterable, Sendable {
        case count = "Count"
        case live = "Live"
        case history = "History"
        case admin = "Admin"
        case timers = "Timers"

        /// Its name as an option.
        package var word: String { rawValue.lowercased() }
    }

    package let context = ScreenContext()
    /// What the Count screen shows, and with it the top line and the alerts of all screens.
    package var count: CountViewModel
    package let live: LiveViewModel
    package let history: HistoryViewModel
    package let admin: AdminViewModel
    package let timers: TimersViewModel
    /// The tabs, from left to right; at most nine can be reached by their number.
    let tabs: [Tab]
    /// The index of the visible tab in `tabs`.
    private(set) var selected = 0
    /// Whether it is looked at from afar: it says nothing of the keys, which work all the same.
    package var isOnWall = false

    /// Tests use other tabs.
    package init(count: CountViewModel = CountViewModel(), tabs: [Tab] = Tab.allCases) {
        self.count = count
        self.tabs = tabs
        live = LiveViewModel(context)
        history = HistoryViewModel(context)
        admin = AdminViewModel(context, refusal: Screens.refusal(of:))
        timers = TimersViewModel(context)
    }

    // What is open refers to its screen, which refers to the context.
    deinit { context.close() }

    package var tab: Tab { tabs[selected] }

    /// The screen of the visible tab; nil for Count.
    var screen: (any TabScreen)? {
        switch tab {
        case .count: nil
        case .live: live
        case .history: history
        case .admin: admin
        case .timers: timers
        }
    }

    /// The area of a tab other than Count: the terminal without the top line, the alerts and the key line.
    func area(in size: Size) -> Size {
        let rows = size.rows - (isOnWall ? 1 : 2) - count.alerts(in: size).count
        return Size(columns: size.columns, rows: rows)
    }

    package func select(_ tab: Tab) { tabs.firstIndex(of: tab).map(select(tab:)) }

    func select(tab index: Int) {
        if tabs.indices.contains(index) { selected = index }
        context.close()
    }

    // MARK: - Events

    /// What `event` does on `frame`, the visible one; nil for nothing.
    ///
    /// The overlay handles keys first, then the common keys, then those of the visible tab. Focus reports and volume keys
    /// do nothing here: the executable handles them itself.
    package func action(for event: TerminalEvent, on frame: Frame) -> Action? {
        switch event {
        case .click(let point): return frame.action(at: point)
        case .key, .character, .scroll, .pasted:
            // Where only the number is drawn, no key acts on a tab or an overlay that the user does not see.
            return Frame.isNumberAlone(at: frame.grid.size)
                ? controlKeys.action(for: event) ?? plainAction(for: event)
                : action(for: event, in: frame.grid.size)
        case .pasteCutOff, .focusGained, .focusLost, .volumeKey: return nil
        }
    }

    /// What a key does that needs no screen; nil for nothing.
    package func plainAction(for event: TerminalEvent) -> Action? {
        acknowledgement(for: event) ?? (commonKeys + countKeys).filter { !$0.needsScreen }.action(for: event)
    }

    private func action(for event: TerminalEvent, in size: Size) -> Action? {
        switch context.overlay {
        case .field, .question: context.action(for: event) ?? controlKeys.action(for: event)
        case .text, nil:
            acknowledgement(for: event) ?? context.action(for: event) ?? commonKeys.action(for: event)
                ?? tabAction(for: event, in: size)
        }
    }

    /// Enter and Space acknowledge an alarm, where no field or question is open.
    private func acknowledgement(for event: TerminalEvent) -> Action? {
        guard count.alarm != nil, [.key(.enter), .character(" ")].contains(event) else { return nil }
        return { [context] in context.program?.acknowledge() }
    }

    private func tabAction(for event: TerminalEvent, in size: Size) -> Action? {
        guard case .scroll(let clicks) = event else { return tabKeys(in: size).action(for: event) }
        return screen?.scroll(clicks, in: area(in: size))
    }

    // MARK: - Keys

    /// The keys of the visible tab, on a terminal of `size`.
    func tabKeys(in size: Size) -> [KeyBinding] {
        guard let screen else { return countKeys }
        let overdueKeys = [.live, .history].contains(tab) ? count.overdueKeys(admin) : []
        return overdueKeys + screen.keys(in: area(in: size))
    }

    /// The keys that are offered: to a viewer none that changes something.
    func offeredKeys(in size: Size) -> [KeyBinding] {
        tabKeys(in: size).filter { count.mayChange || $0.label?.isOn != false }
    }

    var countKeys: [KeyBinding] { count.keys(context, admin) }

    var commonKeys: [KeyBinding] {
        numberKeys + [
            tabKey(.tab, by: 1, help: ("Tab Shift-Tab", "the next screen, the one before")),
            tabKey(.backTab, by: tabs.count - 1),
            KeyBinding(
                "?", label: .init("?", " Help", rank: 0), help: ("?", "show or close this help"),
                needsScreen: true
            ) { [context] in context.toggle(.help) },
            KeyBinding("q", label: .init("Q", " Quit", rank: 1), help: ("Q or Ctrl-C", "leave")) {
                self.context.program?.quit()
            },
        ] + locationKeys + context.letterKeys(named: count.mayChange) + controlKeys
    }

    private func tabKey(_ key: TerminalEvent.Key, by steps: Int, help: (String, String)? = nil) -> KeyBinding
    {
        KeyBinding("", key, help: help, needsScreen: true) {
            self.select(tab: (self.selected + steps) % self.tabs.count)
        }
    }

    private var numberKeys: [KeyBinding] {
        (0..<min(tabs.count, 9)).map { index in
            KeyBinding(
                "\(index + 1)",
                help: index == 0 ? ("1-\(tabs.count)", tabs.map(\.rawValue).joined(separator: ", ")) : nil,
                needsScreen: true
            ) { self.select(tab: index) }
        }
    }

    private var locationKeys: [KeyBinding] {
        let locations = context.locations
        return [
            KeyBinding(
                "[",
                help: locations.all.count > 1 ? ("[ ]", "the location before, after, on every screen") : nil,
                does: context.select(locations.following(-1))),
            KeyBinding("]", does: context.select(locations.following(1))),
        ]
    }

    /// The keys that work even in a text field, because they are not part of a text.
    private var controlKeys: [KeyBinding] {
        [
            KeyBinding("\u{3}\u{1C}") { [context] in context.program?.quit() },
            KeyBinding("\u{C}", help: ("Ctrl-L", "draw the screen again"), needsScreen: true) { [context] in
                context.program?.repaint()
            },
            KeyBinding("\u{1A}", help: ("Ctrl-Z", "suspend; fg goes on")) { [context] in
                context.program?.suspend()
            },
        ]
    }

    /// The keys of `counter --plain` with their meanings, a line each.
    package var plainHelp: [String] {
        [
            "Volume keys: \(count.volumeKeys)", "+ = Up Right: count up", "- Down Left: count down",
        ]
            + (count.state.maxCapacity == nil ? ["R: reset"] : [])
            + ["U: undo, Shift: bring it back"]
            + count.keyed.map { "\($0.key): count in \($0.name)" }
            + (context.locations.all.count > 1 ? ["[ ]: other location"] : [])
            + (count.maySpeak ? [".: say the count"] : [])
            + [
                "V: take the volume keys, or leave them alone",
                "Enter, Space: acknowledge the end of a timer",
                "Q or Ctrl-C: leave",
            ]
    }
}

// MARK: - The keys of locations

extension Screens {
    /// Why a location cannot have a key: Count, Live or all screens use it themselves. nil where it can; on other screens it counts
    /// before it means anything else.
    package static func refusal(of key: LocationKey) -> String? {
        guard used.contains(key.character) else { return nil }
        return "the key \(key) has another meaning on Count or Live: take one of \(free)"
    }

    private static let free = String("abcdefghijklmnopqrstuvwxyz".filter { !used.contains($0) })

    /// The characters that Count, Live and all tabs use, whatever is shown.
    private static let used: Set<Character> = {
        let screens = Screens()
        screens.count.overdueAt = Location.defaultId
        screens.count.maySpeak = true
        let size = Size(columns: 80, rows: 24)
        return (screens.commonKeys + screens.countKeys + screens.live.keys(in: size)).characters
    }()
}
