/// How far a timer has come.
package enum TimerState: String, CaseIterable, Sendable {
    /// It counts down.
    case running
    /// It was interrupted and can go on.
    case paused
    /// A user ended it before its time.
    case stopped
    /// It has come to its end, and nobody has acknowledged that.
    case ringing
    /// It has come to its end, which was acknowledged.
    case completed
}

/// What a user can do with a timer.
package enum TimerAction: String, CaseIterable, Sendable {
    case pause, resume, stop, again, acknowledge, remove
}
