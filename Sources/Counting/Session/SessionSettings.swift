public import CounterTUI
public import KeyProtocol
public import Reports
public import System
public import VolumeInput

/// What a session counts with, apart from its journal.
public struct SessionSettings {
    /// The directory of the journal.
    public var directory: String
    /// The id or name of the location that is counted where nothing names another.
    public var location: String
    /// The setting for the location that is counted where the command line names none.
    public var usualLocation: String
    /// How many a press or a key counts.
    public var step: Int
    /// How long after its last event or other sign of life a device is stale.
    public var staleAfter: Duration
    /// How long a location may be without events before history calls it silent.
    public var silentAfter: Duration
    /// Which keys of which devices are read.
    public var keys: KeyClientSettings
    /// The timing of an input device, by its name.
    public var timing: (String) -> GestureTiming
    /// What the user has set for timers, sounds and speech.
    public var preferences: Preferences
    /// Stores another value of such a setting, as it was typed, and returns what is set then.
    public var changePreference: (Preference, String) throws(Failure) -> Preferences
    /// The path of `counter-ringer`.
    public var ringer: String
    /// Connects to a key server.
    public var keyClient: (KeyClientSettings) -> KeyClient
    /// Looks at the machine, for the remedy where no key can be read.
    public var machine: () -> Machine

    /// Settings; all of them are given.
    public init(
        directory: String, location: String, usualLocation: String, step: Int, staleAfter: Duration,
        silentAfter: Duration, keys: KeyClientSettings, timing: @escaping (String) -> GestureTiming,
        preferences: Preferences,
        changePreference: @escaping (Preference, String) throws(Failure) -> Preferences, ringer: String,
        keyClient: @escaping (KeyClientSettings) -> KeyClient,
        machine: @escaping () -> Machine
    ) {
        self.directory = directory
        self.location = location
        self.usualLocation = usualLocation
        self.step = step
        self.staleAfter = staleAfter
        self.silentAfter = silentAfter
        self.keys = keys
        self.timing = timing
        self.preferences = preferences
        self.changePreference = changePreference
        self.ringer = ringer
        self.keyClient = keyClient
        self.machine = machine
    }
}
