package import CounterModel
package import Reports

/// What the keys and fields of Timers have done. Where it is refused, the open field says why, or else a notice.
package protocol TimersActions: AnyObject {
    func perform(_ action: TimerAction, on timer: UniqueId)
    /// Makes a timer one minute longer.
    func extend(_ timer: UniqueId)
    /// Makes a preset of a timer.
    func keep(_ timer: UniqueId)
    func startPreset(_ preset: UniqueId)
    /// Takes a preset off the list.
    func hidePreset(_ preset: UniqueId)
    func restorePreset(_ preset: UniqueId)
    /// Starts the timer, or saves the preset, that the fields describe.
    func submit(_ draft: TimerDraft)
    /// Changes a setting; the text is as it was typed.
    func set(_ preference: Preference, to text: String)
}

/// A row of Timers. A result is of a timer that has left the list.
package enum TimersRow: Hashable, Sendable {
    case timer(UniqueId), preset(UniqueId), result(UniqueId)
    case preference(Preference)
}

/// The Timers screen: the timers, the presets, the results of the last days, and the settings.
package final class TimersViewModel: TabScreen, ListScreen {
    package var cards: [TimerReport] = []
    package var presets: [PresetReport] = []
    /// The results of timers that have left the list, the latest first.
    package var results: [TimerReport] = []
    /// The preset that was taken off the list last, while this program runs; nil for none.
    package var removedPreset: UniqueId?
    /// The settings; empty in tests that are not about them.
    package var preferences: [PreferenceLine] = []
    /// What a new timer is like.
    package var usual = TimerSettings().usual
    package var mayChange = true
    package weak var actions: (any TimersActions)?
    var chosen: TimersRow?
    let context: ScreenContext

    init(_ context: ScreenContext) { self.context = context }

    var rows: [TimersRow] {
        cards.map { .timer($0.timer.id) } + presets.map { .preset($0.preset.id) }
            + results.map { .result($0.timer.id) } + preferences.map { .preference($0.preference) }
    }

    var card: TimerReport? { cursor.flatMap { row in cards.first { .timer($0.timer.id) == row } } }

    private var preset: TimerPreset? {
        cursor.flatMap { row in presets.first { .preset($0.preset.id) == row } }?.preset
    }

    func draw(into frame: inout Frame, rows: Range<Int>, theme: Theme) {
        TimersView(model: self, theme: theme, columns: frame.grid.size.columns - 2)
            .draw(into: &frame, rows: rows)
    }

    // MARK: - What rows do

    /// What Enter or a click on a row does.
    func action(on row: TimersRow) -> Action {
        switch row {
        case .timer(let id):
            let usual = cards.first { $0.timer.id == id }?.state.actions.first
            return usual.map { action in { self.perform(action, id) } } ?? { self.choose(row) }
        case .preset(let id): return { self.actions?.startPreset(id) }
        case .result: return { self.choose(row) }
        case .preference(let preference):
            guard let line = preferences.first(where: { $0.preference == preference }) else { return {} }
            guard let next = line.next else { return { self.ask(self.prompt(for: line), at: row) } }
            return { self.actions?.set(preference, to: next) }
        }
    }

    func perform(_ action: TimerAction, _ timer: UniqueId) { actions?.perform(action, on: timer) }

    /// Opens the first field of a timer or preset; the others follow, and the last one submits it.
    private func edit(_ draft: TimerDraft) {
        ask(prompt(for: draft), at: draft.presetId.map(TimersRow.preset))
    }

    // MARK: - Keys

    func keys(in area: Size) -> [KeyBinding] {
        rowKeys + timerKeys + presetKeys + [
            own("n6", " New", rank: 1, help: "a new timer") {
                var setup = self.usual
                setup.locations = .some([self.context.locations.selected])
                self.edit(TimerDraft(setup))
            },
            KeyBinding("+=", help: ("+ = -", "count up, count down by hand")) {
                self.context.program?.count(.in, at: nil)
            },
            KeyBinding("-") { self.context.program?.count(.out, at: nil) },
        ]
    }

    func scroll(_ clicks: Int, in area: Size) -> Action? { move(by: clicks) }

    private var rowKeys: [KeyBinding] {
        .list { move($0) } + [
            KeyBinding(
                "", .enter, label: enterLabel, help: ("Enter", "start or change what is chosen"),
                does: cursor.map(action(on:)))
        ]
    }

    private var enterLabel: KeyBinding.Label? {
        if let card { return label("Enter", " \(card.title(of: card.state.actions[0]))", rank: 0) }
        if case .preference = cursor { return label("Enter", " Change", rank: 0) }
        return preset == nil ? nil : label("Enter", " Start", rank: 0)
    }

    /// What the timer's state does not allow is refused with the reason.
    private func perform(_ action: TimerAction) -> Action? {
        card.map { card in { self.perform(action, card.timer.id) } }
    }

    private func isPossible(_ action: TimerAction) -> Bool {
        card?.state.admits(action) ?? false
    }

    private var timerKeys: [KeyBinding] {
        let isOpen = isPossible(.stop)
        let id = card?.timer.id
        return [
            own(
                "p7", nil, help: "pause the timer, or go on",
                does: perform(isPossible(.resume) ? .resume : .pause)),
            own(Self.stop, isOpen ? " Stop" : nil, rank: 2, help: "stop the timer", does: perform(.stop)),
            KeyBinding(
                ">", label: isOpen ? label(">", " Minute", rank: 3) : nil,
                help: (">", "add a minute to the timer"),
                does: id.map { id in { self.actions?.extend(id) } }),
            KeyBinding(
                "*", label: id == nil ? nil : label("*", " Preset", rank: 4),
                help: ("*", "keep the timer as a preset"),
                does: id.map { id in { self.actions?.keep(id) } }),
        ]
    }

    /// Of a timer that was started from a preset, its preset is edited.
    private var presetKeys: [KeyBinding] {
        let edited = preset ?? presets.first { $0.preset.id == card?.timer.presetId }?.preset
        let remove =
            preset.map { preset in { self.actions?.hidePreset(preset.id) ?? () } } ?? perform(.remove)
        let canRemove = preset != nil || isPossible(.remove)
        return [
            KeyBinding(
                "e", label: preset == nil ? nil : label("E", " Edit", rank: 5),
                help: ("E", "edit the preset"),
                does: edited.map { preset in { self.edit(TimerDraft(preset.setup, presetId: preset.id)) } }),
            KeyBinding(
                "u", label: removedPreset == nil ? nil : label("U", " Restore", rank: 7),
                help: (
                    "U",
                    removedPreset == nil ? "take back the last change by hand" : "restore the removed preset"
                )
            ) {
                if let id = self.removedPreset {
                    self.actions?.restorePreset(id)
                } else {
                    self.context.program?.undo(at: nil)
                }
            },
            own(
                Self.remove, canRemove ? " Remove" : nil, rank: 6,
                help: "remove a timer that is not running, or a preset", does: remove),
        ]
    }

    private static let (stop, remove) = ("s8", "x0")

    /// What a user of this screen can do about a refusal; nil where there is nothing to say.
    package func remedy(of refusal: TimerRefusal) -> String? {
        switch refusal {
        case .notPossible(.remove, .running, _), .notPossible(.remove, .paused, _):
            "Stop it first: \(context.name(of: Self.stop))."
        case .tooManyTimers: "Stop one: \(context.name(of: Self.stop))."
        case .tooManyPresets: "Remove one: \(context.name(of: Self.remove))."
        case .presetExists: "Give it another label, or edit that one: E."
        case .unknownTimer, .unknownPreset, .timerIsGone, .presetIsGone, .ambiguousTimer, .notPossible,
            .notExtensible, .tooLong, .invalidSetup:
            nil
        }
    }
}
