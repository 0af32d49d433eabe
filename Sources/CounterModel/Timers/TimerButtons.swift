/// An action as a screen offers it.
package struct TimerButton: Hashable, Sendable {
    /// What it does.
    package let action: TimerAction
    /// Its words.
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
