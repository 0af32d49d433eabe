/// A setting that the Timers screen shows and changes.
package enum Preference: String, CaseIterable, Sendable {
    /// How the end of a new timer is announced.
    case mode
    /// Whether the desktop's notification of a new timer is a critical one.
    case urgency
    /// How loud the tone of a new timer is.
    case alarmVolume
    /// Which changes of the count are heard.
    case sounds
    case soundVolume
    /// When the count is spoken.
    case speech
}

package struct PreferenceLine: Hashable, Sendable {
    package let preference: Preference
    package let value: String
    /// All its values; empty where they are too many, so that one is typed.
    package let choices: [String]

    package init(_ preference: Preference, _ value: String, choices: [String] = []) {
        (self.preference, self.value, self.choices) = (preference, value, choices)
    }

    /// The value after the present one; nil where it is typed.
    var next: String? {
        guard let index = choices.firstIndex(of: value) else { return choices.first }
        return choices[(index + 1) % choices.count]
    }
}

extension Preference {
    /// Its name, what follows its value in the list, and as a hint what it decides, and its values.
    var texts: (title: String, unit: String, hint: String) {
        switch self {
        case .mode:
            ("End told by", "", "sound: everything. vibration: the screens flash. silent: a line only.")
        case .urgency: ("Urgent", "", "yes: the desktop shows the end in spite of Do Not Disturb.")
        case .alarmVolume: ("Alarm volume", " %", "0 to 100, in percent.")
        case .sounds: ("Sounds", "", "What is heard: all, none, or some of up, down, reset, target, error.")
        case .soundVolume: ("Sound volume", " %", "0 to 100, in percent.")
        case .speech: ("Speech", "", "When the count is spoken: never, each, tenth, or key (. on Count).")
        }
    }
}
