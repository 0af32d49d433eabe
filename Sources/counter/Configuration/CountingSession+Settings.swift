import CounterStore
import Counting
import KeyProtocol
import Linux
import Reports
import VolumeInput

extension CountingSession {
    /// Opens the journal of the settings and prepares to listen; no key is read before `capture`.
    convenience init(_ settings: Settings) throws {
        let journal = try SQLiteJournal.opened(settings, busyTimeout: Self.busyTimeout)
        let server = try Paths.keyServer()
        try self.init(
            journal,
            SessionSettings(
                directory: settings.dataDirectory, location: settings.location,
                usualLocation: settings.usualLocation, step: settings.step, staleAfter: settings.staleAfter,
                silentAfter: settings.silentAfter, keys: settings.keys, timing: settings.timing(of:),
                preferences: settings.preferences,
                changePreference: { preference, text in
                    Result { () throws(ProgramError) in try settings.change(preference, to: text) }
                },
                ringer: Paths.ringer,
                keyClient: { KeyClient(executable: server, service: ProgramFiles.keyService, settings: $0) },
                machine: { .current }))
    }
}

extension Settings {
    /// Which keys of which devices are read.
    var keys: KeyClientSettings {
        var keys = KeyClientSettings()
        keys.meanings = meanings
        keys.onlyPaths = devicePaths
        return keys
    }
}
