import Reports

/// The texts of a card: each line in the longest form that fits.
struct LiveTexts {
    let card: LiveCard
    let theme: Theme

    private static let gap = Span("  ")

    /// The count, its ratio to the capacity, its status and its freshness: one line where that fits, else two.
    func facts(columns: Int) -> [[Span]] {
        let status = [badge, freshness].compactMap(\.self).joined(by: Self.gap)
        let forms = count.map { $0.joined(by: Self.gap) }
        if let count = forms.first, (count + [Self.gap] + status).columns <= columns {
            return [count + [Self.gap] + status]
        }
        let count = forms.first { $0.columns <= columns } ?? forms[forms.count - 1]
        return [count, status]
    }

    /// How far the count is on its way to its target; empty without one.
    func target(columns: Int) -> [[Span]] {
        guard let target = card.state.target else { return [] }
        return [
            TargetBar(count: card.state.currentCount, target: target, theme: theme).line(columns: columns)
        ]
    }

    /// As many of the facts as fit on one line of `columns` beside the name. The longer forms are used up to `usual`
    /// columns, so that lines with a short name look like the others.
    func brief(columns: Int, usual: Int) -> [Span] {
        let counts = count.map { $0[0] }
        let long = [counts[0], badge, freshness].line
        if long.columns <= min(columns, usual) { return long }
        let forms = brief(counts[counts.count - 1])
        return forms.first { $0.columns <= columns } ?? forms[forms.count - 1]
    }

    /// The shorter forms. A stale count ranks above an OK status, and below a warning.
    private func brief(_ short: Span) -> [[Span]] {
        let stale = isStale ? Span("Stale", theme[.notice]) : nil
        let isOK = card.state.status == .ok && !card.state.hasNegativeDrift
        let bare = Span("\(card.state.currentCount)", theme[.caption])
        let rounded = Span(Self.rounded(card.state.currentCount), theme[.caption])
        let told = isStale && isOK ? stale : badge
        return [
            [short, badge, freshness].line, [short, badge, stale].line, [short, told].line,
            [bare, told].line,
            [bare].line, [rounded].line,
        ]
    }

    /// `-9.2e18`, for a number that is too wide otherwise; the remaining digits are truncated, not rounded.
    private static func rounded(_ number: Int) -> String {
        let digits = String(number.magnitude)
        guard digits.count > 3 else { return "\(number)" }
        return
            "\(number < 0 ? "-" : "")\(digits.prefix(1)).\(digits.dropFirst().prefix(1))e\(digits.count - 1)"
    }

    /// The warnings, the most severe first: urgent ones, which nothing else on the card shows, and others, which add
    /// detail.
    func warnings() -> (urgent: [[Span]], others: [[Span]]) {
        let drift =
            card.state.hasNegativeDrift ? ["\(card.state.moreLeftThanEntered) more left than entered"] : []
        let devices = card.staleDevices
        let stale = devices.isEmpty ? [] : ["Stale: \(devices.joined(separator: ", "))"]
        let urgent = drift + (isStale ? [] : stale) + [card.problem].compactMap(\.self)
        return (urgent.map(warning), (isStale ? stale : []).map(warning))
    }

    private func warning(_ text: String) -> [Span] { [Span(text, theme[.notice])] }

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

    /// The status as a word; nil for a tally, which has no status.
    private var badge: Span? {
        guard let status = card.state.status else { return nil }
        if card.state.isOvercrowded { return Span(" OVERCROWDED ", theme[.full]) }
        if card.state.hasNegativeDrift { return Span(" DRIFT ", theme[.warning]) }
        return switch status {
        case .ok: Span("OK", theme[.ok])
        case .warning: Span(" WARNING ", theme[.warning])
        case .full: Span(" FULL ", theme[.full])
        }
    }

    private var freshness: Span? {
        guard let freshness = card.freshness else { return Span("No event yet", theme[.quiet]) }
        let text = freshness.text(dot: theme.look.glyphs == .ascii ? "-" : "•")
        return switch freshness.kind {
        case .live: Span(text, theme[.label])
        case .stale: Span(text, theme[.notice])
        case .quiet: Span(text, theme[.quiet])
        }
    }
}

extension [Span?] {
    /// The spans that are not nil, separated by spaces.
    fileprivate var line: [Span] { compactMap(\.self).joined(by: Span(" ")) }
}
