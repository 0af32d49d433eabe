/// What a sound tells.
package enum Cue: String, CaseIterable, Sendable {
    case up
    case down
    /// The count was reset, corrected, or a change undone.
    case reset
    /// A location has reached its target.
    case target
    /// Something was refused or failed.
    case error
}
