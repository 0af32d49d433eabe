/// The keys at the bottom, which can be typed and clicked: the tab's own keys at the left, the common keys at the right.
struct KeyLine {
    let keys: [KeyBinding]
    let common: [KeyBinding]
    let theme: Theme

    init(_ keys: [KeyBinding], common: [KeyBinding], theme: Theme) {
        self.keys = Self.labelled(keys)
        self.common = Self.labelled(common)
        self.theme = theme
    }

    /// The key line, with all labels or without those that do not fit. Keys that do not fit at all are left out, those
    /// with the highest rank first; they still work, and the help lists them.
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

    // The brackets can be clicked too, because they look like part of a button. Colour must not be the only sign, so a
    // disabled key is in parentheses.
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
