import Reports

/// Distributes the rows of the History screen. When space runs short, the chart is the last part to go.
struct HistoryLayout {
    private static let gap = 3

    /// The KPIs as lines, below the title.
    let facts: [[HistorySummary.Fact]]
    /// Rows of the chart; 0 where it does not fit.
    let chart: Int
    /// Rows of anomalies.
    let anomalies: Int
    /// Rows of the list, without the rule above it.
    let list: Int

    /// Distributes `rows` rows of `columns` columns.
    init(_ summary: HistorySummary?, rows: Int, columns: Int) {
        var left = rows - 1
        func take(_ wanted: Int) -> Int {
            let taken = max(0, min(wanted, left))
            left -= taken
            return taken
        }
        let all = Self.lines(of: summary?.facts ?? [], columns: columns - 2)
        facts = Array(all.prefix(take(min(all.count, max(1, rows / 5)))))
        chart = left < 3 ? 0 : take(max(4, min(left / 2, 20)))
        anomalies = take(min(summary?.anomalies.count ?? 0, (left - 2) / 4))
        list = max(0, left - 1)
    }

    /// Lines with as many facts as fit on each.
    private static func lines(of facts: [HistorySummary.Fact], columns: Int) -> [[HistorySummary.Fact]] {
        var lines: [[HistorySummary.Fact]] = []
        var used = 0
        for fact in facts {
            let width = fact.label.count + 1 + fact.value.count
            if let last = lines.last, used + gap + width <= columns {
                lines[lines.count - 1] = last + [fact]
                used += gap + width
            } else {
                lines.append([fact])
                used = width
            }
        }
        return lines
    }

    /// The spans of a line of facts.
    static func spans(of facts: [HistorySummary.Fact], _ theme: Theme) -> [Span] {
        let parts = facts.map { [Span($0.label + " ", theme[.quiet]), Span($0.value, theme[.caption])] }
        return Array(parts.joined(separator: [Span(String(repeating: " ", count: gap))]))
    }
}
