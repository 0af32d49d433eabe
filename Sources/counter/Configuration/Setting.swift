import Glibc
import System

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
    func invalid(_ why: String, status: CInt) -> Failure { Failure("\(origin): \(why)", status: status) }
}

/// The settings of one origin.
typealias SettingLayer = [SettingKey: Setting]
