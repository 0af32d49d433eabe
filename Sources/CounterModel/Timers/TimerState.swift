package enum TimerState: String, CaseIterable, Sendable {
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

package enum TimerAction: String, CaseIterable, Sendable {
    case pause, resume, stop, again, acknowledge, remove

    /// What was done to it, for people and in rows.
    var words: String {
        switch self {
        case .pause: "paused"
        case .resume: "resumed"
        case .stop: "stopped"
        case .again: "started again"
        case .acknowledge: "acknowledged"
        case .remove: "removed"
        }
    }
}

extension TimerState {
    package var isActive: Bool { self == .running || self == .paused }

    /// The possible actions, the usual one first. What they make of a timer in this state:
    ///
    /// | | pause | resume | stop | again | acknowledge | remove |
    /// |---|---|---|---|---|---|---|
    /// | running | paused | – | stopped | – | – | – |
    /// | paused | – | running | stopped | – | – | – |
    /// | stopped | – | – | – | running | – | leaves |
    /// | ringing | – | – | – | running | completed | leaves |
    /// | completed | – | – | – | running | – | leaves |
    package var actions: [TimerAction] {
        switch self {
        case .running: [.pause, .stop]
        case .paused: [.resume, .stop]
        case .stopped, .completed: [.again, .remove]
        case .ringing: [.acknowledge, .again, .remove]
        }
    }

    package func admits(_ action: TimerAction) -> Bool { actions.contains(action) }
}
