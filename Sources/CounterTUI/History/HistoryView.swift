import Linux
import Reports

/// The History screen: the totals of a range, its chart, and its rows.
///
/// ```
/// [<] Today  2026-11-21  North door [>]
/// in 1204   out 1187   net +17   peak hour 14:00 (132)
/// in  132┤      ▄█▆                             chart (HistoryChart)
///       0┼00─03─06─09─
/// out 118┤      ██▀
/// ! 14:10 to 14:32 overcrowded, up to 131       anomalies
/// ──────────────────────────────────────
/// 14:03:05  +1  Knob, hardware                  rows
/// [Today] [Yesterday] [Week] [Month] [From-to]  keys
/// ```
struct HistoryView {
    let model: HistoryViewModel
    let theme: Theme

    private static let leastWhat = 24

    func draw(into frame: inout Frame, rows: Range<Int>) {
        let size = Size(columns: frame.grid.size.columns, rows: rows.count)
        guard let summary = model.summary else {
            return frame.centre([Span("Nothing has been read yet.", theme[.quiet])], row: rows.lowerBound)
        }
        let layout = HistoryLayout(summary, rows: size.rows, columns: size.columns)
        var lines = [title(summary)] + layout.facts.map { HistoryLayout.spans(of: $0, theme) }
        lines += Array(repeating: [], count: layout.chart)
        lines += anomalies(summary, lines: layout.anomalies)
        HistoryChart(summary, theme: theme).draw(
            into: &frame, at: Point(column: 1, row: rows.lowerBound + 1 + layout.facts.count),
            Size(columns: size.columns - 2, rows: layout.chart))
        for (line, row) in zip(lines + list(rows: layout.list, columns: size.columns - 2), rows) {
            let fitting = line.truncated(to: size.columns - 2, ellipsis: theme.ellipsis)
            frame.write(fitting, at: Point(column: 1, row: row))
        }
    }

    // Targets for clicks come first, so that they are never cut off.
    private func title(_ summary: HistorySummary) -> [Span] {
        let locations = model.context.locations
        let name = locations.all.count > 1 ? locations.selectedLocation?.name ?? "" : ""
        let words = [
            (summary.title, theme[.caption]), (summary.period, theme[.label]), (name, theme[.location]),
        ]
        let spans = words.filter { !$0.0.isEmpty }.map { [Span($0.0, $0.1)] }
        return [
            Span("[<]", theme[.key]) { model.actions?.step(.before) }, Span(" "),
            Span("[>]", theme[.key]) { model.actions?.step(.after) }, Span("  "),
        ] + spans.joined(separator: [Span("  ")])
    }

    /// The most severe anomalies, in chronological order. The last line says how many more there are; a click on it shows
    /// all.
    private func anomalies(_ summary: HistorySummary, lines: Int) -> [[Span]] {
        let all = summary.anomalies
        guard lines > 0 else { return [] }
        let worst = all.indices.sorted { (all[$0].mark.rawValue, $0) < (all[$1].mark.rawValue, $1) }
        let shown = worst.prefix(all.count > lines ? lines - 1 : lines).sorted()
        let rest = all.count - shown.count
        let key = model.context.name(of: "a!")
        let more = [Span("[\(key) \(rest) more]", theme[.label], model.toggleAnomalies)]
        return shown.map { AnomalyLines.spans(of: all[$0], theme) } + (rest > 0 ? [more] : [])
    }

    private func list(rows: Int, columns: Int) -> [[Span]] {
        guard rows > 0 else { return [] }
        let shown = model.reading?.lines(visible: rows) ?? []
        let beside =
            shown.map { CharacterWidth.columns($0.time) + CharacterWidth.columns(origin($0)) }.max() ?? 0
        let widest = max(Self.leastWhat, columns - beside - 4)
        let width = min(widest, shown.map { CharacterWidth.columns(what($0)) }.max() ?? 0)
        let rule = String(repeating: theme.glyphs == .ascii ? "-" : "─", count: columns)
        let nothing = [[Span("No entries.", theme[.quiet])]]
        return [[Span(rule, theme[.border])]]
            + (shown.isEmpty ? nothing : shown.map { spans(of: $0, width: width) })
    }

    // A click selects the row.
    private func spans(of line: HistoryLine, width: Int) -> [Span] {
        let isSelected = line.position == model.selected?.id
        let select = { model.actions?.select(line.position) ?? () }
        let text = what(line).truncated(to: width, ellipsis: theme.ellipsis).padded(to: width)
        return [
            Span(line.time, theme[isSelected ? .selectedTab : .quiet], select),
            Span("  " + text, theme[line.isVoid ? .quiet : .label], select),
            Span("  " + origin(line), theme[.quiet], select),
        ]
    }

    private func origin(_ line: HistoryLine) -> String {
        [line.void, line.origin].compactMap(\.self).joined(separator: "; ")
    }

    private func what(_ line: HistoryLine) -> String {
        let what = theme.glyphs == .ascii ? String(line.what.map { $0 == "→" ? ">" : $0 }) : line.what
        // In words, because not every terminal can strike text out.
        return what + (line.isVoid ? " taken back" : "")
    }
}

/// Distributes the rows of the History screen. When space runs short, the chart is the last part to go.
struct HistoryLayout {
    private static let gap = 3

    /// The KPIs as lines, below the title.
    let facts: [[HistorySummary.Fact]]
    /// Rows of the chart; 0 where it does not fit.
    let chart: Int
    let anomalies: Int
    /// Rows of the list, without the rule above it.
    let list: Int

    init(_ summary: HistorySummary?, rows: Int, columns: Int) {
        var left = rows - 1
        func take(_ wanted: Int) -> Int {
            let taken = max(0, min(wanted, left))
            left -= taken
            return taken
        }
        let all = (summary?.facts ?? []).rows(gap: Self.gap, columns: columns - 2) {
            $0.label.count + 1 + $0.value.count
        }
        facts = Array(all.prefix(take(min(all.count, max(1, rows / 5)))))
        chart = left < 3 ? 0 : take(max(4, min(left / 2, 20)))
        anomalies = take(min(summary?.anomalies.count ?? 0, (left - 2) / 4))
        list = max(0, left - 1)
    }

    static func spans(of facts: [HistorySummary.Fact], _ theme: Theme) -> [Span] {
        let parts = facts.map { [Span($0.label + " ", theme[.quiet]), Span($0.value, theme[.caption])] }
        return Array(parts.joined(separator: [Span(String(repeating: " ", count: gap))]))
    }
}

/// All anomalies and timers of a range: the sign below its bar, and the text.
struct AnomalyLines {
    let summary: HistorySummary?
    let theme: Theme

    func lines(columns: Int) -> [[Span]] {
        guard let notes = summary?.anomalies, !notes.isEmpty else {
            return [[Span("No anomalies, and no timers.")]]
        }
        return notes.flatMap { note in
            note.text.wrapped(to: columns - 2).enumerated().map { index, text in
                [index == 0 ? Self.sign(of: note, theme) : Span("  "), Span(text, theme[.label])]
            }
        }
    }

    static func spans(of note: HistorySummary.AnomalyNote, _ theme: Theme) -> [Span] {
        [sign(of: note, theme), Span(note.text, theme[.label])]
    }

    private static func sign(of note: HistorySummary.AnomalyNote, _ theme: Theme) -> Span {
        Span("\(note.mark.sign) ", theme[.notice])
    }
}
