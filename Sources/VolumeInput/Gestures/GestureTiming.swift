/// The settings of the timing table, under its names.
package struct GestureTiming: Hashable, Sendable {
    /// The minimum time between two counts of the same key. 0 to 10 s.
    package var debounce = Duration.milliseconds(150)
    /// The maximum time between the two presses of a chord. 0 to less than `holdDelay`.
    package var chord = Duration.milliseconds(100)
    /// The time from a press to its first repeat. 1 ms to 1 min.
    package var holdDelay = Duration.milliseconds(400)
    /// The time between repeats. 10 ms to 1 min.
    package var repeatInterval = Duration.milliseconds(150)
    /// The maximum time from a release to a press that is contact bounce. Limited to `debounce`. 0 to 1 s.
    package var bounce = Duration.milliseconds(25)
    /// The maximum duration of a hold. More than `holdDelay`, at most 1 h.
    package var holdLimit = Duration.seconds(30)

    package init() {}

    package struct Invalid: Error, Hashable, CustomStringConvertible {
        /// The setting's name on the command line, without dashes.
        package let setting: String
        package let requirement: String

        package var description: String { "\(setting) must be \(requirement)" }
    }

    /// Throws for the first setting that is out of its range.
    package func validate() throws(Invalid) {
        try Self.require(debounce, in: .zero ... .seconds(10), "debounce", "0 to 10 s")
        try Self.require(bounce, in: .zero ... .seconds(1), "bounce", "0 to 1 s")
        try Self.require(holdDelay, in: .milliseconds(1) ... .seconds(60), "hold-delay", "1 ms to 1 min")
        try Self.require(repeatInterval, in: .milliseconds(10) ... .seconds(60), "repeat", "10 ms to 1 min")
        try Self.require(holdLimit, in: .zero ... .seconds(3600), "hold-limit", "at most 1 h")
        guard chord >= .zero, chord < holdDelay else {
            throw Invalid(setting: "chord", requirement: "0 or more, and less than hold-delay")
        }
        guard holdLimit > holdDelay else {
            throw Invalid(setting: "hold-limit", requirement: "more than hold-delay")
        }
    }

    private static func require(
        _ value: Duration, in range: ClosedRange<Duration>, _ setting: String, _ requirement: String
    ) throws(Invalid) {
        if !range.contains(value) { throw Invalid(setting: setting, requirement: requirement) }
    }
}
