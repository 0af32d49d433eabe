package import CounterModel
package import Reports

/// What the Timers screen shows: the timers, the presets, and the results of the last days.
package struct TimersViewModel: Hashable, Sendable {
    /// The timers in the list.
    package var cards: [TimerCard] = []
    /// The presets in sight.
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

    /// A screen without timers.
    package init() {}

    /// The rows, in display order.
    var rows: [TimersRow] {
        cards.map { .timer($0.id) } + presets.map { .preset($0.id) } + results.map { .result($0.id) }
            + preferences.map { .preference($0.preference) }
    }

    /// The selected row; nil where there is none.
    var cursor: TimersRow? { chosen.flatMap { rows.contains($0) ? $0 : nil } ?? rows.first }

    /// Selects a row.
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

    /// A setting.
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
