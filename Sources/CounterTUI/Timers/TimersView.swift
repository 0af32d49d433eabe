import CounterModel
import Linux
import Reports

/// The Timers screen: the timers with what is left of each, the presets, and the results of the last days, in one list.
///
/// ```
///   Timers                                              headings
///   1 Robins               round 4:32, all 9:02         rows: one is chosen
///     #########...............  round 1 of 2
///     12 in, 3 out  net 9  all locations
///       North door  7 in, 3 out  net 4                  parts, of the chosen row where there is not room for all
///   Presets
///   1 Set         1m, sound
///   Results
///   2026-11-22 14:03  Wrens  3 in, 0 out  net 3  5:00
///   Settings
///   End told by     sound
/// ```
struct TimersView {
    let model: TimersViewModel
    let theme: Theme
    /// How many columns a line has.
    let columns: Int

    typealias Line = ListLine<TimersRow>

    func draw(into frame: inout Frame, rows: Range<Int>) {
        let lines = lines(fitting: rows.count)
        let listed = rows.prefix(left == nil ? rows.count : Self.listRows(lines.count, of: rows.count))
        model.draw(lines, into: &frame, rows: listed, theme)
        let below = min(rows.upperBound, rows.lowerBound + min(listed.count, lines.count) + 1)
        drawLarge(into: &frame, rows: below..<rows.upperBound)
    }

    /// The lines with the parts of all results, or where these leave no room for the digits, of the chosen one alone.
    private func lines(fitting rows: Int) -> [Line] {
        let whole = lines
        if whole.count + (left == nil ? 0 : Self.leastLarge + 1) <= rows { return whole }
        return whole.filter { $0.partOf == nil || $0.partOf == model.cursor }
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

    private var lines: [Line] {
        let results = model.results.flatMap(result(of:))
        let settings = model.preferences.map(line(of:))
        return Line.section(
            "Timers", model.cards.flatMap(lines(of:)),
            empty: "none; \(model.context.name(of: "n6")) starts one", theme)
            + Line.section("Presets", model.presets.map(line(of:)), empty: "none; * keeps a timer", theme)
            + Line.section("Results", results, empty: "none in the last seven days", theme)
            + (settings.isEmpty ? [] : [.heading("Settings", theme)] + settings)
    }

    private func style(_ row: TimersRow, _ role: Theme.Role) -> Style { model.style(row, role, theme) }

    // MARK: - Timers

    private func lines(of card: TimerReport) -> [Line] {
        let row = TimersRow.timer(card.timer.id)
        let left = card.leftText ?? ""
        let room = columns - left.count - 6
        let title = "\(card.timer.number) \(card.timer.setup.title.sanitised)"
            .truncated(to: room, ellipsis: theme.ellipsis)
        let gap = String(
            repeating: " ", count: max(1, columns - 2 - CharacterWidth.columns(title) - left.count))
        let choose = { model.choose(row) }
        return [
            Line(
                spans: [
                    Span("  "), Span(title, style(row, .caption), choose), Span(gap),
                    Span(left, theme[.caption], choose),
                ], row: row),
            Line(
                spans: fitting(
                    [Span("    ")] + bar(card) + [Span(card.activity, statusStyle(card))], buttons(card))),
            Line(spans: spans(of: card, behind: [Span("    ")], places: card.places)),
        ] + parts(of: card, row)
    }

    /// What was counted, with other facts about it.
    private func spans(of card: TimerReport, behind before: [Span], places: String = "") -> [Span] {
        let facts = [places, card.time].filter { !$0.isEmpty }.map { [Span("  " + $0, theme[.quiet])] }
        return fitting(before + [Span("\(card.counted)  net \(card.net)", theme[.ins])], facts)
    }

    /// A line with as many of further parts as fit.
    private func fitting(_ line: [Span], _ parts: [[Span]]) -> [Span] {
        let lines = (0...parts.count).map { line + parts.prefix($0).joined() }
        return lines.last { $0.columns <= columns } ?? line
    }

    private func parts(of card: TimerReport, _ row: TimersRow) -> [Line] {
        card.partLines.map { Line(spans: [Span("      " + $0, theme[.label])], partOf: row) }
    }

    private func statusStyle(_ card: TimerReport) -> Style {
        switch card.state {
        case .running: theme[.ok]
        case .paused: theme[.notice]
        case .ringing: theme[.alert]
        case .stopped, .completed: theme[.quiet]
        }
    }

    /// How much of the present part is over; nothing where all is.
    private func bar(_ card: TimerReport) -> [Span] {
        if card.left == nil { return [] }
        let width = max(8, columns / 3)
        return theme.bar(width * card.permille / 1000, of: width, theme[.ins]) + [Span("  ")]
    }

    private func buttons(_ card: TimerReport) -> [[Span]] {
        guard model.mayChange, columns >= 70 else { return [] }
        return card.state.actions.map { action in
            [
                Span("  "),
                Span("[\(card.title(of: action))]", theme[.label]) { model.perform(action, card.timer.id) },
            ]
        }
    }

    // MARK: - Presets and results

    private func line(of report: PresetReport) -> Line {
        let row = TimersRow.preset(report.preset.id)
        let title = "\(report.preset.number) \(report.preset.setup.title.sanitised)"
        let name = title.truncated(to: columns / 2, ellipsis: theme.ellipsis)
        return Line(
            spans: [
                Span("  "), Span(name, style(row, .caption)) { model.choose(row) }, Span("  "),
                Span(report.facts, theme[.label]),
            ], row: row)
    }

    private func result(of report: TimerReport) -> [Line] {
        let row = TimersRow.result(report.timer.id)
        let title = report.timer.setup.title.sanitised.truncated(to: columns / 3, ellipsis: theme.ellipsis)
        let name = [
            Span("  "), Span(report.started, style(row, .label)) { model.choose(row) },
            Span("  \(title)  ", theme[.caption]),
        ]
        return [Line(spans: spans(of: report, behind: name), row: row)] + parts(of: report, row)
    }

    // MARK: - Settings

    private static let nameColumns = 14

    private func line(of line: PreferenceLine) -> Line {
        let row = TimersRow.preference(line.preference)
        let (title, unit, _) = line.preference.texts
        let action = model.mayChange ? model.action(on: row) : { model.choose(row) }
        return Line(
            spans: [
                Span("  " + title.padded(to: Self.nameColumns), theme[.label], action),
                Span(line.value.sanitised + unit, style(row, .caption), action),
            ], row: row)
    }
}
