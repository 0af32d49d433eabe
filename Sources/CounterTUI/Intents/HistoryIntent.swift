/// What can be asked of the History screen.
public enum HistoryIntent: Hashable, Sendable {
    /// Another range.
    case choose(Choice)
    /// The range before this one, or after it.
    case step(Step)
    /// Ask for a range.
    case askRange
    /// The range that was typed, `FROM` or `FROM to TO`.
    case show(String)
    /// Show all that was odd, or leave that.
    case toggleAnomalies
    /// Earlier rows, or later ones where negative; so many are visible.
    case scroll(Int, visible: Int)
    /// The latest row at the top.
    case showLatest
    /// The earliest row at the bottom.
    case showEarliest(visible: Int)

    /// The ranges that have a key.
    public enum Choice: Hashable, Sendable, CaseIterable {
        /// The operational day.
        case today
        /// The one before.
        case yesterday
        /// The last seven days.
        case week
        /// The last thirty days.
        case month
    }

    /// Which way.
    public enum Step: Hashable, Sendable {
        case before, after
    }
}
