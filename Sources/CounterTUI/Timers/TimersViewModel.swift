package import CounterModel
package import Reports

/// What the Timers screen shows: the timers, the presets, and the results of the last days.
package struct TimersViewModel: Hashable, Sendable {
    package var cards: [TimerCard] = []
    package var presets: [PresetCard] = []
    /// The results of timers that have left the list, the latest first.
    package var results: [TimerResultLine] = []
    /// The preset that was taken off the list last, while this program runs; nil for none.
    package var removedPreset: UniqueId?
    /// The settings; empty in tests that are not about them.
    package var preferences: [PreferenceLine] = []
    /// What a new timer is like.
    package var settings = TimerSettings()
    /// Whether the user may change anything.
    package var mayChange = true
    /// The row that was last selected; it may no longer exist.
    private var chosen: TimersRow?

    package init() {}

    /// The rows, in display order.
    var rows: [TimersRow] {
        cards.map { .timer($0.id) } + presets.map { .preset($0.id) } + results.map { .result($0.id) }
            + preferences.map { .preference($0.preference) }
    }

    /// The selected row; nil where there is none.
    var cursor: TimersRow? { chosen.flatMap { rows.contains($0) ? $0 : nil } ?? rows.first }

    mutating func choose(_ row: TimersRow) { chosen = row }

    /// The timer of the selected row.
    var card: TimerCard? {
        guard case .timer(let id) = cursor else { return nil }
        return cards.first { $0.id == id }
    }

    /// The preset of the selected row.
    var preset: PresetCard? {
        guard case .preset(let id) = cursor else { return nil }
        return presets.first { $0.id == id }
    }

    /// The setting of the selected row.
    var preference: PreferenceLine? {
        guard case .preference(let preference) = cursor else { return nil }
        return line(of: preference)
    }

    func line(of preference: Preference) -> PreferenceLine? {
        preferences.first { $0.preference == preference }
    }

    /// What Enter or a click on a row does.
    func action(on row: TimersRow) -> TimersIntent {
        switch row {
        case .timer(let id):
            cards.first { $0.id == id }?.buttons.first.map { .perform($0.action, id) } ?? .choose(row)
        case .preset(let id): .startPreset(id)
        case .result: .choose(row)
        case .preference(let preference):
            line(of: preference)?.next.map { .set(preference, $0) } ?? .type(preference)
        }
    }
}

extension PreferenceLine {
    /// The field for a value that is typed.
    var prompt: FieldPrompt {
        FieldPrompt(
            title: preference.title, hint: preference.hint, text: value, purpose: .preference(preference))
    }
}

extension TimersViewModel {
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
