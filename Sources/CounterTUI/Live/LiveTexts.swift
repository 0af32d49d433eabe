import CounterModel
import Reports

/// The texts of a card: each line in the longest form that fits.
struct LiveTexts {
    let card: LiveCard
    let theme: Theme

    private static var gap: Span { Span("  ") }

    /// The count, its ratio to the capacity, its status and its freshness: one line where that may be and fits, else two.
    func facts(columns: Int, onOneLine: Bool) -> [[Span]] {
        // The status is whole before anything else. A badge has a space of its own.
        let told = [(freshness(named: true), Self.gap), (freshness(named: false), Self.gap)]
        let short = [(freshness(named: false), Span("")), (age, Span("")), (nil, Span(""))]
        let statuses = (told + short).map { [badge, $0].compactMap(\.self).joined(by: $1) }
        let status = statuses.first { $0.columns <= columns } ?? []
        let forms = count.map { $0.joined(by: Self.gap) }
        if onOneLine, let count = forms.first, (count + [Self.gap] + status).columns <= columns {
            return [count + [Self.gap] + status]
        }
        let count = forms.first { $0.columns <= columns } ?? forms[forms.count - 1]
        return [count, status]
    }

    /// How far the count is on its way to its target; empty without one.
    func target(columns: Int) -> [[Span]] {
        guard let target = card.state.target else { return [] }
        return [
            ProgressBar(count: card.state.currentCount, target: target, theme: theme).line(columns: columns)
        ]
    }

    /// As many of the facts as fit on one line of `columns` beside the name. The longer forms are used up to `usual`
    /// columns, so that lines with a short name look like the others.
    func brief(columns: Int, usual: Int) -> [Span] {
        let counts = count.map { $0[0] }
        let long = [counts[0], badge, freshness(named: false)].line
        if long.columns <= min(columns, usual) { return long }
        let forms = brief(counts[counts.count - 1])
        return forms.first { $0.columns <= columns } ?? forms[forms.count - 1]
    }

    /// A total: the name, the count, and today's entries where they fit.
    func total(columns: Int) -> [Span] {
        let name = Span(card.name, theme[.caption])
        let facts = count.map { [name] + $0 + [badge].compactMap(\.self) }
        let forms = (facts.map { $0 + (today().first ?? []) } + facts).map { $0.joined(by: Self.gap) }
        return forms.first { $0.columns <= columns }
            ?? forms[forms.count - 1].truncated(to: columns, ellipsis: theme.ellipsis)
    }

    private func brief(_ short: Span) -> [[Span]] {
        let stale = isStale ? Span("Stale", theme[.notice]) : nil
        let bare = Span("\(card.state.currentCount)", theme[.caption])
        let rounded = Span(Self.rounded(card.state.currentCount), theme[.caption])
        let told = badge ?? stale
        let alarm = card.state.isOvercrowded ? Span("\(card.state.currentCount)!", theme[.full]) : bare
        return [
            [short, badge, freshness(named: false)].line, [short, badge, stale].line, [short, told].line,
            [bare, told].line,
            [alarm].line, [rounded].line,
        ]
    }

    /// `-9.2e18`, for a number that is too wide otherwise; the remaining digits are truncated, not rounded.
    private static func rounded(_ number: Int) -> String {
        let digits = String(number.magnitude)
        guard digits.count > 3 else { return "\(number)" }
        return
            "\(number < 0 ? "-" : "")\(digits.prefix(1)).\(digits.dropFirst().prefix(1))e\(digits.count - 1)"
    }

    /// The warnings, the most severe first. Where there are none, who did the last on another machine.
    func warnings() -> [[Span]] {
        let drift = card.state.hasNegativeDrift ? [card.state.driftWords] : []
        // Where all of them are stale, the freshness says so.
        let stale = isStale ? nil : staleText
        let texts = drift + [stale, card.problem].compactMap(\.self)
        if texts.isEmpty, let last = card.lastActor {
            return [[Span("Last: \(last.sanitised)", theme[.quiet])]]
        }
        return texts.map { [Span($0, theme[.notice])] }
    }

    /// `Stale: Gate`; nil where no device is stale.
    private var staleText: String? {
        card.staleDevices.isEmpty ? nil : "Stale: \(card.staleDevices.joined(separator: ", "))"
    }

    private var isStale: Bool { card.freshness?.kind == .stale }

    /// The count with its capacity, from the longest form to the shortest.
    private var count: [[Span]] {
        let state = card.state
        let number = Span("\(state.currentCount)", theme[.caption])
        guard let capacity = state.maxCapacity, let share = state.percentage, let left = state.placesLeft
        else { return [[number]] }
        let short = Span("\(state.currentCount)/\(capacity)", theme[.caption])
        return [
            [
                Span("\(state.currentCount) of \(capacity)", theme[.caption]), Span("\(share) %"),
                Span("\(left) left"),
            ],
            [short, Span("\(share) %"), Span("\(left) left")], [short, Span("\(share) %")], [short],
        ]
    }

    /// The status as a word; nil for a tally, which has no status, and where a count that is stale would be OK.
    private var badge: Span? {
        if card.state.hasNegativeDrift { return Span(" DRIFT ", theme[.warning]) }
        if card.state.status == .ok, isStale || staleText != nil { return nil }
        return theme.badge(card.state)
    }

    /// The shortest form of when the location was last heard from: `12 s ago`, `Stale`.
    private var age: Span? {
        guard let freshness = card.freshness else { return nil }
        return isStale
            ? Span("Stale", theme[.notice]) : Span(String(freshness.text.dropFirst(5)), theme[.quiet])
    }

    /// When the location was last heard from; where it is stale, what is, by name if `named`.
    private func freshness(named: Bool) -> Span? {
        guard let freshness = card.freshness else { return Span("No event yet", theme[.quiet]) }
        let text = freshness.text
        return switch freshness.kind {
        case .live: Span(text, theme[.label])
        case .stale: Span("\(named ? staleText ?? "Stale" : "Stale"), \(text)", theme[.notice])
        case .quiet: Span(text, theme[.quiet])
        }
    }
}

extension [Span?] {
    fileprivate var line: [Span] { compactMap(\.self).joined(by: Span(" ")) }
}

// MARK: - Entries in and out

extension LiveTexts {
    private static let leastBars = 10

    private var words: FlowWords { card.words }
    private var labels: Int { words.outs.count + 1 }

    /// One line for today, without the last hour; empty where the day is unknown.
    func today() -> [[Span]] {
        guard let today = card.today else { return [] }
        return [[Span("\(words.ins) \(today.ins)  \(words.outs) \(today.outs)  today", theme[.label])]]
    }

    /// A heading, and one line each for in and out, all equally wide: today as numbers, and the last hour as sparklines. Empty
    /// where they do not fit.
    func table(columns: Int) -> [[Span]] {
        guard let today = card.today, !card.lastHour.isEmpty else { return [] }
        let width = max(5, "\(today.ins)".count, "\(today.outs)".count)
        let room = columns - labels - width - Self.gap.columns
        let ins = Sparkline(card.lastHour.map(\.ins), columns: room)
        let outs = Sparkline(card.lastHour.map(\.outs), columns: room)
        guard ins.values.count >= Self.leastBars else { return [] }
        let most = (ins.values + outs.values).max() ?? 0
        let heading = padded("today", width + labels) + "  last hour"
        return [
            [Span(heading.padded(to: labels + width + Self.gap.columns + ins.values.count), theme[.quiet])],
            row(words.ins, today.ins, width, ins.text(upTo: most, glyphs: theme.glyphs)),
            row(words.outs, today.outs, width, outs.text(upTo: most, glyphs: theme.glyphs)),
        ]
    }

    private func row(_ label: String, _ number: Int, _ width: Int, _ line: String) -> [Span] {
        [
            Span(label.padded(to: labels) + padded("\(number)", width) + "  ", theme[.label]),
            Span(line, theme[.exclusive]),
        ]
    }

    // Right-aligned in its column.
    private func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

/// One character for each interval: the higher, the more entries it had.
struct Sparkline {
    /// From zero to the maximum. Only zero has the first character.
    private static let steps: [Capabilities.Glyphs: [Character]] = [
        .quadrants: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], .halves: ["_", "▄", "█"],
        .ascii: ["_", ".", ":", "+", "*", "#"],
    ]

    /// The numbers, one for each character; none is negative.
    let values: [Int]

    /// Adds neighbouring values until there are at most `columns` numbers, each the sum of equally many values.
    init(_ values: [Int], columns: Int) {
        let size = (1...max(1, values.count)).first {
            values.count % $0 == 0 && values.count / $0 <= columns
        }
        self.values =
            size.map { size in
                stride(from: 0, to: values.count, by: size).map { values[$0..<($0 + size)].reduce(0, +) }
            } ?? []
    }

    /// The line; the value `most` has full height, and must be at least the highest value.
    func text(upTo most: Int, glyphs: Capabilities.Glyphs) -> String {
        let (steps, most) = (Self.steps[glyphs] ?? [], max(1, most))
        // Rounded up, so that every value above zero is visible.
        return String(values.map { steps[($0 * (steps.count - 1) + most - 1) / most] })
    }
}
