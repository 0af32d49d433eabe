import Reports

/// Texts for the entries in and out: today as numbers, and the last hour as sparklines.
struct LiveFlowTexts {
    let card: LiveCard
    let theme: Theme

    private static let labels = 4
    private static let gap = 2
    private static let leastBars = 10

    /// One line for today, without the last hour; empty where the day is unknown.
    func brief() -> [[Span]] {
        guard let today = card.today else { return [] }
        return [[Span("in \(today.ins)  out \(today.outs)  today", theme[.label])]]
    }

    /// A heading, and one line each for in and out, all equally wide; empty where they do not fit.
    func table(columns: Int) -> [[Span]] {
        guard let today = card.today, !card.lastHour.isEmpty else { return [] }
        let width = max(5, "\(today.ins)".count, "\(today.outs)".count)
        let room = columns - Self.labels - width - Self.gap
        let ins = Sparkline(card.lastHour.map(\.ins), columns: room)
        let outs = Sparkline(card.lastHour.map(\.outs), columns: room)
        guard ins.values.count >= Self.leastBars else { return [] }
        let most = (ins.values + outs.values).max() ?? 0
        let heading = padded("today", width + Self.labels) + "  last hour"
        return [
            [Span(heading.padded(to: Self.labels + width + Self.gap + ins.values.count), theme[.quiet])],
            row("in", today.ins, width, ins.text(upTo: most, glyphs: theme.look.glyphs)),
            row("out", today.outs, width, outs.text(upTo: most, glyphs: theme.look.glyphs)),
        ]
    }

    private func row(_ label: String, _ number: Int, _ width: Int, _ line: String) -> [Span] {
        [
            Span(label.padded(to: Self.labels) + padded("\(number)", width) + "  ", theme[.label]),
            Span(line, theme[.exclusive]),
        ]
    }

    // Right-aligned in its column.
    private func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
