package import CounterModel

extension ScreensViewModel {
    /// Why a location cannot have a key: the screens that count use it themselves. nil where it can.
    package static func refusal(of key: LocationKey) -> String? {
        guard used.contains(key.character) else { return nil }
        return "the key \(key) has another meaning on Count or Live: take one of \(free)"
    }

    private static let free = String("abcdefghijklmnopqrstuvwxyz".filter { !used.contains($0) })

    /// The characters that Count, Live and all tabs use, whatever is shown.
    private static let used: Set<Character> = {
        var model = ScreensViewModel()
        model.count.overdueAt = Location.defaultId
        model.count.maySpeak = true
        let size = Size(columns: 80, rows: 24)
        return (model.commonKeys + model.count.keys + model.live.keys(model.locations, size: size)).characters
    }()

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
