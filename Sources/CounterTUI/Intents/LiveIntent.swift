public import CounterModel

/// An intent of the Live screen.
public enum LiveIntent: Hashable, Sendable {
    /// Shows the location with this id alone.
    case enlarge(String)
    /// Shows all locations.
    case overview
    /// Counts one entry by hand, into the location with this id.
    case count(EntryType, at: String)
    /// Voids the last change of the location with this id.
    case undo(at: String)
}
