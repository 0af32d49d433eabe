/// Which durations a timer may have: 1 s to 99:59:59, in whole seconds.
package enum TimerDuration {
    /// 99:59:59, in seconds.
    package static let longest = 359_999

    /// The rule, for error messages.
    package static let text = "a timer lasts 1s to 99:59:59, in whole seconds"

    /// Why a text is no duration of a timer.
    package enum Problem: Error, Hashable, Sendable {
        /// It is no duration at all.
        case unreadable
        /// It is too short, too long, or has a fraction of a second.
        case outOfRange
    }

    /// Reads the duration of a timer. A number without a unit is minutes.
    ///
    /// - returns: Whole seconds.
    package static func read(_ text: some StringProtocol) -> Result<Int, Problem> {
        guard let duration = DurationText.read(text, bareUnit: .minutes) else { return .failure(.unreadable) }
        let (seconds, rest) = duration.components
        guard rest == 0, admits(Int(seconds)) else { return .failure(.outOfRange) }
        return .success(Int(seconds))
    }

    /// Whether a timer may last so many seconds.
    package static func admits(_ seconds: Int) -> Bool { 1...longest ~= seconds }
}
