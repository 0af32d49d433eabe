import CounterModel
import Linux
import SQL

/// The derived state of one location while a transaction appends to it: read once, written once at the end.
final class LocationProjection {
    let locationKey: Int64
    /// The segment whose end is the level.
    private(set) var current: Segment
    private var currentTime: Int64
    private var currentFile: Int64?
    /// Other segments that were read, some with sums that `save` has yet to write.
    private var earlier: [Int64: Segment] = [:]
    private var lastUpdated: Int64?
    private var lastEventAt: Int64?
    /// When the first event counts that is not from a file.
    private var firstEventAt: Int64?
    /// The latest time of any row of the location, void or not.
    private(set) var latest: Int64
    private(set) var position: Int64
    /// The present settings, which decide what is refused. Read only when needed: a key press does not need them.
    private var settings: Location?
    private var known: (capacity: Int?, target: Int?, endsDays: Bool)?
    private let db: Connection

    /// Nil where there is no such location.
    init?(_ db: Connection, locationId: Identifier) throws {
        let sql: StaticString = """
            SELECT location.key, lastUpdated, lastEventAt, firstEventAt, position, reset, start, sum, time, fileKey, begin, latest
            FROM location JOIN counterState ON counterState.locationKey = location.key
            JOIN segment ON segment.locationKey = location.key
            WHERE location.id = :location ORDER BY reset DESC LIMIT 1
            """
        let found = try db.statement(sql).binding("location", to: locationId) { statement in
            try statement.first { try Stored($0) }
        }
        guard let stored = found else { return nil }
        self.db = db
        locationKey = stored.key
        lastUpdated = stored.lastUpdated
        lastEventAt = stored.lastEventAt
        firstEventAt = stored.firstEventAt
        position = stored.position
        current = stored.segment
        currentTime = stored.time
        currentFile = stored.file
        latest = stored.latest
    }

    /// The stored columns.
    private struct Stored {
        let key, position, time, latest: Int64
        let lastUpdated, lastEventAt, firstEventAt, file: Int64?
        let segment: Segment

        init(_ row: borrowing Row) throws {
            key = try row["key"]
            lastUpdated = row["lastUpdated"]
            lastEventAt = row["lastEventAt"]
            firstEventAt = row["firstEventAt"]
            position = try row["position"]
            segment = try Segment(reset: row["reset"], row)
            time = try row["time"]
            file = row["fileKey"]
            latest = try row["latest"]
        }
    }

    /// The location with its present settings.
    func location() throws -> Location {
        let location = try settings ?? LocationTable.location(db, key: locationKey).orCorrupt()
        settings = location
        return location
    }

    /// The settings that a key press needs.
    private func limits() throws -> (capacity: Int?, target: Int?, endsDays: Bool) {
        if let known { return known }
        let read = try db.statement(Self.limits).bind("location", locationKey).first { row in
            (
                capacity: (row["capacity"] as String?).flatMap { Int($0) },
                target: (row["target"] as String?).flatMap { Int($0) },
                endsDays: (row["endsDays"] as String?) == "true"
            )
        }
        let limits = try read.orCorrupt()
        known = limits
        return limits
    }

    private static let limits = FixedText(
        """
        SELECT \(LocationTable.setting(.capacity, of: ":location")) AS capacity,
            \(LocationTable.setting(.target, of: ":location")) AS target,
            \(LocationTable.setting(.endsDaysAutomatically, of: ":location")) AS endsDays
        """)

    func endsDaysAutomatically() throws -> Bool { try limits().endsDays }

    /// What `SQLiteJournal.state(of:)` reads once this is saved and committed.
    func state(of id: Identifier) throws -> CounterState {
        let (capacity, target, _) = try limits()
        return CounterState(
            locationId: id, level: current.end, maxCapacity: capacity, target: target,
            lastReset: Position(current.reset),
            lastUpdated: Timestamp(stored: lastUpdated), lastEventAt: Timestamp(stored: lastEventAt),
            position: Position(position))
    }

    /// Whether a moment is at or after the last reset.
    func isAfterReset(_ time: Int64) -> Bool { time >= currentTime }

    /// The segment in which something late counts: the last that had begun at that time. Nil if that is the current
    /// one.
    ///
    /// Lines of one `file` count in their order, whatever their times: a clock that was set back in between must not
    /// move an entry to the other side of its reset.
    func lateSegment(at time: Int64, file: Int64?) throws -> Int64? {
        if currentTime <= time || (file != nil && currentFile == file) { return nil }
        let sql: StaticString = """
            SELECT reset FROM segment
            WHERE locationKey = :location AND reset < :current AND (time <= :time OR fileKey = :file)
            ORDER BY reset DESC LIMIT 1
            """
        return try db.statement(sql).bind("location", locationKey).bind("current", current.reset)
            .bind("time", time).bind("file", file).integer()
    }

    /// The segment of what was appended at a position, or late after it.
    func segment(holding anchor: Int64) throws -> Int64 {
        if anchor >= current.reset { return current.reset }
        let sql = """
            SELECT reset FROM segment WHERE locationKey = :location AND reset <= :anchor ORDER BY reset DESC LIMIT 1
            """
        return try db.statement(sql).bind("location", locationKey).bind("anchor", anchor).integer()
            .orCorrupt()
    }

    /// The segment that a reset begins.
    func segment(_ reset: Int64) throws -> Segment {
        if reset == current.reset { return current }
        if let known = earlier[reset] { return known }
        let sql = "SELECT start, sum, begin FROM segment WHERE locationKey = :location AND reset = :reset"
        return try db.statement(sql).bind("location", locationKey).bind("reset", reset)
            .first { try Segment(reset: reset, $0) }.orCorrupt()
    }

    /// Why a manual entry may not be counted so many times; nil if it may, and for other entries.
    func refusal(of entry: Entry, times: Int = 1) throws -> Refusal? {
        guard entry.source == .manual else { return nil }
        let (difference, overflow) = times.multipliedReportingOverflow(by: entry.type.delta)
        return overflow ? .overflow : try refusal(of: difference)
    }

    /// Why a change by hand may not move the level by a difference; nil where it may.
    func refusal(of difference: Int) throws -> Refusal? {
        ManualChangeRule.refusal(of: difference, at: current.end, of: try location())
    }

    /// Adds amounts to segments: all of them, or none if one would leave the range of `Int`.
    ///
    /// - returns: False where none was added.
    func add(_ amounts: [Int64: Int]) throws -> Bool {
        var changed: [Segment] = []
        for (reset, amount) in amounts {
            guard let sum = try segment(reset).adding(amount) else { return false }
            changed.append(sum)
        }
        changed.forEach(replace)
        return true
    }

    /// Adds to one segment; see `add(_:)` for several.
    func add(_ amount: Int, to reset: Int64?) throws -> Bool {
        guard let sum = try segment(reset ?? current.reset).adding(amount) else { return false }
        replace(sum)
        return true
    }

    /// Whether an amount leaves the level of a segment in the range of `Int`.
    func admits(_ amount: Int, to reset: Int64?) throws -> Bool {
        try segment(reset ?? current.reset).adding(amount) != nil
    }

    /// Begins a segment with a reset that was appended.
    func beginSegment(reset: Int64, time: Int64, file: Int64?, start: Int) throws {
        latest = max(latest, time)
        let sql = "INSERT INTO segment VALUES (:location, :reset, :time, :begin, :file, :start, 0)"
        try db.statement(sql).bind("location", locationKey).bind("reset", reset).bind("time", time)
            .bind("begin", latest).bind("file", file).bind("start", start).run()
        earlier[current.reset] = current
        current = Segment(reset: reset, begin: latest, start: start, sum: 0)
        currentTime = time
        currentFile = file
    }

    /// Removes a segment's reset: what counts in the segment then counts in the one before.
    ///
    /// - returns: The segment before, as it is now; nil if its level would leave the range of `Int`, and nothing has
    ///   changed.
    func mergeSegment(reset: Int64) throws -> Segment? {
        let merged = try segment(reset)
        let before = try segment(try segmentBefore(reset))
        guard let sum = before.adding(merged.sum) else { return nil }
        try db.statement("DELETE FROM segment WHERE locationKey = :location AND reset = :reset")
            .bind("location", locationKey).bind("reset", reset).run()
        earlier[reset] = nil
        if reset == current.reset {
            try becomeCurrent(sum)
        } else {
            replace(sum)
        }
        return sum
    }

    /// The segment before these resets, which follow each other, once they are void; nil where a level would leave the range of
    /// `Int`.
    func merged(_ resets: [Int64]) throws -> Segment? {
        var sum = 0
        for reset in try resets.reversed() + [segmentBefore(resets[0])] {
            guard let merged = try segment(reset).adding(sum) else { return nil }
            if reset < resets[0] { return merged }
            sum = merged.sum
        }
        return nil
    }

    /// Notes a void that was appended. If its target is late, the level does not change.
    func noteVoid(position: Int64, time: Int64, isLate: Bool) {
        self.position = position
        if !isLate { lastUpdated = time }
    }

    /// Notes a setting that was appended.
    func noteSetting(position: Int64) {
        self.position = position
        settings = nil
        known = nil
    }

    /// Notes a row of a timer that was appended.
    func noteTimerEvent(position: Int64) { self.position = position }

    /// Notes an entry, a correction or a reset that was appended. A late one leaves the level unchanged, and the past that a
    /// file brings is no news; an entry is an event.
    func note(position: Int64, time: Int64, isLate: Bool, isEvent: Bool, isImported: Bool = false) {
        self.position = position
        latest = max(latest, time)
        guard !isLate, !isImported || time == latest else { return }
        lastUpdated = time
        if isEvent { lastEventAt = time }
    }

    /// Notes an event that is not from a file.
    func noteEvent(at time: Int64) { firstEventAt = min(firstEventAt ?? time, time) }

    /// Writes what has changed.
    func save() throws {
        for segment in earlier.values { try save(segment) }
        earlier.removeAll()
        try save(current)
        let sql: StaticString = """
            UPDATE counterState SET level = :level, lastUpdated = :lastUpdated, lastEventAt = :lastEventAt,
                latest = :latest, position = :position, firstEventAt = :firstEventAt WHERE locationKey = :location
            """
        try db.statement(sql).bind("level", current.end).bind("lastUpdated", lastUpdated)
            .bind("lastEventAt", lastEventAt).bind("latest", latest).bind("position", position)
            .bind("firstEventAt", firstEventAt)
            .bind("location", locationKey).run()
    }

    private func save(_ segment: Segment) throws {
        let sql: StaticString =
            "UPDATE segment SET sum = :sum WHERE locationKey = :location AND reset = :reset"
        try db.statement(sql).bind("sum", segment.sum).bind("location", locationKey)
            .bind("reset", segment.reset).run()
    }
}

extension LocationProjection {
    /// The reset of the segment after; `.max` if there is none.
    func nextReset(after reset: Int64) throws -> Int64 {
        if reset == current.reset { return .max }
        let sql = "SELECT min(reset) FROM segment WHERE locationKey = :location AND reset > :reset"
        return try db.statement(sql).bind("location", locationKey).bind("reset", reset).integer() ?? .max
    }

    private func segmentBefore(_ reset: Int64) throws -> Int64 {
        let sql = """
            SELECT reset FROM segment WHERE locationKey = :location AND reset < :reset ORDER BY reset DESC LIMIT 1
            """
        return try db.statement(sql).bind("location", locationKey).bind("reset", reset).integer().orCorrupt()
    }

    private func replace(_ segment: Segment) {
        if segment.reset == current.reset {
            current = segment
        } else {
            earlier[segment.reset] = segment
        }
    }

    private func becomeCurrent(_ segment: Segment) throws {
        let sql = "SELECT time, fileKey FROM segment WHERE locationKey = :location AND reset = :reset"
        let stored = try db.statement(sql).bind("location", locationKey).bind("reset", segment.reset)
            .first { row in (time: try row["time"] as Int64, file: row["fileKey"] as Int64?) }.orCorrupt()
        current = segment
        currentTime = stored.time
        currentFile = stored.file
        earlier[segment.reset] = nil
    }
}

extension Segment {
    /// A row with its `begin`, `start` and `sum`.
    init(reset: Int64, _ row: borrowing Row) throws {
        self = try Segment(reset: reset, begin: row["begin"], start: row["start"], sum: 0)
            .adding(row["sum"]).orCorrupt()
    }
}

extension Optional {
    /// The value; throws if it is missing, which does not happen in an intact journal.
    func orCorrupt() throws -> Wrapped {
        guard let self else {
            throw SQLError.contradiction("its tables contradict each other")
        }
        return self
    }
}

/// The part of one location's journal between two resets that are not void: the level that the reset has set, and
/// what the entries of the segment add to it.
struct Segment: Equatable {
    /// The time of the segment before the first reset.
    static let beginningOfTime = Int64.min

    /// The position of the reset that begins it; 0 before the first.
    let reset: Int64
    /// The earliest time at which something in it counts.
    let begin: Int64
    let start: Int
    private(set) var sum: Int

    init(reset: Int64, begin: Int64, start: Int, sum: Int) {
        self.reset = reset
        self.begin = begin
        self.start = start
        self.sum = sum
    }

    /// The level at its end. It is always in the range of `Int`: `adding` refuses all else.
    var end: Int { start + sum }

    /// The segment with `amount` added; nil if its level would leave the range of `Int`.
    func adding(_ amount: Int) -> Segment? {
        let (sum, sumOverflows) = sum.addingReportingOverflow(amount)
        let (_, endOverflows) = start.addingReportingOverflow(sum)
        return sumOverflows || endOverflows
            ? nil : Segment(reset: reset, begin: begin, start: start, sum: sum)
    }
}
