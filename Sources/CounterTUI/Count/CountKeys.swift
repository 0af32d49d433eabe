import CounterModel

extension CountViewModel {
    var keys: [KeyBinding] {
        overdueKeys + [
            KeyBinding(
                "+=", .up, .right, does: .countUp, label: .init("+", stepText, rank: 3, isOn: mayChange),
                help: ("+ = Up Right", "count up")),
            KeyBinding(
                "-", .down, .left, does: .countDown, label: .init("-", stepText, rank: 2, isOn: mayChange),
                help: ("- Down Left", "count down")),
            KeyBinding(
                "r", does: .reset, label: .init("R", " Reset", rank: 0, isOn: mayChange),
                help: ("R, U, T", "reset undo target")),
            KeyBinding("u", does: .undo, label: .init("U", " Undo", rank: 1, isOn: mayChange)),
            KeyBinding("t", does: .askTarget),
            KeyBinding("d", does: .toggleDetails, help: ("D, V", "devices; capture")),
            KeyBinding("v", does: .toggleCapture),
        ] + keyed.flatMap { [KeyBinding]($0.key, of: $0.id, named: $0.name) }
            + speechKeys
    }

    /// No letter, because each letter that is free may be the key of a location.
    private var speechKeys: [KeyBinding] {
        maySpeak ? [KeyBinding(".", does: .say, help: (".", "say the count"))] : []
    }

    /// How many a key counts, for its label; empty for one.
    private var stepText: String { step == 1 ? "" : "\(step)" }

    var targetPrompt: FieldPrompt {
        FieldPrompt(
            title: location.map { "Target: \($0)" } ?? "Target", hint: LocationSetting.Name.target.hint,
            text: target.map(String.init) ?? "", purpose: .edit(.setting(.target, of: locationId)))
    }

    private var overdueKeys: [KeyBinding] {
        guard let overdueAt, mayChange else { return [] }
        return [
            KeyBinding(
                "e", does: .admin(.askToEndOverdueDay(of: overdueAt)), label: .init("E", " End Day", rank: 4),
                help: ("E", "end the day that is over"))
        ]
    }
}
