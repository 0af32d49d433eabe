import CounterModel
import Linux
import Reports

/// The Timers screen: the timers with what is left of each, the presets, and the results of the last days, in one list.
///
/// ```
///   Timers                                              headings
///   1 Robins                              4:32          rows: one is chosen
///     #########...............  running
///     12 in, 3 out  net 9  North door
///   Presets
///   1 Set         1m, sound
///   Results
///   2026-11-22 14:03  Wrens  3 in, 0 out  net 3
///   Settings
///   At the end      sound
/// ```
struct TimersView: TabView {
    let model: TimersViewModel
    let theme: Theme

    func draw(into frame: inout Frame, rows: Range<Int>) {
        let columns = frame.grid.size.columns - 2
        let lines = TimersLines(model: model, theme: theme, columns: columns).all
        let listed = rows.prefix(left == nil ? rows.count : Self.listRows(lines.count, of: rows.count))
        for (row, line) in zip(listed, lines.dropFirst(start(of: lines, in: listed.count))) {
            frame.write(
                line.spans.truncated(to: columns, ellipsis: theme.ellipsis),
                at: Point(column: 1, row: row))
        }
        let below = min(rows.upperBound, rows.lowerBound + min(listed.count, lines.count) + 1)
        drawLarge(into: &frame, rows: below..<rows.upperBound)
    }

    /// Lower digits are no larger to the eye than the card's own.
    private static let leastLarge = 4
    /// The rows of the digits and the empty one above them, where the list does not fit.
    private static let largeRows = 7
    /// A list that scrolls has no fewer rows beside the digits.
    private static let leastListed = 12

    /// The rows of the list: the digits keep some where the list scrolls anyway.
    private static func listRows(_ lines: Int, of rows: Int) -> Int {
        lines + leastLarge < rows || rows - largeRows < leastListed ? rows : rows - largeRows
    }

    /// What is left of the selected timer, or else of the first.
    private var left: String? { model.card?.left ?? model.cards.lazy.compactMap(\.left).first }

    /// What is left, as large as it fits below the list.
    private func drawLarge(into frame: inout Frame, rows: Range<Int>) {
        guard let left else { return }
        let area = Area(rows: rows, columns: frame.grid.size.columns)
        guard rows.count >= Self.leastLarge,
            let number = LargeNumber(clock: left, in: area.size, glyphs: theme.glyphs)
        else { return }
        NumberView(number: number) { theme.digits(row: $0, of: $1, level: 0) }.draw(into: &frame, in: area)
    }

    /// The first visible line: the selected row is about in the middle where not all lines fit.
    private func start(of lines: [TimersLines.Line], in rows: Int) -> Int {
        let chosen = lines.firstIndex { $0.row == model.cursor } ?? 0
        return min(max(0, chosen - rows / 2), max(0, lines.count - rows))
    }
}

/// The lines of the Timers screen's list.
struct TimersLines {
    let model: TimersViewModel
    let theme: Theme
    /// The available width.
    let columns: Int

    /// A line, and the row that starts with it.
    struct Line {
        let spans: [Span]
        var row: TimersRow?
    }

    var all: [Line] {
        [heading("Timers")] + section(model.cards.flatMap(lines(of:)), empty: "none; N starts one")
            + [heading("Presets")] + section(model.presets.map(line(of:)), empty: "none; * keeps a timer")
            + [heading("Results")]
            + section(model.results.map(line(of:)), empty: "none in the last seven days")
            + (model.preferences.isEmpty ? [] : [heading("Settings")] + model.preferences.map(line(of:)))
    }

    private func heading(_ text: String) -> Line { Line(spans: [Span(text, theme[.heading])]) }

    private func section(_ lines: [Line], empty: String) -> [Line] {
        lines.isEmpty ? [Line(spans: [Span("  " + empty, theme[.quiet])])] : lines
    }

    private func style(_ row: TimersRow, _ role: Theme.Role) -> Style {
        theme[row == model.cursor ? .selectedTab : role]
    }

    // MARK: - Timers

    private func lines(of card: TimerCard) -> [Line] {
        let row = TimersRow.timer(card.id)
        let left = card.left ?? ""
        let room = columns - left.count - 6
        let title = "\(card.number) \(card.title.sanitised)".truncated(
            to: room, ellipsis: theme.ellipsis)
        let gap = String(
            repeating: " ", count: max(1, columns - 2 - CharacterWidth.columns(title) - left.count))
        let choose = Intent.timers(.choose(row))
        return [
            Line(
                spans: [
                    Span("  "), Span(title, style(row, .caption), choose), Span(gap),
                    Span(left, theme[.caption], choose),
                ], row: row),
            Line(
                spans: [Span("    ")] + bar(card) + [Span("  "), Span(card.status, statusStyle(card))]
                    + buttons(card)),
            Line(spans: [
                Span("    " + card.result, theme[.ins]), Span("  "), Span(card.net, theme[.ins]), Span("  "),
                Span(card.places, theme[.quiet]),
            ]),
        ]
    }

    private func statusStyle(_ card: TimerCard) -> Style {
        switch card.state {
        case .running: theme[.ok]
        case .paused: theme[.notice]
        case .ringing: theme[.alert]
        case .stopped, .completed: theme[.quiet]
        }
    }

    private func bar(_ card: TimerCard) -> [Span] {
        let width = max(8, min(30, columns / 3))
        let full = width * card.permille / 1000
        let isPlain = theme.glyphs == .ascii
        return [
            Span(String(repeating: isPlain ? "#" : "█", count: full), theme[.ins]),
            Span(String(repeating: isPlain ? "." : "░", count: width - full), theme[.quiet]),
        ]
    }

    /// What else can be done, beside what Enter does, as far as there is room.
    private func buttons(_ card: TimerCard) -> [Span] {
        guard model.mayChange, columns >= 70 else { return [] }
        return card.buttons.flatMap { button in
            let intent = Intent.timers(.perform(button.action, card.id))
            return [Span("  "), Span("[\(button.title)]", theme[.label], intent)]
        }
    }

    // MARK: - Presets and results

    private func line(of preset: PresetCard) -> Line {
        let row = TimersRow.preset(preset.id)
        let title = "\(preset.number) \(preset.setup.title.sanitised)"
        let name = title.truncated(to: columns / 2, ellipsis: theme.ellipsis)
        return Line(
            spans: [
                Span("  "), Span(name, style(row, .caption), .timers(.choose(row))), Span("  "),
                Span(preset.facts, theme[.label]),
            ], row: row)
    }

    private func line(of result: TimerResultLine) -> Line {
        let row = TimersRow.result(result.id)
        return Line(
            spans: [
                Span("  "), Span(result.started, style(row, .label), .timers(.choose(row))), Span("  "),
                Span(
                    result.title.sanitised.truncated(to: columns / 3, ellipsis: theme.ellipsis),
                    theme[.caption]),
                Span("  "), Span(result.result, theme[.ins]), Span("  "), Span(result.net, theme[.ins]),
            ], row: row)
    }

    // MARK: - Settings

    /// The width of the names.
    private static let nameColumns = 14

    private func line(of line: PreferenceLine) -> Line {
        let row = TimersRow.preference(line.preference)
        let title = line.preference.title
        let gap = String(repeating: " ", count: Self.nameColumns - title.count)
        let intent = Intent.timers(model.mayChange ? model.action(on: row) : .choose(row))
        return Line(
            spans: [
                Span("  " + title + gap, theme[.label], intent),
                Span(line.value.sanitised + line.preference.unit, style(row, .caption), intent),
            ], row: row)
    }
}
