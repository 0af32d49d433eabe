import CounterTUI
import Counting
import Glibc
import Linux

extension Settings {
    /// What the user has set for timers, sounds and speech.
    var preferences: Preferences { Preferences(timers: timers, cues: cues) }

    /// Changes one of these settings in the configuration file.
    ///
    /// - Parameters:
    ///   - preference: the setting.
    ///   - text: its new value, as it was typed.
    /// - Returns: what is set then.
    /// - Throws: `ProgramError` where the value is not valid, something else sets it, or the file cannot be written.
    func change(_ preference: Preference, to text: String) throws(ProgramError) -> Preferences {
        let (key, value) = (SettingKey(preference), text.filter { !$0.isWhitespace && $0 != "%" })
        if let setting = options[key] ?? Self.variables[key] {
            throw ProgramError(
                "it is set by \(setting.origin), until this program ends", status: EX_UNAVAILABLE)
        }
        var checked = self
        if let why = checked.set(key, [value]) { throw ProgramError("it \(why)", status: EX_USAGE) }
        try ConfigurationFile.change(key, to: value)
        return try Settings(options: options).preferences
    }
}

extension SettingKey {
    init(_ preference: Preference) {
        switch preference {
        case .mode: self = .timerMode
        case .urgency: self = .timerUrgent
        case .alarmVolume: self = .alarmVolume
        case .sounds: self = .sound
        case .soundVolume: self = .soundVolume
        case .speech: self = .speech
        }
    }
}
