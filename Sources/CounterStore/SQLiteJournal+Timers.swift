package import CounterModel
import Linux
import SQL

extension SQLiteJournal: TimerRepository {
    package func update(_ board: inout TimerBoard) throws(JournalError) {
        var next = board
        try access { try TimerRows.update(&next, $0) }
        board = next
    }

    package func change(
        _ board: inout TimerBoard, by userId: String, at moment: TimerMoment,
        decide: (TimerBoard) -> Result<[TimerEvent], TimerRefusal>
    ) throws(JournalError) -> TimerRefusal? {
        var next = board
        let refusal = try write { db -> TimerRefusal? in
            let transaction = try AppendTransaction(db, receivedAt: moment.now)
            try TimerRows.update(&next, db)
            if try transaction.noteClock(moment.clock, after: next) { try TimerRows.update(&next, db) }
            let decision = decide(next)
            if case .success(let events) = decision {
                for event in events { try transaction.append(event, by: userId, at: moment) }
            }
            try transaction.finish()
            try TimerRows.update(&next, db)
            if case .failure(let refusal) = decision { return refusal }
            return nil
        }
        board = next
        return refusal
    }
}

enum TimerRows {
    static func update(_ board: inout TimerBoard, _ db: Connection) throws {
        let late = """
            SELECT 1 FROM journal WHERE kind = \(RowKind.timerEvent) AND position > :after AND isLate = 1
            UNION ALL SELECT 1 FROM clock LEFT JOIN journal AS void ON void.target = clock.position
                WHERE max(clock.position, coalesce(void.position, 0)) > :after
            UNION ALL SELECT 1 FROM identity WHERE since > 1 AND since > :after
            LIMIT 1
            """
        // A row may stand before others that the board has, or be another journal's since this one writes under another id.
        if board.position > .start,
            try db.statement(late).bind("after", board.position).integer() != nil
        {
            board = TimerBoard()
        }
        let sql = """
            SELECT position, timestamp, userId, text, \(Schema.journalKey(of: "journal")) AS journalKey, id, fileKey
            FROM journal JOIN location ON key = locationKey
            WHERE kind = \(RowKind.timerEvent) AND position > :after
            ORDER BY \(Schema.orderedAt), \(Schema.place(of: "journal"))
            """
        let rows = try db.statement(sql).bind("after", board.position).all { row -> TimerRow? in
            guard var content = TimerRowContent(text: try row["text"]) else { return nil }
            if (row["fileKey"] as Int64?) != nil { content.event.comes(to: try row["id"]) }
            return TimerRow(
                position: try row["position"], timestamp: try row["timestamp"], userId: row["userId"],
                content: content, journal: row["journalKey"])
        }
        for case let row? in rows { board.apply(row) }
    }
}

extension SQLiteJournal {
    package func result(of timer: TimerData, at now: Timestamp) throws(JournalError) -> TimerResult {
        let windows = timer.countedWindows(at: now)
        return TimerResult(windows, try counts(in: windows, of: timer.locations))
    }

    /// The entries that are not void, within windows of one location or several: for each window, by location, without locations
    /// that have no entries in it.
    package func counts(
        in windows: [TimerWindow], of locations: TimerLocations
    ) throws(JournalError) -> [[TimerCount]] {
        guard !windows.isEmpty else { return [] }
        return try read { db in
            let keys = try Self.keys(of: locations, db)
            return try windows.map { window in
                try keys.compactMap { key, id in
                    let parts = try window.parts.map { try Self.count(in: $0, of: window.journal, key, db) }
                    let count = parts.reduce(into: TimerCount(locationId: id, totalIn: 0, totalOut: 0)) {
                        $0.totalIn += $1.ins
                        $0.totalOut += $1.outs
                    }
                    return count.totalIn + count.totalOut > 0 ? count : nil
                }
            }
        }
    }

    private static func keys(of locations: TimerLocations, _ db: Connection) throws -> [(Int64, Identifier)] {
        try db.statement("SELECT key, id FROM location ORDER BY id").all { row in
            (try row["key"] as Int64, try row["id"] as Identifier)
        }.filter { locations.contains($0.1) }
    }

    /// The index `journalTime` finds the rows of the window. Those of the window's journal are in it by their order, but lines of a file
    /// by their time alone, in every journal. A timer measures by the clock of its journal, so its rows are not moved, nor are those that
    /// it is compared with.
    private static func count(
        in part: TimerWindow.Part, of journal: Int64?, _ key: Int64, _ db: Connection
    ) throws -> (ins: Int, outs: Int) {
        let sql = """
            WITH counted AS (
                SELECT delta, source, journalKey, position, receivedAt FROM journalRow
                WHERE kind <> \(RowKind.void) AND kind = \(RowKind.entry) AND locationKey = :location
                AND countedAt >= :from AND countedAt < :to AND voidedBy IS NULL AND movedBy IS NULL
                UNION ALL
                SELECT row.delta, row.source, row.journalKey, position, journal.receivedAt
                FROM journal JOIN journalRow AS row USING (position)
                WHERE journal.movedBy IS NOT NULL AND journal.kind = \(RowKind.entry)
                AND journal.locationKey = :location AND row.voidedBy IS NULL
                AND iif(row.journalKey IS :journal AND row.source <> \(EventSource.import.key), row.ownTime, row.countedAt)
                    BETWEEN :from AND :to - 1)
            SELECT coalesce(sum(delta = 1), 0) AS ins, coalesce(sum(delta = -1), 0) AS outs FROM counted
            WHERE iif(journalKey IS :journal AND source <> \(EventSource.import.key),
                position > :after AND position < :before AND receivedAt < :received,
                :others AND (journalKey IS NOT NULL OR position < :ownBefore))
            """
        return try db.statement(sql).bind("location", key).bind("from", part.from).bind("to", part.to)
            .bind("after", part.after).bind("before", part.before?.number ?? .max)
            .bind("ownBefore", part.ownBefore?.number ?? .max)
            .bind("received", part.receivedBefore?.microseconds ?? .max).bind("others", part.hasOthers)
            .bind("journal", journal).first { row in (try row["ins"], try row["outs"]) }.orCorrupt()
    }
}

// MARK: - The present moment

extension TimerMoment {
    /// The present time of this machine, where `now` is the time of the wall clock, read just before.
    package init(present now: Timestamp) { self.init(now: now, clock: .ofThisMachine) }
}

extension ClockReference {
    /// The distance of the wall clock from CLOCK_BOOTTIME, which goes on while the machine sleeps; nil where the kernel does
    /// not tell which run of it this is, or no clock is the kernel's: libfaketime has this one show the time of day.
    package static var ofThisMachine: ClockReference? {
        let running = Clock.boottime.microseconds
        guard running < longestRun.microseconds else { return nil }
        return Clock.bootId.map { ClockReference(bootId: $0, offset: Clock.realtime.microseconds - running) }
    }

    /// No machine runs for so long: 20 years.
    private static let longestRun = Duration.seconds(20 * 366 * 86_400)
}
