package import CounterModel
package import Linux
import SQL

struct HistoryReader {
    let db: Connection
    /// Nothing before this reset is read, not even in the minute that contains it.
    var firstReset = Position.start
    /// The level with which the range begins; nil for that of the journal.
    var openingLevel: Int?

    /// See `AnalyticsService`. The range ends at `now` where `end` is later.
    func kpis(
        of location: Location, hours: [Timestamp], end: Timestamp, now: Timestamp, bars: [Timestamp] = [],
        open: OpenTimes = .always, silence: Int64
    ) throws -> KPIs {
        let (from, to) = (hours[0], max(hours[0], min(end, now)))
        let key = try LocationTable.key(db, id: location.id) ?? Self.nowhere
        let segments = try segments(of: key, from: from, to: to)
        let hasCorrections = segments.contains {
            $0.minutes.contains { $0.correctedUp + $0.correctedDown > 0 }
        }
        let days = open.days(of: from..<max(from, end))
        let whole = days.start..<max(to, min(days.end, now))
        return try AnalyticsService(
            of: from..<to, segments: segments, capacities: try capacities(of: key),
            anomalies: try anomalies(of: key, from.microseconds..<to.microseconds),
            signs: try signs(of: key, in: whole, silence) {
                whole == from..<to ? segments : try self.segments(of: key, from: whole.start, to: whole.end)
            },
            ends: hasCorrections ? try fileDayEnds(of: key, from: from, to: to) : (0, 0)
        ) { try steps(of: key, $0.reset.number, $1) }
        .kpis(hours: hours, bars: bars, open: open, silence: silence)
    }

    /// The same, by the hours of the location's zone.
    func kpis(
        of location: Location, in range: Range<Timestamp>, _ calendar: OperationalCalendar, now: Timestamp,
        bars: [Timestamp] = [], silence: Int64 = .max
    ) throws -> KPIs {
        try kpis(
            of: location, hours: calendar.hourStarts(in: range), end: range.upperBound, now: now, bars: bars,
            open: OpenTimes(of: location, in: range, calendar), silence: silence)
    }

    /// The key of a location that is not there: no row has it.
    private static let nowhere: Int64 = 0

    /// nil where there can be no silence: in a time no longer than that, and before the location's first sign, as nothing listened.
    private func signs(
        of key: Int64, in days: Range<Timestamp>, _ silence: Int64,
        _ segments: () throws -> [HistorySegment]
    ) throws -> AnalyticsService.SignData? {
        guard days.duration > .microseconds(silence), let first = try firstSign(of: key), first < days.end
        else { return nil }
        let presence = try PresenceTable.presence(
            db, of: key, from: days.start.microseconds, to: days.end.microseconds)
        return (max(days.start, first)..<days.end, try segments(), presence)
    }

    /// The segments that overlap a range: the one that was current at its start, and those that begin later.
    private func segments(of key: Int64, from: Timestamp, to: Timestamp) throws -> [HistorySegment] {
        let sql = """
            SELECT \(SegmentTable.columns) FROM segment WHERE locationKey = :location AND begin < :to
            AND begin >= coalesce((SELECT max(begin) FROM segment WHERE locationKey = :location AND begin < :from),
                :first) ORDER BY begin, \(SegmentTable.place)
            """
        let all = try db.statement(sql).bind("location", key).bind("from", from)
            .bind("to", max(to, from + .microseconds(1))).bind("first", Segment.beginningOfTime)
            .all { try Segment($0) }
        // Of several that begin at one time, before the range, the last one counts.
        let first = all.lastIndex { $0.begin < from.microseconds } ?? 0
        let segments = all[max(first, all.firstIndex { $0.reset == firstReset.number } ?? 0)...]
        return try segments.enumerated().map { index, segment in
            let begin = index == 0 ? from.microseconds : segment.begin
            let minutes = try minutes(
                of: key, segment, from: MinuteRollup.minute(of: begin), to: to.microseconds)
            let level =
                index > 0 ? segment.start : try openingLevel ?? level(of: key, segment, at: begin)
            return HistorySegment(
                reset: Position(segment.reset), begin: Timestamp(microseconds: begin), level: level,
                minutes: minutes)
        }
    }

    /// The end of a location's history: `now`, or after its last event if this machine's clock was set back since.
    func present(of locationId: Identifier, now: Timestamp) throws -> Timestamp {
        let sql = """
            SELECT latest FROM counterState WHERE locationKey = (SELECT key FROM location WHERE id = :id)
            """
        let latest = try db.statement(sql).bind("id", locationId).time()
        return latest.map { max(now, $0 + .microseconds(1)) } ?? now
    }

    /// The level just before a time.
    func level(of location: Int64, at time: Timestamp) throws -> Int {
        let before = RowOrder(time.microseconds, "")
        let segment = try SegmentTable.last(db, before: before, location: location).orCorrupt()
        return try level(of: location, segment, at: time.microseconds)
    }

    func capacities(of location: Int64) throws -> [CapacityChange] {
        let sql = """
            SELECT countedAt, text FROM journalRow
            WHERE kind = \(RowKind.setting) AND setting = \(LocationProperty.capacity.key)
            AND locationKey = :location ORDER BY orderedAt, place
            """
        return try db.statement(sql).bind("location", location).all { row in
            let text: String? = row["text"]
            return CapacityChange(since: try row["countedAt"], capacity: text.flatMap { Int($0) })
        }
    }
}

extension HistoryReader {
    /// `from` is a minute, `to` a time.
    private func minutes(of location: Int64, _ segment: Segment, from: Int64, to: Int64) throws
        -> [MinuteRollup]
    {
        let last = MinuteRollup.minute(of: to - 1)
        if last < from { return [] }
        return try MinuteTable.fetch(db, location: location, reset: segment.reset, minutes: from...last)
    }

    private func steps(of location: Int64, _ reset: Int64, _ minute: MinuteRollup) throws -> [LevelStep] {
        try MinuteSteps.fetch(
            db, location: location, SegmentTable.range(db, of: reset, location: location),
            minute: minute.minute, hasEarly: minute.early > 0)
    }

    private func level(of location: Int64, _ segment: Segment, at time: Int64) throws -> Int {
        let minute = MinuteRollup.minute(of: time)
        let sql = """
            SELECT coalesce(sum(ins - outs + correctedUp - correctedDown), 0) FROM rollup
            WHERE locationKey = :location AND reset = :reset AND minute >= :minute
            """
        let later = try db.statement(sql).bind("location", location).bind("reset", segment.reset)
            .bind("minute", minute).integer()
        var atMinute = segment
        atMinute.sum -= Int(later ?? 0)
        if time == MinuteRollup(minute: minute).start { return atMinute.end }
        let first = try minutes(of: location, segment, from: minute, to: time).first
        let earlier = try first.map { try steps(of: location, segment.reset, $0) } ?? []
        atMinute.sum += earlier.filter { $0.time < time }.reduce(0) { $0 + $1.difference }
        return atMinute.end
    }
}

extension HistoryReader {
    /// By how much ends of days of files moved the level up and down.
    private func fileDayEnds(of location: Int64, from: Timestamp, to: Timestamp) throws -> (
        up: Int, down: Int
    ) {
        let sql = """
            SELECT difference FROM snapshot CROSS JOIN journalRow USING (position)
            WHERE kind = \(RowKind.correction) AND locationKey = :location
            AND countedAt >= :from AND countedAt < :to AND \(RowOrder.isAfter) AND \(Schema.counts)
            """
        let steps = try RowOrder.of(firstReset.number, db).bind(db.statement(sql)).bind("location", location)
            .bind("from", from).bind("to", to).integers()
        return steps.reduce(into: (0, 0)) { ends, step in
            if step > 0 { ends.up += Int(step) } else { ends.down -= Int(step) }
        }
    }
}

// MARK: - Anomalies

extension HistoryReader {
    private func anomalies(of location: Int64, _ range: Range<Int64>) throws -> [Anomaly] {
        let isInRange = "journalRow.locationKey = :location AND countedAt >= :from AND countedAt < :to"
        func all(_ sql: String, _ decode: (borrowing Row) throws -> Anomaly) throws -> [Anomaly] {
            try db.statement(sql).bind("location", location).bind("from", range.lowerBound)
                .bind("to", range.upperBound).all(decode)
        }
        // A gap is dated by the entry that shows it.
        let gaps = """
            SELECT device.id, first, last, countedAt FROM gap JOIN journalRow ON position = noticedBy
            JOIN device ON device.key = gap.deviceKey WHERE \(isInRange) ORDER BY orderedAt, place, first
            """
        let restarts = """
            SELECT device.id, epoch.epoch, countedAt FROM epoch JOIN journalRow ON position = openedBy
            JOIN device ON device.key = epoch.deviceKey WHERE epoch.epoch > 0 AND \(isInRange) ORDER BY orderedAt, place
            """
        let skewed = """
            SELECT device.id, timestamp, receivedAt FROM journalRow JOIN device ON device.key = deviceKey
            WHERE \(Schema.isSkewed) AND journalRow.locationKey = :location AND receivedAt >= :from
            AND receivedAt < :to ORDER BY orderedAt, place
            """
        return try all(gaps) {
            .sequenceGap(
                deviceId: try $0["id"], first: try $0["first"], last: try $0["last"], at: try $0["countedAt"])
        }
            + all(restarts) {
                .restart(deviceId: try $0["id"], epoch: try $0["epoch"], at: try $0["countedAt"])
            }
            + all(skewed) {
                .clockSkew(
                    deviceId: try $0["id"], timestamp: try $0["timestamp"], receivedAt: try $0["receivedAt"])
            }
    }

    /// When the location had its first event that is not from a file, or its first connected device; nil where never.
    private func firstSign(of location: Int64) throws -> Timestamp? {
        let sql = """
            SELECT min(time) FROM (
                SELECT firstEventAt AS time FROM counterState WHERE locationKey = :location
                UNION ALL SELECT min(since) FROM presence WHERE locationKey = :location)
            """
        return try db.statement(sql).bind("location", location).time()
    }
}

// MARK: - In the journal

extension SQLiteJournal {
    /// The KPIs of a range of a location's history, on one snapshot; all zeros where there is no such location. See
    /// `AnalyticsService` for hours and silence. Nothing after `now` is read.
    package func kpis(
        of location: Location, hours: [Timestamp], end: Timestamp, now: Timestamp, silence: Int64
    ) throws(JournalError) -> KPIs {
        try read { db in
            try HistoryReader(db: db).kpis(of: location, hours: hours, end: end, now: now, silence: silence)
        }
    }

    /// Rows of a location's history in the order of time: entries, corrections, resets, ends of days, settings; void ones too. At
    /// most as many as the page is long, fewer at the end of history.
    package func history(of locationId: Identifier, _ page: HistoryPage) throws(JournalError) -> [HistoryRow]
    {
        try read { db in try HistoryRows(db).fetch(locationId, page) }
    }

    package func today(of location: Location, silentAfter: Duration, now: Timestamp) throws(JournalError) -> (
        day: OperationalDay, kpis: KPIs
    ) {
        let calendar = location.calendar(about: now)
        let day = calendar.day(containing: now)
        return (
            day, try kpis(of: location, in: day.start..<day.end, calendar, silentAfter: silentAfter, now: now)
        )
    }

    /// The figures of a range of a location's history, by hours of its zone. Entries of clocks that are ahead are included.
    package func kpis(
        of location: Location, in range: Range<Timestamp>, _ calendar: OperationalCalendar,
        bars: [Timestamp] = [], silentAfter: Duration, now: Timestamp
    ) throws(JournalError) -> KPIs {
        try read { db in
            let reader = HistoryReader(db: db)
            return try reader.kpis(
                of: location, in: range, calendar, now: reader.present(of: location.id, now: now), bars: bars,
                silence: silentAfter.microseconds)
        }
    }
}
