package import CounterModel
package import Linux
package import Reports

/// An intent of the History screen.
package enum HistoryIntent: Hashable, Sendable {
    /// Show a named range.
    case choose(HistorySelection)
    /// Show the preceding or following range.
    case step(HistoryChoice.Step)
    case askRange
    /// Show the range that was typed, `FROM` or `FROM to TO`.
    case show(String)
    /// Show all anomalies, or close them.
    case toggleAnomalies
    /// Select an earlier row, or a later one where negative; `visible` is the number of visible rows.
    case move(Int, visible: Int)
    /// Select the row at this position.
    case select(Position)
    /// Ask for confirmation to take back the row at this position.
    case askToTakeBack(Position)
    /// Take back the row at this position, of the location with this id.
    case takeBack(Position, at: Identifier)
    /// Scroll to earlier rows, or to later ones where negative; `visible` is the number of visible rows.
    case scroll(Int, visible: Int)
    /// Scroll the latest row to the top.
    case showLatest
    /// Scroll the earliest row to the bottom.
    case showEarliest(visible: Int)
}
