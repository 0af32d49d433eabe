import Reports

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

    /// The whole anomaly on one line.
    static func spans(of note: HistorySummary.AnomalyNote, _ theme: Theme) -> [Span] {
        [sign(of: note, theme), Span(note.text, theme[.label])]
    }

    private static func sign(of note: HistorySummary.AnomalyNote, _ theme: Theme) -> Span {
        Span("\(note.mark.sign) ", theme[.notice])
    }
}
