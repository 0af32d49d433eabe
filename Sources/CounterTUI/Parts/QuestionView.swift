/// A box with a question, and the answers on each of its pages.
///
/// Where not everything fits on one page, the most important lines come first.
/// ```
/// ╭ End the day? ────╮
/// │ 北口の入場カウ…  │   subject, on one line
/// │ 12 becomes 0     │   gist
/// │ [Y Yes] [N No]   │
/// ╰──── 1/5 Space, Esc ╯
/// ```
struct QuestionView {
    let question: Question
    let theme: Theme
    let page: Int

    func draw(into screen: inout Screen) {
        // Excludes the top line and the frame.
        let rows = screen.grid.size.rows - 3
        OverlayView(title: question.title, theme: theme, page: page, footer: answers)
            .draw(into: &screen) { lines(columns: $0, rows: rows - 1) }
    }

    /// All lines but the answers, for pages of a number of rows.
    private func lines(columns: Int, rows: Int) -> [[Span]] {
        let paragraphs = question.paragraphs.map { $0.wrapped(to: columns).map { [Span($0)] } }
        let airy = paragraphs.flatMap { $0 + [[]] }
        if airy.count <= rows { return airy }
        let all = Array(paragraphs.joined())
        if all.count <= rows { return all }
        let subject = question.subject.truncated(to: columns, ellipsis: theme.look.ellipsis)
        return [[Span(subject, theme[.caption])]] + question.gist.wrapped(to: columns).map { [Span($0)] }
            + all
    }

    private var answers: [Span] {
        button("Y", " Yes", .answer(yes: true)) + [Span(" ")] + button("N", " No", .answer(yes: false))
    }

    private func button(_ key: String, _ label: String, _ intent: Intent) -> [Span] {
        [
            Span("[", theme[.label], intent), Span(key, theme[.key], intent),
            Span(label + "]", theme[.label], intent),
        ]
    }
}
