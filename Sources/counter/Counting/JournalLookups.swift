import CounterModel
import CounterStore
import Glibc
import System

extension Location {
    /// Finds a location by id or by name.
    ///
    /// - Throws: `Failure` (64) where there is none; its text lists the existing locations.
    static func named(_ name: String, in journal: SQLiteJournal) throws -> Location {
        let all = try journal.locations()
        if let found = all.first(where: { $0.id == name }) ?? all.first(where: { $0.name == name }) {
            return found
        }
        let known = all.filter { !$0.isHidden }.map(\.id).joined(separator: ", ")
        throw Failure(
            "there is no location '\(name)'",
            remedy: "There is: \(known). Add it with: counter location add \(name.quotedForShell)",
            status: EX_USAGE)
    }
}

extension Failure {
    /// The name for a new location is already the name or the id of another one.
    init(taken name: String, by other: Location) {
        let which =
            other.id == other.name
            ? "" : other.id == name ? ": it is called '\(other.name)'" : ": its id is '\(other.id)'"
        self.init(
            "there is a location '\(name)' already\(which)",
            remedy: other.isHidden ? "It is hidden: counter location list --all" : nil, status: EX_DATAERR)
    }
}

extension SQLiteJournal {
    /// Opens the journal of the settings for reading; its directory may be read-only.
    static func existing(_ settings: Settings) throws(JournalError) -> SQLiteJournal {
        try opened(settings, isReadOnly: true)
    }

    /// Opens the journal of the settings with the rights of the user's role.
    static func opened(
        _ settings: Settings, creating: Bool = true, isReadOnly: Bool = false, busyTimeout: Double = 5
    ) throws(JournalError) -> SQLiteJournal {
        try SQLiteJournal(
            directory: settings.dataDirectory, timezone: Paths.timezone, creating: creating,
            role: settings.role, isReadOnly: isReadOnly, allowsNetwork: settings.allowsNetworkFileSystem,
            busyTimeout: busyTimeout)
    }

    /// Opens the journal of the settings for a change by hand; creates it where it does not exist, unless `creating` is
    /// false.
    ///
    /// - Throws: `JournalError`, `viewerOnly` for a viewer.
    static func openedToChange(_ settings: Settings, creating: Bool = true) throws(JournalError)
        -> SQLiteJournal
    {
        let journal = try opened(settings, creating: creating)
        try journal.requireAdmin()
        return journal
    }
}
