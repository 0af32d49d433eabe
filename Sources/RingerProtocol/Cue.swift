/// What a sound tells.
public enum Cue: String, CaseIterable, Sendable {
    case up
    case down
    /// The count was reset, corrected, or a change undone.
    case reset
    /// A location has reached its target.
    case target
    /// Something was refused or failed.
    case error
}
