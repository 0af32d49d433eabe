/// What an action makes of a timer.
package enum TimerTransition: Hashable, Sendable {
    /// It goes on in this state.
    case to(TimerState)
    /// It leaves the list.
    case leaves
}

/// What an action makes of a timer in a state.
///
/// | | pause | resume | stop | again | acknowledge | remove |
/// |---|---|---|---|---|---|---|
/// | running | paused | – | stopped | – | – | – |
/// | paused | – | running | stopped | – | – | – |
/// | stopped | – | – | – | running | – | leaves |
/// | ringing | – | – | – | running | completed | leaves |
/// | completed | – | – | – | running | – | leaves |
///
/// - returns: nil where the action is not possible.
package func transition(_ state: TimerState, _ action: TimerAction) -> TimerTransition? {
    switch (state, action) {
    case (.running, .pause): .to(.paused)
    case (.paused, .resume): .to(.running)
    case (.running, .stop), (.paused, .stop): .to(.stopped)
    case (.stopped, .again), (.ringing, .again), (.completed, .again): .to(.running)
    case (.ringing, .acknowledge): .to(.completed)
    case (.stopped, .remove), (.ringing, .remove), (.completed, .remove): .leaves
    case (.running, _), (.paused, _), (.stopped, _), (.ringing, _), (.completed, _): nil
    }
}
