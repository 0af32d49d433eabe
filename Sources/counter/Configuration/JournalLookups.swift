import CounterModel
import CounterStore
import Counting
import Linux

extension SQLiteJournal {
    /// Opens the journal of the settings for reading; its directory may be read-only.
    static func existing(_ settings: Settings) throws(JournalError) -> SQLiteJournal {
        try opened(settings, isReadOnly: true)
    }

    /// Opens the journal of the settings with the rights of the user's role. If it may be changed, days that are over end first.
    static func opened(
        _ settings: Settings, creating: Bool = true, isReadOnly: Bool = false, busyTimeout: Double = 5
    ) throws(JournalError) -> SQLiteJournal {
        let journal = try SQLiteJournal(
            directory: settings.dataDirectory, timezone: ZoneDatabase().localZone, creating: creating,
            role: settings.role, isReadOnly: isReadOnly, allowsNetwork: settings.allowsNetworkFileSystem,
            busyTimeout: busyTimeout)
        if !isReadOnly, settings.role == .admin { try journal.endDueDaysUnlessBusy(at: WallClock().now) }
        return journal
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

    /// Ends the days that are over. While another program has the journal locked, they end with the next row.
    private func endDueDaysUnlessBusy(at now: Timestamp) throws(JournalError) {
        do throws(JournalError) { _ = try endDueDays(now: now) } catch {
            if error.reason != .busy { throw error }
        }
    }
}
