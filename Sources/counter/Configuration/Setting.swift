import System

/// Everything that can be set, by the name that it has in the configuration file and, with dashes, as an option.
enum SettingKey: String, CaseIterable {
    case dataDirectory = "data-dir"
    case allowNetwork = "allow-network-filesystem"
    case location
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

    /// The environment variable, such as `COUNTER_HOLD_DELAY`.
    var variable: String { "COUNTER_" + rawValue.uppercased().replacing("-", with: "_") }
}

/// A value as it was written, and where.
struct Setting {
    /// One text; several for what may be given more than once.
    let values: [String]
    /// How an error names the place: `--debounce`, `COUNTER_DEBOUNCE`, `/…/config.toml:12`.
    let origin: String

    /// An error about this setting.
    func invalid(_ why: String, status: CInt) -> Failure { Failure("\(origin): \(why)", status: status) }
}

/// One place where settings are given.
typealias SettingLayer = [SettingKey: Setting]
