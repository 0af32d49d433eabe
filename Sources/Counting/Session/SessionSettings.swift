package import Alarms
package import CounterModel
package import CounterTUI
package import Linux
package import Reports
package import VolumeInput

/// What a session counts with, as its user has set it.
package struct SessionSettings {
    /// The id or name of the location that is counted where nothing names another.
    package var location = Location.defaultId.text
    /// The setting for the location that is counted where the command line names none.
    package var usualLocation = Location.defaultId.text
    /// How many a press, a key on a screen and `add` count.
    package var step = 1
    /// How long after its last event or other sign of life a device is stale.
    package var staleAfter = Duration.seconds(120)
    /// How long a location may be without events before history calls it silent.
    package var silentAfter = Duration.seconds(1800)

    package init() {}
}

/// What a session reaches besides its journal.
package struct SessionSurroundings {
    /// Makes the client of a key server, which leaves input devices of these ids alone.
    let keyClient: (Set<Identifier>) -> KeyClient
    /// The timing of an input device, by its name.
    let timing: (String) -> GestureTiming
    /// Stores another value of a preference, as it was typed, and returns what is set then.
    let changePreference: (Preference, String) -> Result<Preferences, ProgramError>
    /// The path of `counter-ringer`.
    let ringer: String
    /// Looks at the machine, for the remedy where no key can be read.
    let machine: () -> Machine

    package init(
        keyClient: @escaping (Set<Identifier>) -> KeyClient, timing: @escaping (String) -> GestureTiming,
        changePreference: @escaping (Preference, String) -> Result<Preferences, ProgramError>, ringer: String,
        machine: @escaping () -> Machine
    ) {
        (self.keyClient, self.timing, self.changePreference) = (keyClient, timing, changePreference)
        (self.ringer, self.machine) = (ringer, machine)
    }
}

/// What a user has set for timers, sounds and speech.
package struct Preferences: Hashable, Sendable {
    package var timers = TimerSettings()
    package var cues = CountCues()

    package init() {}

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
