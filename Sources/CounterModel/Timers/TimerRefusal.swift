/// Why something is not done with a timer or a preset.
package enum TimerRefusal: Error, Hashable, Sendable {
    /// As many timers run or are paused as may; their titles.
    case tooManyTimers([String])
    /// As many presets are in sight as may; their titles.
    case tooManyPresets([String])
    /// No timer in the list has that number or label; the titles of those that are in it.
    case unknownTimer(String, among: [String] = [])
    /// No preset has that number or label; the titles of the presets.
    case unknownPreset(String, among: [String] = [])
    /// The timer was started again or removed since the caller saw it.
    case timerIsGone(String)
    /// The preset was removed or restored since the caller saw it.
    case presetIsGone(String)
    /// Several timers in the list have that label; their numbers.
    case ambiguousTimer(String, [Int])
    /// Another preset in sight has that label.
    case presetExists(String)
    /// The action is not possible in the timer's state.
    case notPossible(TimerAction, TimerState, number: Int)
    /// The timer does not run and is not paused, so that it cannot be made longer.
    case notExtensible(TimerState, number: Int)
    /// A part of the timer would be longer than a timer may be.
    case tooLong(number: Int)
    /// A value of the setup is out of its range, or there are too many locations.
    case invalidSetup
}

extension TimerRefusal: CustomStringConvertible {
    /// The reason in words.
    package var description: String {
        switch self {
        case .tooManyTimers(let titles):
            "\(titles.count == 1 ? "1 timer is" : "\(titles.count) timers are") running or paused, as many as may: \(titles.joined(separator: ", "))"
        case .tooManyPresets(let titles):
            "there \(titles.count == 1 ? "is 1 preset" : "are \(titles.count) presets"), as many as may be: \(titles.joined(separator: ", "))"
        case .unknownTimer(let name, _): "there is no timer '\(name)'"
        case .unknownPreset(let name, _): "there is no preset '\(name)'"
        case .timerIsGone(let name): "timer '\(name)' was started again or removed meanwhile"
        case .presetIsGone(let name): "preset '\(name)' was removed or restored meanwhile"
        case .ambiguousTimer(let label, let numbers):
            "several timers are called '\(label)': \(numbers.map(String.init).joined(separator: ", "))"
        case .presetExists(let title): "there is a preset '\(title)' already"
        case .notPossible(let action, let state, let number):
            "timer \(number) is \(state.words): it cannot be \(action.words)"
        case .notExtensible(let state, let number):
            "timer \(number) is \(state.words): it cannot be made longer"
        case .tooLong(let number): "timer \(number) cannot be made longer: \(TimerDuration.text)"
        case .invalidSetup:
            "\(TimerDuration.text), has 1 to \(TimerSetup.mostRounds) rounds, and counts in all locations or in not too many"
        }
    }

    /// What the user can do about it; nil where there is nothing to say.
    package var remedy: String? {
        switch self {
        case .tooManyTimers: "Stop one:\ncounter timer stop N"
        case .tooManyPresets: "Remove one:\ncounter timer preset remove N"
        case .unknownTimer, .timerIsGone: "List them: counter timer list."
        case .unknownPreset, .presetIsGone: "List them: counter timer preset list."
        case .ambiguousTimer: "Name it by its number."
        case .presetExists: "Give it another label, or edit that one: counter timer preset edit."
        case .notPossible(.remove, .running, let number), .notPossible(.remove, .paused, let number):
            "Stop it first: counter timer stop \(number)."
        case .notPossible, .notExtensible, .tooLong, .invalidSetup: nil
        }
    }
}

extension TimerState {
    /// The state in words.
    package var words: String {
        switch self {
        case .running: "running"
        case .paused: "paused"
        case .stopped: "stopped"
        case .ringing: "over and not acknowledged"
        case .completed: "over"
        }
    }
}

extension TimerAction {
    fileprivate var words: String {
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
