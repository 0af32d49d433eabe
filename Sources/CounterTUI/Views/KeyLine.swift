/// The keys on the screen: typed or clicked.
struct KeyLine {
    let theme: Theme

    private struct Key {
        let key: String
        let label: String
        let intent: Intent
    }

    private static let counting = [
        Key(key: "R", label: " Reset", intent: .reset), Key(key: "U", label: " Undo", intent: .undo),
        Key(key: "-", label: "", intent: .countDown), Key(key: "+", label: "", intent: .countUp),
    ]
    private static let other = [
        Key(key: "?", label: " Help", intent: .toggleHelp), Key(key: "Q", label: " Quit", intent: .quit),
    ]

    /// One line: with all labels, or without those that have no room.
    func lines(columns: Int) -> [Line] {
        let forms = [(true, true, " "), (true, false, " "), (false, false, " "), (false, false, "")]
        let all = forms.map { (row(Self.counting, labels: $0.0, $0.2), row(Self.other, labels: $0.1, $0.2)) }
        let fitting = all.first { $0.columns + 1 + $1.columns <= columns - 2 }
        return [.justified(fitting?.0 ?? all[3].0, fitting?.1 ?? all[3].1)]
    }

    private func row(_ keys: [Key], labels: Bool, _ separator: String) -> [Span] {
        keys.map { spans($0, label: labels) }.joined(separator: separator.isEmpty ? [] : [Span(separator)])
            .map { $0 }
    }

    // Brackets too can be clicked: what looks like one button is one.
    private func spans(_ key: Key, label: Bool) -> [Span] {
        [
            Span("[", theme[.label], key.intent), Span(key.key, theme[.key], key.intent),
            Span((label ? key.label : "") + "]", theme[.label], key.intent),
        ]
    }
}
