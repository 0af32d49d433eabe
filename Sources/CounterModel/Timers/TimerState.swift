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
    /// Whether it runs or is paused.
    package var isActive: Bool { self == .running || self == .paused }

    /// Whether an action is possible, by what it makes of a timer in this state:
    ///
    /// | | pause | resume | stop | again | acknowledge | remove |
    /// |---|---|---|---|---|---|---|
    /// | running | paused | – | stopped | – | – | – |
    /// | paused | – | running | stopped | – | – | – |
    /// | stopped | – | – | – | running | – | leaves |
    /// | ringing | – | – | – | running | completed | leaves |
    /// | completed | – | – | – | running | – | leaves |
    package func admits(_ action: TimerAction) -> Bool {
        switch action {
        case .pause: self == .running
        case .resume: self == .paused
        case .stop: isActive
        case .acknowledge: self == .ringing
        case .again, .remove: !isActive
        }
    }
}

/// An action as a screen offers it.
package struct TimerButton: Hashable, Sendable {
    package let action: TimerAction
    package let title: String
}

/// The actions that a timer in a state offers, the first being the usual one. A timer that stays in the list is ready: it
/// starts, where others start again.
package func makeButtonSet(_ state: TimerState, _ endAction: EndAction) -> [TimerButton] {
    let again = TimerButton(action: .again, title: endAction == .preserve ? "Start" : "Start again")
    let remove = TimerButton(action: .remove, title: "Remove")
    let stop = TimerButton(action: .stop, title: "Stop")
    return switch state {
    case .running: [TimerButton(action: .pause, title: "Pause"), stop]
    case .paused: [TimerButton(action: .resume, title: "Resume"), stop]
    case .stopped, .completed: [again, remove]
    case .ringing: [TimerButton(action: .acknowledge, title: "Acknowledge"), again, remove]
    }
}
