/// The rows that are left for the number, while less important lines are placed around it.
struct RowBudget {
    /// The rows left.
    private(set) var rows: Int

    init(rows: Int) { self.rows = rows }

    /// Takes `count` rows if the number keeps at least `least`; returns whether it did.
    mutating func take(_ count: Int = 1, keeping least: Int) -> Bool {
        guard rows >= least + count else { return false }
        rows -= count
        return true
    }
}
