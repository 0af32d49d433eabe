import Linux

/// A question that needs a confirmation, before an action that one key alone must not trigger.
package struct Question {
    /// The action, in a word or two.
    let title: String
    /// The name of what the action would change.
    let subject: String
    /// The result of the action in a few words: shown first where there is no room for all paragraphs.
    let gist: String
    /// The full text, including subject and gist, one element a paragraph.
    let paragraphs: [String]
    let yes: Action
    /// Asks the same with the present state, or throws why it no longer applies; nil where the state does not matter.
    package var renew: (() throws -> Question)?

    /// The texts may hold any characters: they are sanitised for the terminal.
    package init(
        title: String, subject: String, gist: String, paragraphs: [String], yes: @escaping Action
    ) {
        self.title = title.sanitised
        self.subject = subject.sanitised
        self.gist = gist.sanitised
        self.paragraphs = paragraphs.map(\.sanitised)
        self.yes = yes
    }
}

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
    let context: ScreenContext
    let theme: Theme

    func draw(into frame: inout Frame) {
        // Excludes the top line and the frame.
        let rows = frame.grid.size.rows - 3
        OverlayView(title: question.title, context: context, theme: theme, footer: answers)
            .draw(into: &frame) { lines(columns: $0, rows: rows - 1) }
    }

    /// All lines but the answers, for pages of a number of rows.
    private func lines(columns: Int, rows: Int) -> [[Span]] {
        let paragraphs = question.paragraphs.map { $0.wrapped(to: columns).map { [Span($0)] } }
        let airy = paragraphs.flatMap { $0 + [[]] }
        if airy.count <= rows { return airy }
        let all = Array(paragraphs.joined())
        if all.count <= rows { return all }
        let subject = question.subject.truncated(to: columns, ellipsis: theme.ellipsis)
        return [[Span(subject, theme[.caption])]] + question.gist.wrapped(to: columns).map { [Span($0)] }
            + all
    }

    private var answers: [Span] {
        .button("Y", " Yes", theme, does: context.answerYes) + [Span(" ")]
            + .button("N", " No", theme, does: context.close)
    }
}
