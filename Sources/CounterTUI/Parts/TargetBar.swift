/// How far a count is on its way to a target: `██████░░░░  12 of 50  38 left`.
struct TargetBar {
    let count: Int
    let target: Int
    let theme: Theme

    private static let widest = 40
    private static let least = 5

    /// One line of at most `columns` columns; the bar is left out first, then what is left.
    func line(columns: Int) -> [Span] {
        let whole = facts.joined(by: Span("  "))
        let width = min(Self.widest, columns - whole.columns - 2)
        if width >= Self.least { return bar(width) + [Span("  ")] + whole }
        return whole.columns <= columns ? whole : Array(facts.prefix(1))
    }

    private var isReached: Bool { count >= target }

    private var facts: [Span] {
        let left = Int128(target) - Int128(count)
        return [
            Span("\(count) of \(target)", theme[.caption]),
            isReached ? Span("target reached", theme[.ok]) : Span("\(left) left", theme[.label]),
        ]
    }

    private func bar(_ width: Int) -> [Span] {
        let filled = Int(Int128(max(0, min(count, target))) * Int128(width) / Int128(target))
        let (full, empty): (Character, Character) = theme.look.glyphs == .ascii ? ("#", ".") : ("█", "░")
        return [
            Span(String(repeating: full, count: filled), theme[isReached ? .ok : .ins]),
            Span(String(repeating: empty, count: width - filled), theme[.quiet]),
        ]
    }
}
