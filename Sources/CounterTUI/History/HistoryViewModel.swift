public import Reports

/// What the History screen shows: a range of one location's history.
public struct HistoryViewModel: Hashable, Sendable {
    /// The totals of the range; nil before it has been read.
    public var summary: HistorySummary?
    /// The rows of the range.
    public var list = HistoryList()
    /// Whether the user may take rows back.
    public var mayChange = true

    /// A screen before anything has been read.
    public init() {}
}
