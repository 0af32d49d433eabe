/// The keys on the screen: typed or clicked.
struct KeyLine {
    /// Those of the screen that is shown; help and quit come by themselves.
    let keys: [Key]
    let theme: Theme

    /// One of them.
    struct Key {
        let key: String
        let label: String
        /// What it does; nil where it is off.
        let intent: Intent?

        init(_ key: String, _ label: String, _ intent: Intent?) {
            self.key = key
            self.label = label
            self.intent = intent
        }

        /// The same key where it may not be used.
        var off: Key { Key(key, label, nil) }
    }

    private static let common = [Key("?", " Help", .toggleHelp), Key("Q", " Quit", .quit)]

    /// One line: with all labels, or without those that have no room. Keys that have none are left out, the last first; they
    /// work, and stand in the help.
    func lines(columns: Int) -> [Line] {
        let forms = [(true, true, " "), (true, false, " "), (false, false, " "), (false, false, "")]
        for (own, common, separator) in forms {
            let (left, right) = (
                row(keys, labels: own, separator), row(Self.common, labels: common, separator)
            )
            if left.columns + 1 + right.columns <= columns - 2 { return [.justified(left, right)] }
        }
        let common = row(Self.common, labels: false, "")
        let shorter = (0...keys.count).reversed().map { row(Array(keys.prefix($0)), labels: false, "") }
        return [.justified(shorter.first { $0.columns + common.columns <= columns - 2 } ?? [], common)]
    }

    private func row(_ keys: [Key], labels: Bool, _ separator: String) -> [Span] {
        keys.map { spans($0, label: labels) }.joined(separator: separator.isEmpty ? [] : [Span(separator)])
            .map { $0 }
    }

    // Brackets too can be clicked: what looks like one button is one. One that is off is in parentheses, for colour alone
    // says nothing.
    private func spans(_ key: Key, label: Bool) -> [Span] {
        let text = label ? key.label : ""
        guard key.intent != nil else { return [Span("(\(key.key)\(text))", theme[.quiet])] }
        return [
            Span("[", theme[.label], key.intent), Span(key.key, theme[.key], key.intent),
            Span(text + "]", theme[.label], key.intent),
        ]
    }
}
