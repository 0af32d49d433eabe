import CounterModel
import GRDB

/// The derived state of one location while a transaction appends to it. Read once, written once at the end.
final class Ledger {
    let locationKey: Int64
    /// The segment whose end is the level.
    private(set) var current: Segment
    private var currentTime: Int64
    private var currentFile: Int64?
    /// Other segments that have been read, some with sums that `save` has yet to write.
    private var earlier: [Int64: Segment] = [:]
    private var lastUpdated: Int64?
    private var lastEventAt: Int64?
    /// The latest time that anything of the location had so far, void or not.
    private(set) var latest: Int64
    private(set) var position: Int64
    /// The settings as of now that decide what is refused. Read when something asks: a press does not.
    private var settings: Location?
    private let db: Database

    /// Nil where there is no such location.
    init?(_ db: Database, locationId: String) throws {
        let sql = """
            SELECT location.key, lastUpdated, lastEventAt, position, reset, start, sum, time, fileKey, begin, latest
            FROM location JOIN counterState ON counterState.locationKey = location.key
            JOIN segment ON segment.locationKey = location.key
            WHERE location.id = ? ORDER BY reset DESC LIMIT 1
            """
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [locationId]) else {
            return nil
        }
        self.db = db
        locationKey = row[0]
        lastUpdated = row[1]
        lastEventAt = row[2]
        position = row[3]
        current = try Segment(reset: row[4], begin: row[9], start: row[5], sum: 0).adding(row[6]).orCorrupt()
        currentTime = row[7]
        currentFile = row[8]
        latest = row[10]
    }

    /// The location with its settings as of now.
    func location() throws -> Location {
        let location = try settings ?? LocationTable.location(db, key: locationKey).orCorrupt()
        settings = location
        return location
    }

    /// Whether a moment is after the last reset, or at it.
    func isAfterReset(_ time: Int64) -> Bool { time >= currentTime }

    /// The segment in which something late counts: the last that had begun by then. Nil where that is the current.
    ///
    /// Among the lines of one `file` their order rules, whatever their times: a clock that was set back in between
    /// must not move an entry to the other side of its reset.
    func lateSegment(at time: Int64, file: Int64?) throws -> Int64? {
        if currentTime <= time || (file != nil && currentFile == file) { return nil }
        let sql = """
            SELECT reset FROM segment WHERE locationKey = ? AND reset < ? AND (time <= ? OR fileKey = ?)
            ORDER BY reset DESC LIMIT 1
            """
        return try Int64.fetchOne(
            db.cachedStatement(sql: sql), arguments: [locationKey, current.reset, time, file])
    }

    /// The segment that holds what was appended at, or late after, a position.
    func segment(holding anchor: Int64) throws -> Int64 {
        if anchor >= current.reset { return current.reset }
        let sql = "SELECT reset FROM segment WHERE locationKey = ? AND reset <= ? ORDER BY reset DESC LIMIT 1"
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [locationKey, anchor]).orCorrupt()
    }

    /// The segment that a reset begins.
    func segment(_ reset: Int64) throws -> Segment {
        if reset == current.reset { return current }
        if let known = earlier[reset] { return known }
        let sql = "SELECT start, sum, begin FROM segment WHERE locationKey = ? AND reset = ?"
        let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [locationKey, reset]).orCorrupt()
        return try Segment(reset: reset, begin: row[2], start: row[0], sum: 0).adding(row[1]).orCorrupt()
    }

    /// Why so many of an entry by hand may not be counted; nil where they may, and for all others.
    func refusal(of entry: NewEntry, times: Int = 1) throws -> Refusal? {
        guard entry.source == .manual else { return nil }
        return CorrectionRule.refusal(of: times, entry.type, at: current.end, of: try location())
    }

    /// Adds amounts to segments: all of them, or none where one would leave the range of `Int`.
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

    /// Begins a segment with a reset that has been appended.
    func beginSegment(reset: Int64, time: Int64, file: Int64?, start: Int) throws {
        latest = max(latest, time)
        let sql = "INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, 0)"
        try db.cachedStatement(sql: sql).execute(arguments: [locationKey, reset, time, latest, file, start])
        earlier[current.reset] = current
        current = Segment(reset: reset, begin: latest, start: start, sum: 0)
        currentTime = time
        currentFile = file
    }

    /// Takes a segment's reset away: what counts in it counts in the one before.
    ///
    /// - returns: The segment before as it is now; nil where its level would leave the range of `Int`, and nothing has
    ///   changed.
    func mergeSegment(reset: Int64) throws -> Segment? {
        let merged = try segment(reset)
        let before = try segment(try segmentBefore(reset))
        guard let sum = before.adding(merged.sum) else { return nil }
        try db.cachedStatement(sql: "DELETE FROM segment WHERE locationKey = ? AND reset = ?")
            .execute(arguments: [locationKey, reset])
        earlier[reset] = nil
        if reset == current.reset {
            try becomeCurrent(sum)
        } else {
            replace(sum)
        }
        return sum
    }

    /// Notes a void that has been appended. One of something late leaves the level alone.
    func noteVoid(position: Int64, time: Int64, isLate: Bool) {
        self.position = position
        if !isLate { lastUpdated = time }
    }

    /// Notes a setting that has been appended.
    func noteSetting(position: Int64) {
        self.position = position
        settings = nil
    }

    /// Notes an entry or a reset that has been appended. One that is late leaves the level alone; an entry is an event.
    func note(position: Int64, time: Int64, isLate: Bool, isEvent: Bool) {
        self.position = position
        latest = max(latest, time)
        guard !isLate else { return }
        lastUpdated = time
        if isEvent { lastEventAt = time }
    }

    /// Writes what has changed.
    func save() throws {
        let sums = try db.cachedStatement(
            sql: "UPDATE segment SET sum = ? WHERE locationKey = ? AND reset = ?")
        for segment in earlier.values {
            try sums.execute(arguments: [segment.sum, locationKey, segment.reset])
        }
        try sums.execute(arguments: [current.sum, locationKey, current.reset])
        let sql = """
            UPDATE counterState SET level = ?, lastUpdated = ?, lastEventAt = ?, latest = ?, position = ?
            WHERE locationKey = ?
            """
        try db.cachedStatement(sql: sql).execute(
            arguments: [current.end, lastUpdated, lastEventAt, latest, position, locationKey])
    }
}

extension Ledger {
    /// The reset of the next segment; the greatest number there is after the last.
    func nextReset(after reset: Int64) throws -> Int64 {
        if reset == current.reset { return .max }
        let sql = "SELECT min(reset) FROM segment WHERE locationKey = ? AND reset > ?"
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [locationKey, reset]) ?? .max
    }

    private func segmentBefore(_ reset: Int64) throws -> Int64 {
        let sql = "SELECT reset FROM segment WHERE locationKey = ? AND reset < ? ORDER BY reset DESC LIMIT 1"
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [locationKey, reset]).orCorrupt()
    }

    private func replace(_ segment: Segment) {
        if segment.reset == current.reset {
            current = segment
        } else {
            earlier[segment.reset] = segment
        }
    }

    private func becomeCurrent(_ segment: Segment) throws {
        let sql = "SELECT time, fileKey FROM segment WHERE locationKey = ? AND reset = ?"
        let row = try Row.fetchOne(
            db.cachedStatement(sql: sql), arguments: [locationKey, segment.reset]
        ).orCorrupt()
        current = segment
        currentTime = row[0]
        currentFile = row[1]
        earlier[segment.reset] = nil
    }
}

extension Optional {
    /// What must be there in a journal that this program wrote.
    func orCorrupt() throws -> Wrapped {
        guard let self else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its tables contradict each other")
        }
        return self
    }
}
