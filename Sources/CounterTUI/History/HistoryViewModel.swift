/// What the History screen shows: a range of one location's history.
public struct HistoryViewModel: Hashable, Sendable {
    /// What the range came to; nil before it has been read.
    public var summary: HistorySummary?
    /// The rows behind it.
    public var list = HistoryList()

    /// A screen on which nothing has been read.
    public init() {}
}
