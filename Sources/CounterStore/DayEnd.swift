public import CounterModel
internal import Glibc
import System
import Zones

/// The end of a location's day, at the time of the request.
public struct DayEnd {
    private let location: Location
    private let journal: SQLiteJournal
    private let calendar: OperationalCalendar
    private let dayStart: Timestamp
    private let now: Timestamp

    /// Prepares the end of a day.
    ///
    /// - throws: `JournalError`
    public init(of location: Location, in journal: SQLiteJournal, now: Timestamp) throws(JournalError) {
        self.location = location
        self.journal = journal
        self.now = now
        let last = try journal.endedDays(of: location.id).first?.snapshot.to ?? now
        calendar = location.calendar(for: min(last, now)...max(last, now))
        dayStart = calendar.day(containing: now).start
    }

    /// The zone of the day's times.
    public var zone: ZoneOffsets { calendar.zone }

    /// The snapshot that would be archived if the day ended now.
    ///
    /// - throws: `JournalError`
    public func preview() throws(JournalError) -> DaySnapshot {
        try journal.snapshot(
            of: location, dayStart: dayStart, hours: { calendar.hourStarts(in: $0..<$1) }, now: now)
    }

    /// Ends the day, including the entries that came since the preview.
    ///
    /// - throws: `JournalError`, `Failure` (69)
    public func end(at now: Timestamp) throws -> DaySnapshot {
        let snapshot = try journal.endDay(
            of: location, dayStart: dayStart, hours: { calendar.hourStarts(in: $0..<$1) },
            userId: LoginName.current, now: now)
        guard let snapshot else {
            throw Failure("the location '\(location.id)' is gone", status: EX_UNAVAILABLE)
        }
        return snapshot
    }
}
