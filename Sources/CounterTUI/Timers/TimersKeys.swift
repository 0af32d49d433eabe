import TimerModel

extension TimersViewModel {
    /// The rows of a page.
    private static let page = 10

    /// The keys of this screen, for the selected row. A new timer counts in the selected location.
    func keys(_ locations: LocationChoice) -> [KeyBinding] {
        rowKeys + timerKeys + presetKeys + [
            KeyBinding(
                "n", does: .timers(.edit(draft(in: locations))), label: label("N", " New", rank: 1),
                help: ("N", "new timer"))
        ]
    }

    private func draft(in locations: LocationChoice) -> TimerDraft {
        TimerDraft(TimerSetup(seconds: 300, locations: .some([locations.selected])))
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
            KeyBinding("", .up, does: move(by: -1), help: ("Up Down PgUp PgDn Home End", "choose")),
            KeyBinding("", .down, does: move(by: 1)),
            KeyBinding("", .pageUp, does: move(by: -Self.page)),
            KeyBinding("", .pageDown, does: move(by: Self.page)),
            KeyBinding("", .home, does: move(by: -rows.count)),
            KeyBinding("", .end, does: move(by: rows.count)),
            KeyBinding(
                "", .enter, does: action.map(Intent.timers), label: enterLabel,
                help: ("Enter", "the first action")),
        ]
    }

    private var enterLabel: KeyBinding.Label? {
        if let button = card?.buttons.first { return label("Enter", " \(button.title)", rank: 0) }
        return preset == nil ? nil : label("Enter", " Start", rank: 0)
    }

    private func perform(_ actions: TimerAction...) -> Intent? {
        card.flatMap { card in
            actions.first { transition(card.state, $0) != nil }.map { .timers(.perform($0, card.id)) }
        }
    }

    private var timerKeys: [KeyBinding] {
        let isOpen = card.map { [.running, .paused].contains($0.state) } ?? false
        let extend = isOpen ? card.map { Intent.timers(.extend($0.id)) } : nil
        return [
            KeyBinding("p", does: perform(.pause, .resume), help: ("P, S", "pause or resume, stop")),
            KeyBinding(
                "s", does: perform(.stop), label: perform(.stop) == nil ? nil : label("S", " Stop", rank: 2)),
            KeyBinding("a", does: perform(.again), help: ("A", "start again")),
            KeyBinding(
                "+=", does: extend, label: extend == nil ? nil : label("+", " Minute", rank: 3),
                help: ("+ =", "one minute more")),
            KeyBinding(
                "*", does: card.map { .timers(.keep($0.id)) },
                label: card == nil ? nil : label("*", " Preset", rank: 4), help: ("*", "make a preset of it")),
        ]
    }

    private var presetKeys: [KeyBinding] {
        let edit = preset.map { Intent.timers(.edit(TimerDraft($0.setup, presetId: $0.id))) }
        let remove = preset.map { Intent.timers(.hidePreset($0.id)) } ?? perform(.remove)
        return [
            KeyBinding(
                "e", does: edit, label: edit == nil ? nil : label("E", " Edit", rank: 5),
                help: ("E, X", "edit a preset, remove")),
            KeyBinding("x", does: remove, label: remove == nil ? nil : label("X", " Remove", rank: 6)),
        ]
    }

    private func label(_ key: String, _ text: String, rank: Int) -> KeyBinding.Label {
        KeyBinding.Label(key, text, rank: rank, isOn: mayChange)
    }
}
