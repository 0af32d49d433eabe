/// The keys on the screen, which can be typed and clicked: those of a tab at the left, those of all tabs at the right.
struct KeyLine {
    let keys: [KeyBinding]
    let common: [KeyBinding]
    let theme: Theme

    init(_ keys: [KeyBinding], common: [KeyBinding], theme: Theme) {
        self.keys = Self.labelled(keys)
        self.common = Self.labelled(common)
        self.theme = theme
    }

    /// One line: with all labels, or without those that have no room. Keys for which there is no room at all are left out, those
    /// of the highest rank first; they work, and stand in the help.
    func lines(columns: Int) -> [Line] {
        let forms = [(true, true, " "), (true, false, " "), (false, false, " "), (false, false, "")]
        for (own, shared, separator) in forms {
            let (left, right) = (row(keys, labels: own, separator), row(common, labels: shared, separator))
            if left.columns + 1 + right.columns <= columns - 2 { return [.justified(left, right)] }
        }
        let right = row(common, labels: false, "")
        let shorter = (0...keys.count).reversed().map { row(Array(keys.prefix($0)), labels: false, "") }
        return [.justified(shorter.first { $0.columns + right.columns <= columns - 2 } ?? [], right)]
    }

    private static func labelled(_ keys: [KeyBinding]) -> [KeyBinding] {
        keys.filter { $0.label != nil }.sorted { ($0.label?.rank ?? 0) < ($1.label?.rank ?? 0) }
    }

    private func row(_ keys: [KeyBinding], labels: Bool, _ separator: String) -> [Span] {
        keys.map { spans($0, hasText: labels) }.joined(separator: separator.isEmpty ? [] : [Span(separator)])
            .map { $0 }
    }

    // The brackets can be clicked too, for they belong to what looks like a button. Colour alone says nothing, so a key that is
    // off is in parentheses.
    private func spans(_ key: KeyBinding, hasText: Bool) -> [Span] {
        guard let label = key.label else { return [] }
        let text = hasText ? label.text : ""
        guard label.isOn, let intent = key.intent else {
            return [Span("(\(label.key)\(text))", theme[.quiet])]
        }
        return [
            Span("[", theme[.label], intent), Span(label.key, theme[.key], intent),
            Span(text + "]", theme[.label], intent),
        ]
    }
}
