/// What a user asks of a timer, or stores in a preset.
package struct TimerSetup: Hashable, Sendable {
    /// At most this many rounds.
    package static let mostRounds = 99
    /// In percent.
    package static let fullVolume = 100

    /// As `LabelSanitizer` makes it; may be empty.
    package var label: String
    /// The length of a round; see `TimerDuration`.
    package var seconds: Int
    /// How the end is announced.
    package var mode: AlarmMode
    /// What becomes of the timer at its end.
    package var endAction: EndAction
    /// Where it counts.
    package var locations: TimerLocations
    /// How many rounds it has, 1 to 99.
    package var rounds: Int
    /// How long the pause between two rounds is, in seconds; 0 or more.
    package var pauseSeconds: Int
    /// How long before the first round it begins, in seconds; 0 or more.
    package var leadInSeconds: Int
    /// Whether a minute before the end of a round that is announced.
    package var announcesLastMinute: Bool
    /// Whether the desktop's notification is a critical one.
    package var isUrgent: Bool
    /// How loud the tone at the end is, in percent, 0...100.
    package var volume: Int

    /// Creates a setup.
    package init(
        label: String = "", seconds: Int, mode: AlarmMode = .sound,
        endAction: EndAction = .discard, locations: TimerLocations = .all, rounds: Int = 1,
        pauseSeconds: Int = 0, leadInSeconds: Int = 0, announcesLastMinute: Bool = false,
        isUrgent: Bool = false, volume: Int = fullVolume
    ) {
        self.label = LabelSanitizer.label(label)
        self.seconds = seconds
        self.mode = mode
        self.endAction = endAction
        self.locations = locations
        self.rounds = rounds
        self.pauseSeconds = pauseSeconds
        self.leadInSeconds = leadInSeconds
        self.announcesLastMinute = announcesLastMinute
        self.isUrgent = isUrgent
        self.volume = volume
    }

    /// The label, or the duration where there is none.
    package var title: String { label.isEmpty ? DurationText.short(seconds: seconds) : label }

    /// Whether all values are in their ranges.
    package var isValid: Bool {
        TimerDuration.admits(seconds) && 1...Self.mostRounds ~= rounds
            && 0...TimerDuration.longest ~= pauseSeconds && 0...60 ~= leadInSeconds
            && 0...Self.fullVolume ~= volume
            && locations != .some([]) && LabelSanitizer.label(label) == label
    }

    /// The parts of the timer in their order.
    var phases: [TimerPhase] {
        var phases: [TimerPhase] = []
        if leadInSeconds > 0 { phases.append(TimerPhase(.leadIn, seconds: leadInSeconds)) }
        for round in 1...max(1, rounds) {
            phases.append(TimerPhase(.round(round), seconds: seconds))
            if round < rounds, pauseSeconds > 0 {
                phases.append(TimerPhase(.pause(after: round), seconds: pauseSeconds))
            }
        }
        return phases
    }
}

extension TimerSetup {
    /// The hours of `seconds`, 0...99.
    package var hours: Int { seconds / 3600 }
    /// The minutes beside the hours, 0...59.
    package var minutesOfHour: Int { seconds / 60 % 60 }
    /// The seconds beside the minutes, 0...59.
    package var secondsOfMinute: Int { seconds % 60 }
}
