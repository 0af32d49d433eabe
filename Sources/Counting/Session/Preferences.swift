package import Alarms
package import CounterModel
import CounterTUI

/// What a user has set for timers, sounds and speech.
package struct Preferences: Hashable, Sendable {
    /// The settings of timers.
    package var timers: TimerSettings
    /// What is heard of the counting.
    package var cues: CountCues

    /// Preferences; all of them are given.
    package init(timers: TimerSettings, cues: CountCues) {
        self.timers = timers
        self.cues = cues
    }

    /// The settings for the Timers screen.
    var lines: [PreferenceLine] {
        Preference.allCases.map { PreferenceLine($0, text(of: $0), choices: choices(of: $0)) }
    }

    private func text(of preference: Preference) -> String {
        switch preference {
        case .mode: timers.mode.rawValue
        case .urgency: timers.isUrgent ? "yes" : "no"
        case .alarmVolume: String(timers.volume)
        case .sounds: cues.soundsText
        case .soundVolume: String(cues.volume)
        case .speech: cues.spoken.rawValue
        }
    }

    private func choices(of preference: Preference) -> [String] {
        switch preference {
        case .mode: AlarmMode.allCases.map(\.rawValue)
        case .urgency: ["no", "yes"]
        case .speech: CountCues.Spoken.allCases.map(\.rawValue)
        case .alarmVolume, .sounds, .soundVolume: []
        }
    }
}
