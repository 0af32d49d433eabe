import CounterModel
import GRDB

/// Reads history on one snapshot of the journal.
struct HistoryReader: HistoryRepository {
    let db: Database
    /// Nothing from before this reset is looked at, also where it shares a minute with what is.
    var firstReset = Position.start

    func stretches(of locationId: String, from: Timestamp, to: Timestamp) throws -> [Stretch] {
        guard let key = try LocationTable.key(db, id: locationId) else { return [] }
        let segments = try segments(of: key, from: from.microseconds, to: to.microseconds)
        return try segments.enumerated().map { index, segment in
            let begin = index == 0 ? from.microseconds : segment.begin
            let minutes = try minutes(
                of: key, segment, from: MinuteRollup.minute(of: begin), to: to.microseconds)
            let level = index > 0 ? segment.start : try level(of: key, segment, at: begin)
            return Stretch(
                reset: Position(segment.reset), begin: Timestamp(microseconds: begin), level: level,
                minutes: minutes)
        }
    }

    func steps(of locationId: String, in stretch: Stretch, minute: MinuteRollup) throws -> [LevelStep] {
        let key = try LocationTable.key(db, id: locationId).orCorrupt()
        let sql = "SELECT begin, start FROM segment WHERE locationKey = ? AND reset = ?"
        let row = try Row.fetchOne(
            db.cachedStatement(sql: sql), arguments: [key, stretch.reset.number]
        ).orCorrupt()
        return try steps(
            of: key, Segment(reset: stretch.reset.number, begin: row[0], start: row[1], sum: 0), minute)
    }

    /// The end of what has happened at a location: after the last event too, though that came by a clock that is ahead.
    func present(of locationId: String, now: Timestamp) throws -> Timestamp {
        let sql = """
            SELECT latest FROM counterState WHERE locationKey = (SELECT key FROM location WHERE id = ?)
            """
        let latest = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [locationId])
        return max(now, Timestamp(microseconds: (latest ?? Segment.beginningOfTime) + 1))
    }

    func capacities(of locationId: String) throws -> [CapacityChange] {
        let sql = """
            SELECT \(Schema.countedAt), text FROM journal WHERE kind = 4 AND setting = 1
            AND locationKey = (SELECT key FROM location WHERE id = ?) ORDER BY position
            """
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [locationId]).map { row in
            let text: String? = row[1]
            return CapacityChange(since: Timestamp(microseconds: row[0]), capacity: text.flatMap { Int($0) })
        }
    }
}

extension HistoryReader {
    /// The segments that overlap a range: the one that came into its start, and those that begin later.
    private func segments(of location: Int64, from: Int64, to: Int64) throws -> [Segment] {
        let sql = """
            SELECT reset, begin, start, sum FROM segment WHERE locationKey = ?1 AND begin < max(?3, ?2 + 1)
            AND reset >= (SELECT reset FROM segment WHERE locationKey = ?1 AND (begin < ?2 OR reset = 0)
                ORDER BY reset DESC LIMIT 1)
            AND reset >= ?4 ORDER BY reset
            """
        let arguments: StatementArguments = [location, from, to, firstReset.number]
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
            try Segment(reset: row[0], begin: row[1], start: row[2], sum: 0).adding(row[3]).orCorrupt()
        }
    }

    private func minutes(of location: Int64, _ segment: Segment, from: Int64, to: Int64) throws
        -> [MinuteRollup]
    {
        let sql = """
            SELECT \(MinuteRollup.columns) FROM rollup
            WHERE locationKey = ? AND reset = ? AND minute >= ? AND minute < ? ORDER BY minute
            """
        let last = MinuteRollup.minute(of: to - 1) + 1
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: sql), arguments: [location, segment.reset, from, last])
        var minutes: [MinuteRollup] = []
        while let row = try rows.next() { minutes.append(MinuteRollup(row)) }
        return minutes
    }

    private func steps(of location: Int64, _ segment: Segment, _ minute: MinuteRollup) throws -> [LevelStep] {
        let sql = "SELECT min(reset) FROM segment WHERE locationKey = ? AND reset > ?"
        let next = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [location, segment.reset])
        return try MinuteSteps.fetch(
            db, location: location, segment: segment, before: next ?? .max, minute: minute.minute,
            hasEarly: minute.early > 0)
    }

    /// The level just before anything that happens at a time.
    private func level(of location: Int64, _ segment: Segment, at time: Int64) throws -> Int {
        let minute = MinuteRollup.minute(of: time)
        let sql = """
            SELECT coalesce(sum(ins - outs + manualIns - manualOuts), 0) FROM rollup
            WHERE locationKey = ? AND reset = ? AND minute >= ?
            """
        let later = try Int.fetchOne(
            db.cachedStatement(sql: sql), arguments: [location, segment.reset, minute])
        let atMinute = segment.end - (later ?? 0)
        if time == MinuteRollup(minute: minute).start { return atMinute }
        let first = try minutes(of: location, segment, from: minute, to: time).first
        let earlier = try first.map { try steps(of: location, segment, $0) } ?? []
        return earlier.filter { $0.time < time }.reduce(atMinute) { $0 + $1.type.delta }
    }
}
