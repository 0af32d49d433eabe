package import CounterModel
import Glibc
package import Linux
import SQL

/// The end of a location's day: at the time of the request, or of an overdue day at its own end. Days before that were left open end
/// with it, each at its own end.
package struct DayEnd {
    private let location: Location
    private let journal: SQLiteJournal
    private let calendar: OperationalCalendar
    private let dayStart: Timestamp
    private let now: Timestamp
    private let overdue: OperationalDay?
    /// When the last day ended, where nothing was changed since; nil where something was.
    package let emptySince: Timestamp?

    /// Prepares the end of a day: the `overdue` one, or else the present one.
    package init(
        of location: Location, in journal: SQLiteJournal, now: Timestamp, overdue: OperationalDay? = nil
    ) throws(JournalError) {
        (self.location, self.journal, self.now, self.overdue) = (location, journal, now, overdue)
        let ended = try journal.endedDays(of: location.id).first?.snapshot.to
        var isEmpty = false
        if overdue == nil {
            isEmpty = try journal.read { db in
                let last = try SnapshotTable.last(db, of: location.id)
                return try OpenDays(db, of: location, after: last, now: now).days(until: now).isEmpty
            }
        }
        emptySince = isEmpty ? ended : nil
        let last = ended ?? now
        let first = min(last, overdue?.start ?? now, now)
        calendar = location.calendar(for: first...max(last, now))
        dayStart = (overdue ?? calendar.day(containing: now)).start
    }

    package var zone: ZoneOffsets { calendar.zone }

    /// The snapshots that would be archived if the day ended now: one, and those of the days before that were left open.
    package func preview() throws(JournalError) -> [DaySnapshot] {
        try journal.read { db in
            try HistoryReader.snapshots(
                db, of: location, dayStart: dayStart, calendar, now: overdue?.end ?? now)
        }
    }

    /// Ends the day, including the entries that came since the preview, and those that were left open before it: archives their
    /// totals and sets the level to 0, in one transaction; `user` has done it. Throws `JournalError`, `ProgramError` (69).
    package func end(at now: Timestamp, by user: String = LoginName.current) throws -> [DaySnapshot] {
        let snapshots = try journal.appending(at: now) { transaction -> [DaySnapshot] in
            let db = transaction.db
            try transaction.endDueDay(of: location.id)
            if let overdue {
                guard let projection = try transaction.projection(of: location.id),
                    try OverdueDay(db, projection, now: now)?.day == overdue
                else { return [] }
            }
            let snapshots = try HistoryReader.snapshots(
                db, of: location, dayStart: dayStart, calendar, now: overdue?.end ?? now)
            // A day that is over ends at its own end, whatever was counted since.
            let answers = try snapshots.map { snapshot in
                try transaction.answer(
                    Request(
                        locationId: location.id, userId: user, timestamp: snapshot.to,
                        .endOfDay(snapshot), order: snapshot.to < now ? .given : .now))
            }
            return answers.contains { $0.outcome == .refused(.unknownLocation) } ? [] : snapshots
        }
        if snapshots.isEmpty, overdue != nil {
            throw ProgramError(
                "'\(location.name)': no day that is over is still open",
                remedy: "To end the present day: counter day end", status: EX_UNAVAILABLE)
        }
        if snapshots.isEmpty {
            throw ProgramError("the location '\(location.id)' is gone", status: EX_UNAVAILABLE)
        }
        return snapshots
    }
}

// MARK: - In the journal

extension SQLiteJournal {
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
            let current = projection.current
            let step = try FileDay.end(db, at: end, projection)
            let reopened = try step.map { current.adding(-$0.difference) } ?? projection.withoutLastReset()
            let wasSetSince = current.reset != step?.segment ?? end.number
            let newLevel = wasSetSince ? level : reopened?.end ?? level
            return ReopenedDay(
                day: day, count: location.count(of: level), newCount: location.count(of: newLevel),
                wasSetSince: wasSetSince)
        }
    }
}

extension HistoryReader {
    /// The day since the last End Day, to the microsecond: what came before it in the same minute belongs to the day
    /// before. It ends now, and includes all that was counted, even at a later time of this machine's clock before it
    /// was set back.
    static func snapshot(
        _ db: Connection, of location: Location, dayStart: Timestamp,
        _ calendar: OperationalCalendar, now: Timestamp, isAutomatic: Bool = false
    ) throws -> DaySnapshot {
        let last = try SnapshotTable.last(db, of: location.id)
        let present = try HistoryReader(db: db).present(of: location.id, now: now)
        // What a user ends goes from the last End Day; what ends by itself is one operational day.
        let first = isAutomatic ? max(last?.time ?? dayStart, dayStart) : last?.time ?? dayStart
        let start = last == nil ? min(first, present).startOfMinute : min(first, present)
        let reader = HistoryReader(db: db, firstReset: last?.position ?? .start)
        let kpis = try reader.kpis(of: location, in: start..<present, calendar, now: present)
        return DaySnapshot(kpis, from: first, to: now, isAutomatic: isAutomatic)
    }
}

// MARK: - Days that were left open

extension HistoryReader {
    /// The snapshot of the day, after those of the days before it that were left open: each as if it had begun with 0.
    fileprivate static func snapshots(
        _ db: Connection, of location: Location, dayStart: Timestamp,
        _ calendar: OperationalCalendar, now: Timestamp
    ) throws -> [DaySnapshot] {
        let last = try SnapshotTable.last(db, of: location.id)
        let present = location.calendar(about: now).day(containing: now)
        let open = try OpenDays(db, of: location, after: last, now: now)
        let days = try open.days(until: now)
        let isLeftOpen = days.first.map { $0.end <= present.start } ?? false
        // Nobody ends the days of a tally of which none was ever ended.
        guard isLeftOpen, !location.endsDaysAutomatically, last != nil || location.maxCapacity != nil else {
            return [try snapshot(db, of: location, dayStart: dayStart, calendar, now: now)]
        }
        let end = try HistoryReader(db: db).present(of: location.id, now: now)
        return try open.notCorrected(days, until: now).enumerated().map { index, day in
            let start = index == 0 ? days[0].start : day.start
            let from = max(start, last?.time ?? start)
            let to = day.end > now ? end : day.end
            let reader = HistoryReader(
                db: db, firstReset: last?.position ?? .start, openingLevel: index == 0 ? nil : 0)
            let kpis = try reader.kpis(
                of: location, in: from..<to, location.calendar(for: from...to), now: to)
            return DaySnapshot(kpis, from: from, to: min(day.end, now))
        }
    }
}

/// The days in which something has counted since the last end of one.
private struct OpenDays {
    private let db: Connection
    private let location: Location
    private let end: LastDayEnd?
    private let key: Int64?
    private let present: Timestamp

    init(_ db: Connection, of location: Location, after end: LastDayEnd?, now: Timestamp) throws {
        (self.db, self.location, self.end) = (db, location, end)
        key = try LocationTable.key(db, id: location.id)
        present = location.calendar(about: now).day(containing: now).start
    }

    /// Their rows, as a condition of SQL. A file's days of the past have an end of their own, or are none of this machine's.
    private static let rows = """
        kind <> \(RowKind.void) AND locationKey = :location AND countedAt >= :from AND \(Schema.counts)
        AND (fileKey IS NULL OR countedAt >= :present
            OR (SELECT \(Schema.isJournalFile) FROM file WHERE file.key = fileKey))
        AND \(RowOrder.isAfter)
        """

    private func bind(_ statement: Statement, from: Timestamp? = nil) throws -> Statement {
        try (end?.order ?? .start).bind(statement).bind("location", key).bind("present", present)
            .bind("from", from ?? end?.time ?? Timestamp(microseconds: Segment.beginningOfTime))
    }

    /// Those that have begun by a time, in order.
    func days(until now: Timestamp) throws -> [OperationalDay] {
        let statement = try db.statement(
            """
            SELECT countedAt FROM journalRow WHERE kind IN \(RowKind.voidable) AND \(Self.rows)
            ORDER BY countedAt LIMIT 1
            """)
        var days: [OperationalDay] = []
        while let next = try bind(statement, from: days.last?.end).time(), next <= now {
            days.append(location.calendar(about: next).day(containing: next))
        }
        return days
    }

    /// Those of the days that end each for itself: what a day left over is taken off already where the level was corrected by hand after
    /// it.
    func notCorrected(_ days: [OperationalDay], until now: Timestamp) throws -> [OperationalDay] {
        let sql = """
            SELECT countedAt FROM journalRow WHERE kind = \(RowKind.correction) AND \(Self.rows) AND countedAt <= :now
            AND NOT EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = journalRow.position)
            ORDER BY countedAt DESC LIMIT 1
            """
        let correction = try bind(db.statement(sql)).bind("now", now).time()
        return days.filter { day in correction.map { day.end > $0 } ?? true }
    }
}

// MARK: - Days that nobody ended

/// Days that are over and that no user has ended, in a location whose days do not end by themselves.
package struct OverdueDay: Hashable, Sendable {
    /// The last of them, in which something was changed.
    package let day: OperationalDay
    /// How many they are; each ends at its own end.
    package let number: Int
    package let count: Int
    package let isYesterday: Bool
    /// Whether it is expected to be ended: days were ended before, or nothing was changed in the present day.
    package let isExpected: Bool
}

extension SQLiteJournal {
    /// The days of a location that a user may still end, whatever was counted since.
    ///
    /// There are none in a tally of which no day was ever ended: nobody ends its days. A correction by hand has taken off what the days
    /// before it left over.
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
        let (reader, location) = (HistoryReader(db: db), try projection.location())
        let today = location.calendar(about: now).day(containing: now)
        let end = try SnapshotTable.last(db, of: location.id)
        // Nobody ends the days of a tally of which none was ever ended, even if that was taken back.
        if end == nil, location.maxCapacity == nil,
            try SnapshotTable.lastTime(db, location: projection.locationKey) == nil
        {
            return nil
        }
        let open = try OpenDays(db, of: location, after: end, now: now)
        let over = try open.days(until: now).filter { $0.end <= today.start }
        let days = try open.notCorrected(over, until: now)
        guard let day = days.last else { return nil }
        let level = try reader.level(of: projection.locationKey, at: day.end)
        self.init(
            day: day, number: days.count, count: location.count(of: level),
            isYesterday: day.end == today.start,
            isExpected: end != nil || projection.latest < today.start.microseconds)
    }
}

// MARK: - The table

/// The row that ended the last day of a location.
struct LastDayEnd {
    let position: Position
    let time: Timestamp
    let order: RowOrder
}

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
        try db.statement(sql).bind("position", position).bind("begin", snapshot.from)
            .bind("totalIn", snapshot.totalIn).bind("totalOut", snapshot.totalOut)
            .bind("peakStart", snapshot.peakHour?.start)
            .bind("peakIn", snapshot.peakHour?.totalIn).bind("highest", snapshot.highestLevel)
            .bind("average", snapshot.averageOccupancy).bind("isAutomatic", snapshot.isAutomatic)
            .bind("finalLevel", snapshot.finalLevel).run()
    }

    /// The archive of the day that a row has ended; nil where it has ended none.
    static func snapshot(_ db: Connection, of row: Position, at time: Timestamp) throws -> DaySnapshot? {
        try db.statement("SELECT \(columns) FROM snapshot WHERE position = :position")
            .bind("position", row).first { try snapshot($0, endingAt: time) }
    }

    private static func snapshot(_ row: borrowing Row, endingAt time: Timestamp) throws -> DaySnapshot {
        var peak: DaySnapshot.PeakHour?
        if let start: Timestamp = row["peakStart"] {
            peak = DaySnapshot.PeakHour(start: start, totalIn: try row["peakIn"])
        }
        return DaySnapshot(
            from: try row["begin"], to: time, finalLevel: try row["finalLevel"], totalIn: try row["totalIn"],
            totalOut: try row["totalOut"], peakHour: peak, highestLevel: try row["highest"],
            averageOccupancy: row["average"], isAutomatic: try row["isAutomatic"])
    }

    /// The last End Day. A day of a file is none: its end leaves the level of today.
    static func last(_ db: Connection, of locationId: Identifier?) throws -> LastDayEnd? {
        let sql = """
            SELECT position, countedAt, orderedAt, place FROM journalRow WHERE kind = \(RowKind.reset) AND \(isStanding)
            AND EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = journalRow.position)
            ORDER BY orderedAt DESC, place DESC LIMIT 1
            """
        return try db.statement(sql).bind("id", locationId).first { row in
            LastDayEnd(position: try row["position"], time: try row["countedAt"], order: try RowOrder(row))
        }
    }

    /// When the last day ended, even if that was taken back since; nil where none has ended but days of files.
    static func lastTime(_ db: Connection, location: Int64) throws -> Timestamp? {
        let sql = """
            SELECT countedAt FROM snapshot JOIN journalRow USING (position)
            WHERE locationKey = :location AND kind = \(RowKind.reset) ORDER BY orderedAt DESC LIMIT 1
            """
        return try db.statement(sql).bind("location", location).time()
    }

    /// Whether the last row of a location, at `latest`, ended a day, even if that was taken back since.
    static func isEnd(_ db: Connection, location: Int64, latest: Timestamp) throws -> Bool {
        if try lastTime(db, location: location) == latest { return true }
        let sql = """
            SELECT 1 FROM journalRow WHERE kind = \(RowKind.correction) AND kind <> \(RowKind.void)
            AND locationKey = :location AND countedAt = :latest
            AND EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = journalRow.position) LIMIT 1
            """
        return try db.statement(sql).bind("location", location).bind("latest", latest).integer() != nil
    }

    /// The last end of a day of a file before a time.
    static func lastFileDay(_ db: Connection, location: Int64, before time: Timestamp) throws -> Timestamp? {
        let sql = """
            SELECT max(countedAt) FROM snapshot CROSS JOIN journalRow USING (position)
            WHERE kind = \(RowKind.correction) AND locationKey = :location AND countedAt < :time
            """
        return try db.statement(sql).bind("location", location).bind("time", time).time()
    }

    static func all(_ db: Connection, of locationId: Identifier) throws -> [EndedDay] {
        let sql = """
            SELECT position, userId, countedAt + (kind = \(RowKind.correction)) AS ended, \(columns)
            FROM snapshot CROSS JOIN journalRow USING (position) WHERE \(isStanding)
            ORDER BY orderedAt DESC, place DESC
            """
        return try db.statement(sql).bind("id", locationId).all { row in
            EndedDay(
                id: try row["position"], userId: row["userId"],
                snapshot: try snapshot(row, endingAt: row["ended"]))
        }
    }
}
