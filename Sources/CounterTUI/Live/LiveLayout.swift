/// Chooses the lines of a card for a number of rows. The large number comes first if it gets three rows; it then grows
/// with the rows that are left.
struct LiveLayout {
    /// Rows of the large number; 0 where the number is only in the lines.
    let number: Int
    /// Empty rows above and below the number.
    let air: Int
    /// The lines below the number.
    let lines: [[Span]]

    private static let least = 3

    /// - parameters:
    ///   - rows: All rows but that of the name.
    ///   - facts: Shown in any case, as far as the rows suffice.
    ///   - target: How far the count is on its way to a target; empty without one.
    ///   - warnings: Urgent ones take precedence over the number, the others do not.
    ///   - flow: One line, and the table that replaces it where there is room.
    init(
        rows: Int, facts: [[Span]], target: [[Span]], warnings: (urgent: [[Span]], others: [[Span]]),
        flow: (brief: [[Span]], table: [[Span]])
    ) {
        let all = warnings.urgent + warnings.others
        var budget = RowBudget(rows: rows - facts.count)
        var shown = 0
        if !warnings.urgent.isEmpty, budget.take(keeping: 0) { shown = 1 }
        let least = budget.rows >= Self.least ? Self.least : 0
        let progress = !target.isEmpty && budget.take(keeping: least) ? target : []
        var below: [[Span]] = []
        if flow.brief.count > 0, budget.take(keeping: least) { below = flow.brief }
        while shown < all.count, budget.take(keeping: least) { shown += 1 }
        if least > 0, flow.table.count > 0, budget.take(keeping: 5) {
            below = budget.take(keeping: 6) ? flow.table : Array(flow.table.dropFirst())
        }
        air = least > 0 && budget.take(2, keeping: 7) ? 1 : 0
        let apart: [[Span]] = least > 0 && !below.isEmpty && budget.take(keeping: 6) ? [[]] : []
        number = least > 0 ? budget.rows : 0
        lines = facts + progress + all.prefix(shown) + apart + below
    }
}
