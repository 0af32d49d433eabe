package import CounterModel
package import Linux
import SQL

/// Days that end by themselves, each before anything is appended that counts later.
///
/// So such an end is after all that counts in its day and before all that counts later, in the journal as in time. Nothing
/// ends where nothing has happened since the last end of a day, so at most one end is missing. An end that was taken back
/// does not come back: only the start of the day after it is due.
extension AppendTransaction {
    func endDueDay(of locationId: Identifier) throws {
        guard let projection = try projection(of: locationId) else { return }
        try endDueDay(of: projection, until: receivedAt.microseconds)
    }

    /// Ends the day of a location that is over at a time, if there is one.
    func endDueDay(of projection: LocationProjection, until time: Int64) throws {
        guard try projection.endsDaysAutomatically() else { return }
        let due = try DueDayEnd(db, projection)
        guard let end = due.end, end.microseconds <= time else { return }
        try flush()
        let location = try projection.location()
        let (dayStart, calendar) = try due.day(endingAt: end)
        let snapshot = try HistoryReader.snapshot(
            db, of: location, dayStart: dayStart, calendar, now: end, isAutomatic: true)
        let request = Request(locationId: location.id, timestamp: end, .endOfDay(snapshot), order: .given)
        var new = NewRow(row: request.row, projection: projection, line: nil, order: .given)
        new.row.receivedAt = receivedAt
        try order(&new)
        let position = try self.end(snapshot, by: new)
        ended.append(Receipt(request, .accepted(position), level: 0))
    }
}

/// When the day of a location ends by itself that began with the last row.
private struct DueDayEnd {
    /// The start of the next operational day; nil where there is nothing to end.
    let end: Timestamp?
    private let db: Connection
    private let location: Location
    private let locationKey: Int64
    /// The last row, and since when the settings are as they are.
    private let latest, settledSince: Timestamp

    init(_ db: Connection, _ projection: LocationProjection) throws {
        self.db = db
        location = try projection.location()
        locationKey = projection.locationKey
        latest = Timestamp(microseconds: projection.latest)
        let settings = [LocationProperty.timezone, .dayStart, .endsDaysAutomatically]
        let sql = """
            SELECT max(countedAt) FROM journalRow WHERE kind = \(RowKind.setting) AND locationKey = :location
            AND setting IN (\(settings.map { "\($0.key)" }.joined(separator: ", ")))
            """
        settledSince =
            try db.statement(sql).bind("location", locationKey).time()
            ?? Timestamp(microseconds: Segment.beginningOfTime)
        let isEnded =
            try projection.current.end == 0 && SnapshotTable.isEnd(db, location: locationKey, latest: latest)
        let begin = max(latest, settledSince)
        let isEmpty = projection.latest == Segment.beginningOfTime || isEnded
        end = isEmpty ? nil : location.calendar(about: begin).day(containing: begin).end
    }

    /// The start of the operational day of the first row since the last end of a day, under the present settings.
    func day(endingAt end: Timestamp) throws -> (start: Timestamp, OperationalCalendar) {
        let last = try SnapshotTable.last(db, of: location.id)
        let lastOfFile = try SnapshotTable.lastFileDay(db, location: locationKey, before: end)
        let after = [last?.time, lastOfFile.map { $0 + FileDay.fromEndToNextDay }].compactMap(\.self).max()
        let sql = """
            SELECT countedAt FROM journalRow WHERE kind IN \(RowKind.voidable) AND kind <> \(RowKind.void)
            AND locationKey = :location AND countedAt >= :after AND \(RowOrder.isAfter) AND \(Schema.counts)
            ORDER BY countedAt LIMIT 1
            """
        let first = try (last?.order ?? .start).bind(db.statement(sql)).bind("location", locationKey)
            .bind("after", after?.microseconds ?? Segment.beginningOfTime).time()
        let begin = min(max(first ?? latest, settledSince), end)
        let calendar = location.calendar(for: begin...end)
        let day = calendar.day(containing: begin)
        return (day.start < end ? day.start : calendar.day(before: day).start, calendar)
    }
}

extension SQLiteJournal {
    /// Ends the days that are over, in the locations whose days end by themselves.
    ///
    /// Each ends at the start of the next operational day, once, whichever program is the first. `append` does the same for the
    /// locations of its requests. Returns a receipt for each end; where there is none, nothing was locked or written.
    package func endDueDays(now: Timestamp) throws(JournalError) -> [Receipt] {
        let due = try due(among: locations(), now: now)
        if due.isEmpty { return [] }
        let (ended, states) = try write { db in
            let transaction = try AppendTransaction(db, receivedAt: now)
            for location in due { try transaction.endDueDay(of: location.id) }
            try transaction.finish()
            return (transaction.ended, try transaction.states())
        }
        statesAfterAppend = states
        return ended
    }

    /// The locations whose days end by themselves and in which one is over that has not: no program that may write has run since.
    package func due(among locations: [Location], now: Timestamp) throws(JournalError) -> [Location] {
        let automatic = locations.filter(\.endsDaysAutomatically)
        if automatic.isEmpty { return [] }
        return try read { db in
            try automatic.filter { location in
                let projection = try LocationProjection(db, locationId: location.id).orCorrupt()
                return try DueDayEnd(db, projection).end.map { $0 <= now } ?? false
            }
        }
    }
}

/// Ends the days that end by themselves, each when the next one starts. Where that fails, it is tried again soon.
package struct NextDayEnd {
    /// When the next day starts, by this machine's clock; nil where no location's days end by themselves, and while an end that
    /// has failed is tried again.
    package var time: Timestamp? { retryAt == nil ? next : nil }
    /// When an end that has failed is tried again; nil where none has.
    package private(set) var retryAt: MonotonicTime?
    private var next: Timestamp?
    private var backoff = Backoff()
    private var error: JournalError?

    /// Waits for the first of the locations' next days.
    package init(of locations: [Location], now: Timestamp) { follow(locations, now: now) }

    /// The locations or the clock have changed. An end that has failed is still tried again.
    package mutating func follow(_ locations: [Location], now: Timestamp) {
        next = locations.filter(\.endsDaysAutomatically)
            .map { $0.calendar(about: now).day(containing: now).end }.min()
    }

    /// Ends the days that are over, if one is. Returns a receipt for each end. Throws each reason once, and none where another program has
    /// the journal locked.
    package mutating func end(
        in journal: SQLiteJournal, _ locations: [Location], now: Timestamp, at moment: MonotonicTime
    ) throws(JournalError) -> [Receipt] {
        guard retryAt.map({ $0 <= moment }) ?? next.map({ $0 <= now }) ?? false else { return [] }
        do throws(JournalError) {
            let receipts = try journal.endDueDays(now: now)
            (retryAt, backoff, error) = (nil, Backoff(), nil)
            follow(locations, now: now)
            return receipts
        } catch {
            retryAt = moment + backoff.next()
            defer { self.error = error }
            if error.reason == .busy || error == self.error { return [] }
            throw error
        }
    }
}
