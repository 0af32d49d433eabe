/// Which lines of a card are shown in how many rows. The number comes first where it has three rows, then grows with what
/// is left.
struct LiveLayout {
    /// Rows for the number; 0 where it stands in the lines only.
    let number: Int
    /// Empty rows above and below the number.
    let air: Int
    /// What stands below the number.
    let lines: [[Span]]

    private static let least = 3

    /// - parameters:
    ///     - rows: All but the name's.
    ///     - facts: Always shown, as far as there are rows.
    ///     - warnings: An urgent one is shown before the number, the others after it.
    ///     - flow: One line, and the table that takes its place.
    init(
        rows: Int, facts: [[Span]], warnings: (urgent: [[Span]], others: [[Span]]),
        flow: (brief: [[Span]], table: [[Span]])
    ) {
        let all = warnings.urgent + warnings.others
        var budget = RowBudget(rows: rows - facts.count)
        var shown = 0
        if !warnings.urgent.isEmpty, budget.take(keeping: 0) { shown = 1 }
        let least = budget.rows >= Self.least ? Self.least : 0
        var below: [[Span]] = []
        if flow.brief.count > 0, budget.take(keeping: least) { below = flow.brief }
        while shown < all.count, budget.take(keeping: least) { shown += 1 }
        if least > 0, flow.table.count > 0, budget.take(keeping: 5) {
            below = budget.take(keeping: 6) ? flow.table : Array(flow.table.dropFirst())
        }
        air = least > 0 && budget.take(2, keeping: 7) ? 1 : 0
        let apart: [[Span]] = least > 0 && !below.isEmpty && budget.take(keeping: 6) ? [[]] : []
        number = least > 0 ? budget.rows : 0
        lines = facts + all.prefix(shown) + apart + below
    }
}
