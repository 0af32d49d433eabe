package import CounterModel
import SQL

/// A day that is over and that no user has ended, in a location whose days do not end by themselves.
package struct OverdueDay: Hashable, Sendable {
    /// The day of the last change.
    package let day: OperationalDay
    /// The count.
    package let count: Int
    /// Whether the day is the one before the present day.
    package let isYesterday: Bool
}

extension SQLiteJournal {
    /// The day of a location that a user may still end at its own end.
    ///
    /// There is none where anything was counted in the present day: an end is a row after all that counts before it. There is
    /// none either where nobody ends days: in a tally of which no day was ever ended.
    ///
    /// - throws: `JournalError`
    package func overdueDay(of location: Location, now: Timestamp) throws(JournalError) -> OverdueDay? {
        if location.endsDaysAutomatically { return nil }
        return try read { db in
            guard let projection = try LocationProjection(db, locationId: location.id) else { return nil }
            return try OverdueDay(db, projection, now: now)
        }
    }
}

extension OverdueDay {
    init?(_ db: Connection, _ projection: LocationProjection, now: Timestamp) throws {
        let latest = Timestamp(microseconds: projection.latest)
        guard projection.latest != Segment.beginningOfTime, latest < now else { return nil }
        let location = try projection.location()
        let lastEnd = try SnapshotTable.lastTime(db, location: projection.locationKey)
        let isEnded = lastEnd == latest && projection.current.end == 0
        if isEnded || (lastEnd == nil && location.maxCapacity == nil) { return nil }
        let calendar = location.calendar(for: latest...now)
        day = calendar.day(containing: latest)
        let today = calendar.day(containing: now)
        guard day.end <= today.start else { return nil }
        isYesterday = day.end == today.start
        count = location.maxCapacity == nil ? projection.current.end : max(0, projection.current.end)
    }
}
