import CounterModel
import CounterStore
import Counting
import KeyProtocol
import Linux
import Reports
import VolumeInput

/// The paths that only `counter` uses.
enum Paths {
    /// `$XDG_CONFIG_HOME/counter/config.toml`, else `~/.config/counter/config.toml`.
    static func configurationFile() throws(ProgramError) -> String {
        try ProgramFiles.directory("XDG_CONFIG_HOME", fallback: ".config") + "/counter/config.toml"
    }

    /// `$XDG_STATE_HOME/counter/watch`, else `~/.local/state/counter/watch`.
    static func watchRecords() throws(ProgramError) -> String {
        try ProgramFiles.directory("XDG_STATE_HOME", fallback: ".local/state") + "/counter/watch"
    }

    static func keyServer() throws(ProgramError) -> String { try ProgramFiles.companion("counter-keys") }

    /// The path of this program's `counter-ringer`, whether or not it is installed.
    static var ringer: String { (try? ProgramFiles.companion("counter-ringer")) ?? "counter-ringer" }
}

extension Machine {
    static var current: Machine {
        Machine(executable: ProgramFiles.executable, usesService: ProgramFiles.keyService != nil)
    }
}

extension SQLiteJournal {
    /// Opens the journal of the settings for reading; its directory may be read-only. Where a day is over that ends by itself, it ends
    /// first if it can: what is read says no less than what a program that counts would show.
    static func existing(_ settings: Settings) throws(JournalError) -> SQLiteJournal {
        let journal = try opened(settings, isReadOnly: true)
        if settings.role == .admin, try !journal.due(among: journal.locations(), now: WallClock().now).isEmpty
        {
            _ = try? opened(settings, creating: false, busyTimeout: CountingSession.busyTimeout)
        }
        return journal
    }

    /// Opens the journal of the settings with the rights of the user's role. If it may be changed, days that are over end first.
    static func opened(
        _ settings: Settings, creating: Bool = true, isReadOnly: Bool = false, busyTimeout: Double = 5
    ) throws(JournalError) -> SQLiteJournal {
        let journal = try SQLiteJournal(
            directory: settings.dataDirectory, timezone: ZoneDatabase().localZone, creating: creating,
            role: settings.role, isReadOnly: isReadOnly, allowsNetwork: settings.allowsNetworkFileSystem,
            busyTimeout: busyTimeout)
        if !isReadOnly, settings.role == .admin { try journal.followUnlessBusy(at: WallClock().now) }
        return journal
    }

    /// Opens the journal of the settings for a change by hand, which a viewer may not make.
    static func openedToChange(_ settings: Settings, creating: Bool = true) throws(JournalError)
        -> SQLiteJournal
    {
        let journal = try opened(settings, creating: creating)
        try journal.requireAdmin()
        journal.tellNewId()
        return journal
    }

    /// Says why what is appended here has another id than what was before, where it has.
    func tellNewId() {
        if let new = takeNewId() { Output.tell(new.text) }
    }

    /// The location that the settings name. Where there is none, the error has the line or the variable that names it.
    func existingLocation(of settings: Settings) throws -> Location {
        do { return try existingLocation(named: settings.session.location) } catch let error as ProgramError {
            guard let origin = settings.locationOrigin else { throw error }
            throw ProgramError("\(origin): \(error.message)", remedy: error.remedy, status: error.status)
        }
    }

    /// The same, if counts may go into it: if it is not hidden.
    func countedLocation(of settings: Settings) throws -> Location {
        try existingLocation(of: settings).requireVisible()
    }

    /// Notes on which machine the journal is, and ends the days that are over. While another program has the journal locked, that is
    /// done with the next row.
    private func followUnlessBusy(at now: Timestamp) throws(JournalError) {
        do throws(JournalError) {
            try followMachine()
            _ = try endDueDays(now: now)
        } catch {
            if error.reason != .busy { throw error }
        }
    }
}

extension CountingSession {
    /// Opens the journal of the settings and prepares to listen; no key is read before `capture`.
    convenience init(_ settings: Settings) throws {
        try settings.requireNoMistake()
        let journal = try SQLiteJournal.opened(settings, busyTimeout: Self.busyTimeout)
        _ = try journal.existingLocation(of: settings)
        let server = try Paths.keyServer()
        try self.init(
            journal, settings.session, settings.preferences,
            SessionSurroundings(
                keyClient: { settings.keyClient(server, ignoring: $0) }, timing: settings.timing(of:),
                changePreference: { preference, text in
                    Result { () throws(ProgramError) in try settings.change(preference, to: text) }
                }, ringer: Paths.ringer, machine: { .current }))
    }
}
