package import Alarms
package import CounterModel
package import CounterTUI
package import KeyProtocol
package import Linux
package import Reports
package import VolumeInput

/// What a session counts with, apart from its journal.
package struct SessionSettings {
    /// The id or name of the location that is counted where nothing names another.
    package var location: String
    /// The setting for the location that is counted where the command line names none.
    package var usualLocation: String
    /// How many a press or a key counts.
    package var step: Int
    /// How long after its last event or other sign of life a device is stale.
    package var staleAfter: Duration
    /// How long a location may be without events before history calls it silent.
    package var silentAfter: Duration
    package var keys: KeyClientSettings
    /// The timing of an input device, by its name.
    package var timing: (String) -> GestureTiming
    package var preferences: Preferences
    /// Stores another value of such a setting, as it was typed, and returns what is set then.
    package var changePreference: (Preference, String) -> Result<Preferences, ProgramError>
    package var ringer: String
    package var keyClient: (KeyClientSettings) -> KeyClient
    /// Looks at the machine, for the remedy where no key can be read.
    package var machine: () -> Machine

    package init(
        location: String, usualLocation: String, step: Int, staleAfter: Duration,
        silentAfter: Duration, keys: KeyClientSettings, timing: @escaping (String) -> GestureTiming,
        preferences: Preferences,
        changePreference: @escaping (Preference, String) -> Result<Preferences, ProgramError>, ringer: String,
        keyClient: @escaping (KeyClientSettings) -> KeyClient,
        machine: @escaping () -> Machine
    ) {
        (self.location, self.usualLocation) = (location, usualLocation)
        (self.step, self.staleAfter, self.silentAfter) = (step, staleAfter, silentAfter)
        (self.keys, self.timing, self.preferences) = (keys, timing, preferences)
        (self.changePreference, self.ringer, self.keyClient) = (changePreference, ringer, keyClient)
        self.machine = machine
    }
}

/// What a user has set for timers, sounds and speech.
package struct Preferences: Hashable, Sendable {
    package var timers: TimerSettings
    package var cues: CountCues

    package init(timers: TimerSettings, cues: CountCues) { (self.timers, self.cues) = (timers, cues) }

    var lines: [PreferenceLine] {
        [
            PreferenceLine(.mode, timers.usual.mode.rawValue, choices: AlarmMode.allCases.map(\.rawValue)),
            PreferenceLine(.urgency, timers.usual.isUrgent ? "yes" : "no", choices: ["no", "yes"]),
            PreferenceLine(.alarmVolume, String(timers.usual.volume)),
            PreferenceLine(.sounds, cues.soundsText), PreferenceLine(.soundVolume, String(cues.volume)),
            PreferenceLine(.speech, cues.spoken.rawValue, choices: CountCues.Spoken.allCases.map(\.rawValue)),
        ]
    }
}
