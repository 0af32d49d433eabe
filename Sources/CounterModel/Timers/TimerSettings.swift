/// What a user has set for timers.
package struct TimerSettings: Hashable, Sendable {
    /// How the end of a new timer is announced.
    package var mode = AlarmMode.sound
    /// Whether the desktop's notification of a new timer is a critical one.
    package var isUrgent = false
    /// How loud the tone of a new timer is, in percent, 0...100.
    package var volume = TimerSetup.fullVolume
    /// At most this many timers run or are paused.
    package var mostTimers = 5
    /// At most this many presets are in sight.
    package var mostPresets = 20

    /// The default settings.
    package init() {}

    /// What a new timer is like where nothing else is said.
    package func setup(
        label: String = "", seconds: Int, endAction: EndAction = .discard, locations: TimerLocations = .all
    ) -> TimerSetup {
        TimerSetup(
            label: label, seconds: seconds, mode: mode, endAction: endAction, locations: locations,
            isUrgent: isUrgent, volume: volume)
    }
}
