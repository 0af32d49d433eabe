import Linux

/// A box over the screen, in pages where its text is longer than the screen. It leaves the top line visible.
struct OverlayView {
    let title: String
    let context: ScreenContext
    let theme: Theme
    var escape = "Esc closes"
    /// The line at the bottom of every page; nil for none.
    var footer: [Span]?

    private struct Box {
        let left: Int
        let top: Int
        let columns: Int
        let rows: Int
    }

    private struct Border {
        let corners: [String]
        let level: String
        let upright: String

        init(_ glyphs: Capabilities.Glyphs) {
            let ascii = glyphs == .ascii
            corners = ascii ? ["+", "+", "+", "+"] : ["╭", "╮", "╰", "╯"]
            level = ascii ? "-" : "─"
            upright = ascii ? "|" : "│"
        }
    }

    /// Draws the lines that `text` returns for the box's inner width in columns.
    func draw(into frame: inout Frame, text: (Int) -> [[Span]]) {
        let size = frame.grid.size
        let columns = min(size.columns, max(72, min(100, size.columns - 20)))
        let lines = text(columns - 4)
        let footers = footer.map { [$0] } ?? []
        let rows = min(lines.count + footers.count + 2, size.rows - 1)
        let box = Box(
            left: (size.columns - columns) / 2, top: 1 + (size.rows - 1 - rows) / 2, columns: columns,
            rows: rows)
        let onePage = max(1, rows - 2 - footers.count)
        let pages = max(1, (lines.count + onePage - 1) / onePage)
        let page = (context.page % pages + pages) % pages
        fadeOut(&frame.grid)
        // A click anywhere but on the top line or a target of the text closes the overlay, and never reaches what lies
        // below.
        for row in 1..<size.rows {
            frame.target(Strip(row: row, columns: 0..<size.columns), context.close)
        }
        drawFrame(box, hints: hints(page, of: pages), into: &frame)
        let shown = lines.dropFirst(page * onePage).prefix(onePage)
        for (index, line) in shown.enumerated() {
            frame.write(line, at: Point(column: box.left + 2, row: box.top + 1 + index))
        }
        if let footer {
            frame.write(footer, at: Point(column: box.left + 2, row: box.top + box.rows - 2))
        }
    }

    /// The hints for closing and turning pages, the longest first.
    private func hints(_ page: Int, of pages: Int) -> [String] {
        guard pages > 1 else { return [" \(escape) "] }
        let number = "\(page + 1)/\(pages)"
        return [
            " \(number) Space turns, \(escape) ", " \(number) Space, Esc ", " \(number) Space ",
            " \(number) ",
        ]
    }

    // What lies below stays visible but dimmed.
    private func fadeOut(_ grid: inout Grid) {
        let quiet = theme[.quiet]
        for row in 1..<grid.size.rows {
            grid.restyle(Strip(row: row, columns: 0..<grid.size.columns)) { _ in quiet }
        }
    }

    private func drawFrame(_ box: Box, hints: [String], into frame: inout Frame) {
        let border = Border(theme.glyphs)
        let line = String(repeating: border.level, count: box.columns - 2)
        let inside = String(repeating: " ", count: box.columns - 2)
        for row in 0..<box.rows {
            let point = Point(column: box.left, row: box.top + row)
            switch row {
            case 0: frame.grid.write(border.corners[0] + line + border.corners[1], at: point, theme[.border])
            case box.rows - 1:
                frame.grid.write(border.corners[2] + line + border.corners[3], at: point, theme[.border])
            default:
                frame.grid.write(border.upright + inside + border.upright, at: point, theme[.border])
            }
        }
        let hint = hints.first { $0.count <= box.columns - 4 } ?? ""
        let title = title.truncated(to: box.columns - 6, ellipsis: theme.ellipsis)
        frame.grid.write(" \(title) ", at: Point(column: box.left + 2, row: box.top), theme[.heading])
        frame.grid.write(
            hint, at: Point(column: box.left + box.columns - 2 - hint.count, row: box.top + box.rows - 1),
            theme[.quiet])
    }
}

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
