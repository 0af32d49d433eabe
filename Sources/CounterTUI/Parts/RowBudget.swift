/// The rows that a number still has, while lines that matter less are put around it.
struct RowBudget {
    /// What is left.
    private(set) var rows: Int

    init(rows: Int) { self.rows = rows }

    /// Takes some of them if the number keeps at least `least`; says whether it did.
    mutating func take(_ count: Int = 1, keeping least: Int) -> Bool {
        guard rows >= least + count else { return false }
        rows -= count
        return true
    }
}
