import Glibc
import Linux

/// All settings, by their names in the configuration file; the option's name has the same words, joined by dashes.
enum SettingKey: String, CaseIterable {
    case dataDirectory = "data-dir"
    case allowNetwork = "allow-network-filesystem"
    case location
    case step
    case device
    case intercept
    case always
    case debounce
    case chord
    case holdDelay = "hold-delay"
    case `repeat`
    case bounce
    case holdLimit = "hold-limit"
    case viewer
    case staleAfter = "stale-after"
    case silentAfter = "silent-after"
    case sound
    case soundVolume = "sound-volume"
    case speech
    case plain
    case timerMode = "timer-mode"
    case timerUrgent = "timer-urgent"
    case alarmVolume = "alarm-volume"
    case timerLimit = "timer-limit"
    case presetLimit = "preset-limit"

    /// The section of the configuration file in which it stands, and its name there; nil where it stands before all sections.
    var section: (name: String, key: String)? {
        switch self {
        case .sound: ("sound", "cues")
        case .soundVolume: ("sound", "volume")
        case .speech: ("speech", "count")
        case .timerMode: ("timers", "mode")
        case .timerUrgent: ("timers", "urgent")
        case .alarmVolume: ("timers", "volume")
        case .timerLimit: ("timers", "limit")
        case .presetLimit: ("timers", "presets")
        case .dataDirectory, .allowNetwork, .location, .step, .device, .intercept, .always, .debounce, .chord,
            .holdDelay, .repeat, .bounce, .holdLimit, .viewer, .plain, .staleAfter, .silentAfter:
            nil
        }
    }

    /// The environment variable, such as `COUNTER_HOLD_DELAY`.
    var variable: String { "COUNTER_" + rawValue.uppercased().replacing("-", with: "_") }
}

/// A value as it was written, and its origin.
struct Setting {
    /// One text, or several for a setting that may be repeated.
    let values: [String]
    /// How an error names the origin: `--debounce`, `COUNTER_DEBOUNCE`, `/…/config.toml:12`.
    let origin: String

    /// An error about this setting.
    func invalid(_ why: String, status: CInt) -> ProgramError {
        ProgramError("\(origin): \(why)", status: status)
    }
}

/// The settings of one origin.
typealias SettingLayer = [SettingKey: Setting]
