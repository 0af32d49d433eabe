package import CounterModel
import Glibc
package import Linux
import SQL

/// The end of a location's day: at the time of the request, or of an overdue day at its own end.
package struct DayEnd {
    private let location: Location
    private let journal: SQLiteJournal
    private let calendar: OperationalCalendar
    private let dayStart: Timestamp
    private let now: Timestamp
    private let overdue: OperationalDay?

    /// Prepares the end of a day: the `overdue` one, or else the present one.
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

// MARK: - In the journal

extension SQLiteJournal {
    /// What `endDay` would archive now.
    ///
    /// - parameters:
    ///     - dayStart: The start of the present day, if no End Day has closed one before.
    ///     - hours: The starts of the hours from one time to another, all but the first starts of minutes.
    /// - returns: All zeros where there is no such location.
    package func snapshot(
        of location: Location, dayStart: Timestamp, hours: (Timestamp, Timestamp) -> [Timestamp],
        now: Timestamp
    ) throws(JournalError) -> DaySnapshot {
        try read { db in
            try HistoryReader.snapshot(db, of: location, dayStart: dayStart, hours: hours, now: now)
        }
    }

    /// Ends a location's day: archives its totals and sets the level to 0, in one transaction.
    ///
    /// - parameters:
    ///     - now: The end of the day, unless `overdue` is the day that ends, at its own end.
    /// - returns: What was archived; nil if there is no such location, or if the overdue day is no longer so, because
    ///   something was counted after it or another program has ended it.
    package func endDay(
        of location: Location, dayStart: Timestamp, hours: (Timestamp, Timestamp) -> [Timestamp],
        userId: String?, now: Timestamp, overdue: OperationalDay? = nil
    ) throws(JournalError) -> DaySnapshot? {
        try write { db in
            let transaction = try AppendTransaction(db, receivedAt: now)
            try transaction.endDueDay(of: location.id)
            if let overdue {
                guard let projection = try transaction.projection(of: location.id),
                    try OverdueDay(db, projection, now: now)?.day == overdue
                else { return nil }
            }
            let end = overdue?.end ?? now
            let snapshot = try HistoryReader.snapshot(
                db, of: location, dayStart: dayStart, hours: hours, now: end)
            // A day that is over ends at its own end, whatever was counted since.
            let answer = try transaction.answer(
                Request(
                    locationId: location.id, userId: userId, timestamp: end, .endOfDay(snapshot),
                    order: overdue == nil ? .now : .given))
            try transaction.finish()
            guard case .accepted = answer.outcome else { return nil }
            return snapshot
        }
    }

    /// The days of a location that were ended and not reopened, the last first.
    package func endedDays(of locationId: Identifier) throws(JournalError) -> [EndedDay] {
        try read { db in try SnapshotTable.all(db, of: locationId) }
    }
}

/// What comes back where the end of a day is taken back.
package struct ReopenedDay: Hashable, Sendable {
    package let day: EndedDay
    /// The count now, and once the end is taken back.
    package let count, newCount: Int
    /// Whether the count was set since: by another end, or by a reset.
    package let wasSetSince: Bool
}

extension SQLiteJournal {
    /// What taking back the end of a day would bring back; nil where no end stands at this position.
    package func reopening(_ end: Position, of location: Location) throws(JournalError) -> ReopenedDay? {
        guard let day = try endedDays(of: location.id).first(where: { $0.id == end }) else { return nil }
        return try read { db in
            let projection = try LocationProjection(db, locationId: location.id).orCorrupt()
            let level = projection.current.end
            let wasSetSince = projection.current.reset != end.number
            let newLevel = wasSetSince ? level : try projection.levelWithoutLastReset() ?? level
            func count(_ level: Int) -> Int { location.maxCapacity == nil ? level : max(0, level) }
            return ReopenedDay(
                day: day, count: count(level), newCount: count(newLevel), wasSetSince: wasSetSince)
        }
    }
}

extension HistoryReader {
    /// The day since the last End Day, to the microsecond: what came before it in the same minute belongs to the day
    /// before. It ends now, and includes all that was counted, even at a later time of this machine's clock before it
    /// was set back.
    static func snapshot(
        _ db: Connection, of location: Location, dayStart: Timestamp,
        hours: (Timestamp, Timestamp) -> [Timestamp], now: Timestamp, isAutomatic: Bool = false
    ) throws -> DaySnapshot {
        let last = try SnapshotTable.last(db, of: location.id)
        let present = try HistoryReader(db: db).present(of: location.id, now: now)
        // What a user ends goes from the last End Day; what ends by itself is one operational day.
        let first = isAutomatic ? max(last?.time ?? dayStart, dayStart) : last?.time ?? dayStart
        let start = last == nil ? min(first, present).startOfMinute : min(first, present)
        let reader = HistoryReader(db: db, firstReset: last?.position ?? .start)
        let kpis = try reader.kpis(
            of: location, hours: [start] + hours(start, present).dropFirst(), end: present, now: present,
            silence: .max)
        return DaySnapshot(kpis, from: first, to: now, isAutomatic: isAutomatic)
    }
}

// MARK: - Days that nobody ended

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

// MARK: - The table

/// The SQL of archived days.
enum SnapshotTable {
    /// Of days that were not reopened.
    private static let isStanding = """
        locationKey = (SELECT key FROM location WHERE id = :id) AND \(Schema.counts)
        """
    private static let columns = """
        snapshot.begin, totalIn, totalOut, peakStart, peakIn, highest, average, isAutomatic, finalLevel
        """

    /// The archive of a day that the reset at a position has ended.
    static func insert(_ db: Connection, _ snapshot: DaySnapshot, at position: Int64) throws {
        let sql: StaticString = """
            INSERT INTO snapshot VALUES (:position, :begin, :totalIn, :totalOut, :peakStart, :peakIn, :highest,
                :average, :isAutomatic, :finalLevel)
            """
        try db.statement(sql).bind("position", position).bind("begin", snapshot.from.microseconds)
            .bind("totalIn", snapshot.totalIn).bind("totalOut", snapshot.totalOut)
            .bind("peakStart", snapshot.peakHour?.start.microseconds)
            .bind("peakIn", snapshot.peakHour?.totalIn).bind("highest", snapshot.highestLevel)
            .bind("average", snapshot.averageOccupancy).bind("isAutomatic", snapshot.isAutomatic)
            .bind("finalLevel", snapshot.finalLevel).run()
    }

    /// The archive of the day that a row has ended; nil where it has ended none.
    static func snapshot(_ db: Connection, of row: Position, at time: Timestamp) throws -> DaySnapshot? {
        try db.statement("SELECT \(columns) FROM snapshot WHERE position = :position")
            .bind("position", row.number).first { try snapshot($0, endingAt: time) }
    }

    private static func snapshot(_ row: borrowing Row, endingAt time: Timestamp) throws -> DaySnapshot {
        var peak: DaySnapshot.PeakHour?
        if let start = Timestamp(stored: row["peakStart"]) {
            peak = DaySnapshot.PeakHour(start: start, totalIn: try row["peakIn"])
        }
        return DaySnapshot(
            from: Timestamp(microseconds: try row["begin"]), to: time, finalLevel: try row["finalLevel"],
            totalIn: try row["totalIn"], totalOut: try row["totalOut"], peakHour: peak,
            highestLevel: try row["highest"], averageOccupancy: row["average"],
            isAutomatic: try row["isAutomatic"])
    }

    /// The position and time of the last End Day.
    static func last(_ db: Connection, of locationId: Identifier) throws -> (
        position: Position, time: Timestamp
    )? {
        let sql = """
            SELECT position, countedAt FROM journalRow WHERE kind = \(RowKind.reset) AND \(isStanding)
            AND EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = journalRow.position)
            ORDER BY orderedAt DESC, place DESC LIMIT 1
            """
        return try db.statement(sql).bind("id", locationId).first { row in
            (Position(try row["position"]), Timestamp(microseconds: try row["countedAt"]))
        }
    }

    /// When the last day ended, even if that was taken back since; nil where none has ended.
    static func lastTime(_ db: Connection, location: Int64) throws -> Timestamp? {
        let sql = """
            SELECT countedAt FROM snapshot JOIN journalRow USING (position) WHERE locationKey = :location
            ORDER BY orderedAt DESC LIMIT 1
            """
        return try db.statement(sql).bind("location", location).integer().map { Timestamp(microseconds: $0) }
    }

    static func all(_ db: Connection, of locationId: Identifier) throws -> [EndedDay] {
        let sql = """
            SELECT position, userId, countedAt, \(columns) FROM snapshot JOIN journalRow USING (position)
            WHERE kind = \(RowKind.reset) AND \(isStanding) ORDER BY orderedAt DESC, place DESC
            """
        return try db.statement(sql).bind("id", locationId).all { row in
            EndedDay(
                id: Position(try row["position"]), userId: row["userId"],
                snapshot: try snapshot(row, endingAt: Timestamp(microseconds: try row["countedAt"])))
        }
    }
}
