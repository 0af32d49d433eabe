import Linux

/// A box over the screen, in pages where its text is longer than the screen. It leaves the top line visible.
struct OverlayView {
    let title: String
    let context: ScreenContext
    let theme: Theme
    var escape = "Esc closes"
    /// The line at the bottom of every page; nil for none.
    var footer: [Span]?

    /// Draws the lines that `text` returns for the box's inner width in columns.
    func draw(into frame: inout Frame, text: (Int) -> [[Span]]) {
        let size = frame.grid.size
        let columns = min(size.columns, max(72, min(100, size.columns - 20)))
        let lines = text(columns - 4)
        let footers = footer.map { [$0] } ?? []
        let rows = min(lines.count + footers.count + 2, size.rows - 1)
        let corner = Point(column: (size.columns - columns) / 2, row: 1 + (size.rows - 1 - rows) / 2)
        let onePage = max(1, rows - 2 - footers.count)
        let pages = max(1, (lines.count + onePage - 1) / onePage)
        let page = (context.page % pages + pages) % pages
        // What lies below stays visible but dimmed. A click anywhere but on the top line, an alarm or a target of the
        // text closes the overlay, and never reaches it.
        for strip in Area(rows: 1..<size.rows, columns: size.columns).strips {
            frame.grid.restyle(strip, theme[.quiet])
            frame.target(strip, context.close)
        }
        frame.raiseUrgentTarget()
        let box = Area(corner, Size(columns: columns, rows: rows))
        for strip in box.strips { frame.target(strip, context.close) }
        drawFrame(box, hints: hints(page, of: pages), into: &frame)
        let shown = lines.dropFirst(page * onePage).prefix(onePage)
        for (index, line) in shown.enumerated() {
            frame.write(line, at: Point(column: corner.column + 2, row: corner.row + 1 + index))
        }
        if let footer {
            frame.write(footer, at: Point(column: corner.column + 2, row: corner.row + rows - 2))
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

    private func drawFrame(_ box: Area, hints: [String], into frame: inout Frame) {
        let (left, top, columns) = (box.origin.column, box.origin.row, box.size.columns)
        let last = box.size.rows - 1
        let ascii = theme.glyphs == .ascii
        let corners = ascii ? ["+", "+", "+", "+"] : ["╭", "╮", "╰", "╯"]
        let upright = ascii ? "|" : "│"
        let line = String(repeating: ascii ? "-" : "─", count: columns - 2)
        let inside = String(repeating: " ", count: columns - 2)
        for row in 0...last {
            let text =
                switch row {
                case 0: corners[0] + line + corners[1]
                case last: corners[2] + line + corners[3]
                default: upright + inside + upright
                }
            frame.grid.write(text, at: Point(column: left, row: top + row), theme[.border])
        }
        let hint = hints.first { $0.count <= columns - 4 } ?? ""
        let title = title.truncated(to: columns - 6, ellipsis: theme.ellipsis)
        frame.grid.write(" \(title) ", at: Point(column: left + 2, row: top), theme[.heading])
        frame.grid.write(
            hint, at: Point(column: left + columns - 2 - hint.count, row: top + last), theme[.quiet])
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
