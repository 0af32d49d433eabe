extension CountViewModel {
    /// The keys of this screen.
    var keys: [KeyBinding] {
        overdueKeys + [
            KeyBinding(
                "+=", .up, .right, does: .countUp, label: .init("+", rank: 3, isOn: mayChange),
                help: ("+ = Up Right", "count up")),
            KeyBinding(
                "-", .down, .left, does: .countDown, label: .init("-", rank: 2, isOn: mayChange),
                help: ("- Down Left", "count down")),
            KeyBinding(
                "r", does: .reset, label: .init("R", " Reset", rank: 0, isOn: mayChange),
                help: ("R, U", "reset to 0, undo")),
            KeyBinding("u", does: .undo, label: .init("U", " Undo", rank: 1, isOn: mayChange)),
            KeyBinding("d", does: .toggleDetails, help: ("D, V", "devices; capture")),
            KeyBinding("v", does: .toggleCapture),
        ] + (maySpeak ? [KeyBinding("s", does: .say, help: ("S", "say the count"))] : [])
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
