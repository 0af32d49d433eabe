/// All anomalies of a range: the sign below its bar, and the text.
struct OddityLines {
    let summary: HistorySummary?
    let theme: Theme

    func lines(columns: Int) -> [[Span]] {
        guard let oddities = summary?.anomalies, !oddities.isEmpty else {
            return [[Span("Nothing was odd.")]]
        }
        return oddities.flatMap { oddity in
            oddity.text.wrapped(to: columns - 2).enumerated().map { index, text in
                [index == 0 ? Self.sign(of: oddity, theme) : Span("  "), Span(text, theme[.label])]
            }
        }
    }

    /// The whole anomaly on one line.
    static func spans(of oddity: HistorySummary.Oddity, _ theme: Theme) -> [Span] {
        [sign(of: oddity, theme), Span(oddity.text, theme[.label])]
    }

    private static func sign(of oddity: HistorySummary.Oddity, _ theme: Theme) -> Span {
        Span("\(oddity.mark.sign) ", theme[.notice])
    }
}
