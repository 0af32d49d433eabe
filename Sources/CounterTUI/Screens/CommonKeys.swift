extension ScreensViewModel {
    /// The keys that all tabs share.
    var commonKeys: [KeyBinding] {
        numberKeys + [
            KeyBinding("", .tab, does: .selectTab((selected + 1) % tabs.count)),
            KeyBinding("", .backTab, does: .selectTab((selected + tabs.count - 1) % tabs.count)),
            KeyBinding(
                "?", does: .toggleHelp, label: .init("?", " Help", rank: 0),
                help: ("?, Q or Ctrl-C", "help, leave")),
            KeyBinding("q", does: .quit, label: .init("Q", " Quit", rank: 1)),
        ] + locationKeys + controlKeys
    }

    private var locationKeys: [KeyBinding] {
        func select(_ steps: Int) -> Intent? { locations.following(steps).map { .selectLocation($0.id) } }
        return [
            KeyBinding(
                "[", does: select(-1), help: locations.all.count > 1 ? ("[ ]", "other location") : nil),
            KeyBinding("]", does: select(1)),
        ]
    }

    /// The keys that work even in a text field, because they are not part of a text.
    var controlKeys: [KeyBinding] {
        [
            KeyBinding("\u{3}\u{1C}", does: .quit),
            KeyBinding("\u{C}", does: .repaint, help: ("Ctrl-L, Ctrl-Z", "redraw, suspend")),
            KeyBinding("\u{1A}", does: .suspend),
        ]
    }

    /// The keys of the visible tab, on a terminal of `size`.
    func tabKeys(in size: Size) -> [KeyBinding] {
        switch tab {
        case .count: count.keys
        case .live: live.keys(locations, size: size)
        case .history: history.keys(area: area(in: size))
        case .admin: admin.keys(locations)
        case .timers: timers.keys(locations)
        }
    }

    private var numberKeys: [KeyBinding] {
        let last = min(tabs.count, 9)
        return (1...last).map { number in
            KeyBinding(
                "\(number)", does: .selectTab(number - 1),
                help: number == 1 ? ("1-\(Tab.allCases.count) Tab Shift-Tab", "screens") : nil)
        }
    }
}
