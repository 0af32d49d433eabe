/// What becomes of a timer that has ended.
package enum EndAction: String, CaseIterable, Sendable {
    /// It leaves the list ten minutes after it was acknowledged or stopped.
    case discard
    /// It stays in the list until it is removed, ready to start again.
    case preserve
}
