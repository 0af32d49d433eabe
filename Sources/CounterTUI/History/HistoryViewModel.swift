package import Reports

/// What the History screen shows: a range of one location's history.
package struct HistoryViewModel: Hashable, Sendable {
    /// The totals of the range; nil before it has been read.
    package var summary: HistorySummary?
    /// The rows of the range.
    package var list = HistoryList()
    /// Whether the user may take rows back.
    package var mayChange = true

    /// A screen before anything has been read.
    package init() {}
}
