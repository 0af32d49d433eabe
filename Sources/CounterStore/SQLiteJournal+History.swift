package import CounterModel
package import Linux
import SQL

extension SQLiteJournal {
    /// The KPIs of a range of a location's history, on one snapshot.
    ///
    /// - parameters:
    ///     - location: Whose.
    ///     - hours: The start of each hour of the range, ascending; at least one. All but the first are starts of minutes.
    ///     - end: The end of the last hour.
    ///     - now: Nothing after it is read; see `present(of:now:)`.
    ///     - bars: The starts of the bars that a chart of the range has, under the same rules.
    ///     - open: When silence is judged.
    ///     - silence: How long a connected device may send nothing before that is an anomaly, in microseconds.
    /// - returns: All zeros where there is no such location.
    /// - throws: `JournalError`
    package func kpis(
        of location: Location, hours: [Timestamp], end: Timestamp, now: Timestamp, bars: [Timestamp] = [],
        open: OpenTimes = .always, silence: Int64
    ) throws(JournalError) -> KPIs {
        try read { db in
            try AnalyticsService(HistoryReader(db: db))
                .kpis(
                    of: location, hours: hours, end: end, now: now, bars: bars, open: open, silence: silence)
        }
    }

    /// The end of a location's history: `now`, or after its last event if this machine's clock was set back since.
    ///
    /// - throws: `JournalError`
    package func present(of locationId: Identifier, now: Timestamp) throws(JournalError) -> Timestamp {
        try read { db in try HistoryReader(db: db).present(of: locationId, now: now) }
    }

    /// What `endDay` would archive now.
    ///
    /// - parameters:
    ///     - location: Whose.
    ///     - dayStart: The start of the present day, if no End Day has closed one before.
    ///     - hours: The starts of the hours from one time to another, all but the first starts of minutes.
    ///     - now: When the day would end.
    /// - returns: All zeros where there is no such location.
    /// - throws: `JournalError`
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
    ///     - location: Whose.
    ///     - dayStart: The start of the present day, if no End Day has closed one before.
    ///     - hours: The starts of the hours from one time to another, all but the first starts of minutes.
    ///     - userId: The user who ends it.
    ///     - now: When; the end of the day, unless `overdue` says otherwise.
    ///     - overdue: The day that ends, at its own end.
    /// - returns: What was archived; nil if there is no such location, or if the overdue day is no longer so, because
    ///   something was counted after it or another program has ended it.
    /// - throws: `JournalError`; then nothing has changed.
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
            let answer = try transaction.answer(
                Request(
                    locationId: location.id, userId: userId,
                    timestamp: end, change: .endOfDay(snapshot)))
            try transaction.finish()
            guard case .accepted = answer.outcome else { return nil }
            return snapshot
        }
    }

    /// The days of a location that were ended and not reopened, the last first.
    ///
    /// - throws: `JournalError`
    package func endedDays(of locationId: Identifier) throws(JournalError) -> [EndedDay] {
        try read { db in try SnapshotTable.all(db, of: locationId) }
    }

    /// Rows of a location's history in the order of time: entries, resets, ends of days, settings; void ones too.
    ///
    /// - parameters:
    ///     - locationId: Whose.
    ///     - page: Which rows.
    /// - returns: At most as many rows as the page is long, in the order of time; fewer at the end of history.
    /// - throws: `JournalError`
    package func history(of locationId: Identifier, _ page: HistoryPage) throws(JournalError) -> [HistoryRow]
    {
        try read { db in try HistoryRows(db).fetch(locationId, page) }
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
        let kpis = try AnalyticsService(reader).kpis(
            of: location, hours: [start] + hours(start, present).dropFirst(), end: present, now: present,
            silence: .max)
        return DaySnapshot(kpis, from: first, to: now, isAutomatic: isAutomatic)
    }
}

/// The SQL of archived days.
enum SnapshotTable {
    private static let isStanding = """
        locationKey = (SELECT key FROM location WHERE id = :id)
        AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)
        """

    /// The column of the level at the end.
    static let finalLevel = "coalesce(snapshot.finalLevel, journal.levelBefore) AS finalLevel"

    /// The position and time of the last End Day.
    static func last(_ db: Connection, of locationId: Identifier) throws -> (
        position: Position, time: Timestamp
    )? {
        let sql = """
            SELECT position, \(Schema.countedAt) AS time FROM snapshot JOIN journal USING (position)
            WHERE \(isStanding) ORDER BY position DESC LIMIT 1
            """
        return try db.statement(sql).bind("id", locationId).first { row in
            (Position(try row["position"]), Timestamp(microseconds: try row["time"]))
        }
    }

    /// When the last day ended, even if that was taken back since; nil where none has ended.
    static func lastTime(_ db: Connection, location: Int64) throws -> Timestamp? {
        let sql = """
            SELECT \(Schema.countedAt) FROM snapshot JOIN journal USING (position) WHERE locationKey = :location
            ORDER BY position DESC LIMIT 1
            """
        return try db.statement(sql).bind("location", location).integer().map { Timestamp(microseconds: $0) }
    }

    static func all(_ db: Connection, of locationId: Identifier) throws -> [EndedDay] {
        let sql = """
            SELECT position, userId, snapshot.begin, \(Schema.countedAt) AS time, \(finalLevel), totalIn, totalOut,
                peakStart, peakIn, highest, average, isAutomatic
            FROM snapshot JOIN journal USING (position) WHERE \(isStanding) ORDER BY position DESC
            """
        return try db.statement(sql).bind("id", locationId).all { row in
            EndedDay(
                id: Position(try row["position"]), userId: row["userId"],
                snapshot: DaySnapshot(
                    from: Timestamp(microseconds: try row["begin"]),
                    to: Timestamp(microseconds: try row["time"]), finalLevel: try row["finalLevel"],
                    totalIn: try row["totalIn"], totalOut: try row["totalOut"],
                    peakHour: try DaySnapshot.PeakHour(row), highestLevel: try row["highest"],
                    averageOccupancy: row["average"], isAutomatic: try row["isAutomatic"]))
        }
    }
}
