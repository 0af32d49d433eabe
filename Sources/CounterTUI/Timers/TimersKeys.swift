import CounterModel

extension TimersViewModel {
    /// The rows of a page.
    private static let page = 10

    /// The keys of this screen, for the selected row. A new timer counts in the selected location.
    func keys(_ locations: LocationChoice) -> [KeyBinding] {
        rowKeys + timerKeys + presetKeys + [
            KeyBinding(
                "n", does: .timers(.edit(draft(in: locations))), label: label("N", " New", rank: 1),
                help: ("N; P, S, A", "new; stop, again"))
        ]
    }

    private func draft(in locations: LocationChoice) -> TimerDraft {
        TimerDraft(settings.setup(seconds: 300, locations: .some([locations.selected])))
    }

    /// Moves the selection by a number of rows, up where negative.
    func move(by steps: Int) -> Intent? {
        let rows = rows
        guard let cursor, let index = rows.firstIndex(of: cursor) else { return nil }
        return .timers(.choose(rows[min(max(0, index + steps), rows.count - 1)]))
    }

    private var rowKeys: [KeyBinding] {
        let action = cursor.map(action(on:))
        return [
            KeyBinding("", .up, does: move(by: -1), help: ("Up Down Enter", "choose, do")),
            KeyBinding("", .down, does: move(by: 1)),
            KeyBinding("", .pageUp, does: move(by: -Self.page), help: ("PgUp PgDn Home End", "further rows")),
            KeyBinding("", .pageDown, does: move(by: Self.page)),
            KeyBinding("", .home, does: move(by: -rows.count)),
            KeyBinding("", .end, does: move(by: rows.count)),
            KeyBinding("", .enter, does: action.map(Intent.timers), label: enterLabel),
        ]
    }

    private var enterLabel: KeyBinding.Label? {
        if let button = card?.buttons.first { return label("Enter", " \(button.title)", rank: 0) }
        if preference != nil { return label("Enter", " Change", rank: 0) }
        return preset == nil ? nil : label("Enter", " Start", rank: 0)
    }

    /// What the timer's state does not allow is refused with the reason.
    private func perform(_ action: TimerAction) -> Intent? {
        card.map { .timers(.perform(action, $0.id)) }
    }

    private func isPossible(_ action: TimerAction) -> Bool {
        card.map { transition($0.state, action) != nil } ?? false
    }

    private var timerKeys: [KeyBinding] {
        let isOpen = isPossible(.stop)
        return [
            KeyBinding("p", does: perform(isPossible(.resume) ? .resume : .pause)),
            KeyBinding("s", does: perform(.stop), label: isOpen ? label("S", " Stop", rank: 2) : nil),
            KeyBinding("a", does: perform(.again)),
            KeyBinding(
                "+=", does: card.map { .timers(.extend($0.id)) },
                label: isOpen ? label("+", " Minute", rank: 3) : nil),
            KeyBinding(
                "*", does: card.map { .timers(.keep($0.id)) },
                label: card == nil ? nil : label("*", " Preset", rank: 4)),
        ]
    }

    /// Of a timer that was started from a preset, its preset is edited.
    private var presetKeys: [KeyBinding] {
        let edited = preset ?? presets.first { $0.id == card?.presetId }
        let edit = edited.map { Intent.timers(.edit(TimerDraft($0.setup, presetId: $0.id))) }
        let remove = preset.map { Intent.timers(.hidePreset($0.id)) } ?? perform(.remove)
        let canRemove = preset != nil || isPossible(.remove)
        return [
            KeyBinding(
                "e", does: edit, label: preset == nil ? nil : label("E", " Edit", rank: 5),
                help: (removedPreset == nil ? "E, X; + = *" : "E, X, U; + = *", "edit; min, preset")),
            KeyBinding(
                "u", does: removedPreset.map { .timers(.restorePreset($0)) },
                label: removedPreset == nil ? nil : label("U", " Restore", rank: 7)),
            KeyBinding("x", does: remove, label: canRemove ? label("X", " Remove", rank: 6) : nil),
        ]
    }

    private func label(_ key: String, _ text: String, rank: Int) -> KeyBinding.Label {
        KeyBinding.Label(key, text, rank: rank, isOn: mayChange)
    }
}
