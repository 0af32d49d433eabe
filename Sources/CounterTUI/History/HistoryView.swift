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
struct HistoryView: TabView {
    let model: HistoryViewModel
    let locations: LocationChoice
    let theme: Theme

    private static let widestWhat = 24

    func draw(into screen: inout Screen, rows: Range<Int>) {
        let size = Size(columns: screen.grid.size.columns, rows: rows.count)
        guard let summary = model.summary else {
            return screen.centre([Span("Nothing has been read yet.", theme[.quiet])], row: rows.lowerBound)
        }
        let layout = HistoryLayout(summary, rows: size.rows, columns: size.columns)
        var lines = [title(summary)] + layout.facts.map { HistoryLayout.spans(of: $0, theme) }
        lines += Array(repeating: [], count: layout.chart)
        lines += anomalies(summary, lines: layout.anomalies)
        HistoryChart(summary, theme: theme).draw(
            into: &screen, at: Point(column: 1, row: rows.lowerBound + 1 + layout.facts.count),
            Size(columns: size.columns - 2, rows: layout.chart))
        for (line, row) in zip(lines + list(rows: layout.list, columns: size.columns - 2), rows) {
            let fitting = line.truncated(to: size.columns - 2, ellipsis: theme.look.ellipsis)
            screen.write(fitting, at: Point(column: 1, row: row))
        }
    }

    // Targets for clicks come first, so that they are never cut off.
    private func title(_ summary: HistorySummary) -> [Span] {
        let name = locations.all.count > 1 ? locations.selectedItem?.name ?? "" : ""
        let words = [
            (summary.title, theme[.caption]), (summary.period, theme[.label]), (name, theme[.location]),
        ]
        let spans = words.filter { !$0.0.isEmpty }.map { [Span($0.0, $0.1)] }
        return [
            Span("[<]", theme[.key], .history(.step(.before))), Span(" "),
            Span("[>]", theme[.key], .history(.step(.after))), Span("  "),
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
        let more = [Span("[A \(rest) more]", theme[.label], .history(.toggleAnomalies))]
        return shown.map { AnomalyLines.spans(of: all[$0], theme) } + (rest > 0 ? [more] : [])
    }

    private func list(rows: Int, columns: Int) -> [[Span]] {
        guard rows > 0 else { return [] }
        let shown = model.list.shown(rows: rows)
        let width = min(Self.widestWhat, shown.map { CharacterWidth.columns(what($0)) }.max() ?? 0)
        let rule = String(repeating: theme.look.glyphs == .ascii ? "-" : "─", count: columns)
        let nothing = [[Span("No entries.", theme[.quiet])]]
        return [[Span(rule, theme[.border])]]
            + (shown.isEmpty ? nothing : shown.map { spans(of: $0, width: width) })
    }

    // A click selects the row.
    private func spans(of line: HistoryList.Line, width: Int) -> [Span] {
        let isSelected = line.position == model.list.selected?.position
        let intent = Intent.history(.select(line.position))
        let text = what(line).truncated(to: width, ellipsis: theme.look.ellipsis)
        let pad = String(repeating: " ", count: width - CharacterWidth.columns(text))
        return [
            Span(line.time, theme[isSelected ? .selectedTab : .quiet], intent),
            Span("  " + text + pad, theme[line.isVoid ? .quiet : .label], intent),
            Span(
                "  " + [line.void, line.origin].compactMap(\.self).joined(separator: "; "), theme[.quiet],
                intent),
        ]
    }

    private func what(_ line: HistoryList.Line) -> String {
        let what = theme.look.glyphs == .ascii ? String(line.what.map { $0 == "→" ? ">" : $0 }) : line.what
        // In words, because not every terminal can strike text out.
        return what + (line.isVoid ? " taken back" : "")
    }
}
