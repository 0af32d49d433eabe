package import CounterModel
import Glibc
import Linux

/// The end of a location's day: at the time of the request, or of an overdue day at its own end.
package struct DayEnd {
    private let location: Location
    private let journal: SQLiteJournal
    private let calendar: OperationalCalendar
    private let dayStart: Timestamp
    private let now: Timestamp
    private let overdue: OperationalDay?

    /// Prepares the end of a day.
    ///
    /// - parameters:
    ///     - location: Whose day.
    ///     - journal: Where it is ended.
    ///     - now: The present time.
    ///     - overdue: The day that ends; nil for the present one.
    /// - throws: `JournalError`
    package init(
        of location: Location, in journal: SQLiteJournal, now: Timestamp, overdue: OperationalDay? = nil
    ) throws(JournalError) {
        self.overdue = overdue
        self.location = location
        self.journal = journal
        self.now = now
        let last = try journal.endedDays(of: location.id).first?.snapshot.to ?? now
        let first = min(last, overdue?.start ?? now, now)
        calendar = location.calendar(for: first...max(last, now))
        dayStart = (overdue ?? calendar.day(containing: now)).start
    }

    /// The zone of the day's times.
    package var zone: ZoneOffsets { calendar.zone }

    /// The snapshot that would be archived if the day ended now.
    ///
    /// - throws: `JournalError`
    package func preview() throws(JournalError) -> DaySnapshot {
        try journal.snapshot(
            of: location, dayStart: dayStart, hours: { calendar.hourStarts(in: $0..<$1) },
            now: overdue?.end ?? now)
    }

    /// Ends the day, including the entries that came since the preview.
    ///
    /// - throws: `JournalError`, `ProgramError` (69)
    package func end(at now: Timestamp) throws -> DaySnapshot {
        let snapshot = try journal.endDay(
            of: location, dayStart: dayStart, hours: { calendar.hourStarts(in: $0..<$1) },
            userId: LoginName.current, now: now, overdue: overdue)
        if snapshot == nil, overdue != nil {
            throw ProgramError(
                "'\(location.name)': its last day is ended already, or something was counted after it",
                remedy: "To end the present day: counter day end", status: EX_UNAVAILABLE)
        }
        guard let snapshot else {
            throw ProgramError("the location '\(location.id)' is gone", status: EX_UNAVAILABLE)
        }
        return snapshot
    }
}
