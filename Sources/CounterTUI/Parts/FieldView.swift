import Linux

/// A box with one line of input.
struct FieldView {
    let prompt: FieldPrompt
    /// Why the text is invalid; nil where it is valid or not checked yet.
    let problem: String?
    let theme: Theme

    private var field: TextField { prompt.field }

    func draw(into screen: inout Screen) {
        OverlayView(title: prompt.title, theme: theme, page: 0).draw(into: &screen) { columns in
            [line(columns: columns), []]
                + (problem ?? prompt.hint).wrapped(to: columns).map { text in
                    [Span(text, theme[problem == nil ? .quiet : .notice])]
                }
        }
    }

    /// The part of the text around the cursor. The cursor is a cell in reverse video.
    private func line(columns: Int) -> [Span] {
        let after = field.after.sanitised
        return [
            Span(field.before.sanitised.end(columns: columns - 2), theme[.caption]),
            Span(after.first.map(String.init) ?? " ", theme[.selectedTab]),
            Span(String(after.dropFirst()), theme[.caption]),
        ]
        .truncated(to: columns, ellipsis: theme.look.ellipsis)
    }
}
