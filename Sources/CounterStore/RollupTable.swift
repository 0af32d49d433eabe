import CounterModel
import GRDB

/// The minutes that one transaction touches. Read when they are touched, written at the end.
///
/// What comes in the order of time is added; a minute in which something came late or was taken back is added up anew
/// from the journal.
final class RollupTable {
    private struct Key: Hashable {
        let location: Int64
        let reset: Int64
        let minute: Int64
    }

    private enum Cached {
        case sum(MinuteRollup)
        /// To be added up anew; whether entries may belong to it that are earlier than its segment.
        case stale(hasEarly: Bool)
    }

    private let db: Database
    private var cache: [Key: Cached] = [:]

    init(_ db: Database) {
        self.db = db
    }

    /// Adds an entry. Its `time` is when it counts by itself: that may be earlier than the segment.
    func add(_ type: EntryType, at time: Int64, isManual: Bool, to segment: Segment, of location: Int64)
        throws
    {
        let effective = max(time, segment.begin)
        let key = Key(location: location, reset: segment.reset, minute: MinuteRollup.minute(of: effective))
        let isEarly = time < segment.begin
        switch try cached(key) {
        case .stale(let hasEarly): cache[key] = .stale(hasEarly: hasEarly || isEarly)
        case .sum(var sum):
            let isAdded = sum.add(type, at: effective, isManual: isManual, isEarly: isEarly)
            cache[key] = isAdded ? .sum(sum) : .stale(hasEarly: sum.early > 0 || isEarly)
        }
    }

    /// Has the minute of an entry added up anew, for the entry is void now.
    func remove(at time: Int64, from segment: Segment, of location: Int64) throws {
        let minute = MinuteRollup.minute(of: max(time, segment.begin))
        try invalidate(
            Key(location: location, reset: segment.reset, minute: minute), hasEarly: time < segment.begin)
    }

    /// Puts the minutes of a segment that has lost its reset into the one before it.
    func merge(_ merged: Segment, into segment: Segment, before next: Int64, of location: Int64) throws {
        try save { _, reset in reset == merged.reset ? (merged, next) : nil }
        let key = Key(location: location, reset: segment.reset, minute: MinuteRollup.minute(of: merged.begin))
        let first = Key(location: location, reset: merged.reset, minute: key.minute)
        if case .sum(let sum) = try cached(first), sum.early > 0 {
            for time in try earlyTimes(merged, before: next, of: location) {
                try remove(at: time, from: segment, of: location)
            }
        }
        try invalidate(key)
        cache = cache.filter { $0.key.reset != merged.reset || $0.key.location != location }
        try delete(first)
        try db.cachedStatement(sql: "UPDATE rollup SET reset = ? WHERE locationKey = ? AND reset = ?")
            .execute(arguments: [segment.reset, location, merged.reset])
    }

    /// Writes what has changed. `bounds` tells of a location's segment what it is, and the reset that ends it; nil leaves
    /// its stale minutes for later.
    func save(_ bounds: (_ location: Int64, _ reset: Int64) throws -> (Segment, next: Int64)?) throws {
        let insertion = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO rollup VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for (key, cached) in cache {
            let sum: MinuteRollup
            switch cached {
            case .sum(let known): sum = known
            case .stale(let hasEarly):
                guard let (segment, next) = try bounds(key.location, key.reset) else { continue }
                sum = try added(key, in: segment, before: next, hasEarly: hasEarly)
            }
            if sum.isEmpty {
                try delete(key)
                cache[key] = nil
                continue
            }
            try insertion.execute(arguments: sum.row(location: key.location, reset: key.reset))
            cache[key] = .sum(sum)
        }
    }
}

extension RollupTable {
    private func cached(_ key: Key) throws -> Cached {
        if let known = cache[key] { return known }
        let sql = """
            SELECT \(MinuteRollup.columns) FROM rollup WHERE locationKey = ? AND reset = ? AND minute = ?
            """
        let row = try Row.fetchOne(
            db.cachedStatement(sql: sql), arguments: [key.location, key.reset, key.minute])
        return .sum(row.map { MinuteRollup($0) } ?? MinuteRollup(minute: key.minute))
    }

    /// Has a minute added up anew, with those entries too that are earlier than its segment where it has any.
    private func invalidate(_ key: Key, hasEarly: Bool = false) throws {
        switch try cached(key) {
        case .sum(let sum): cache[key] = .stale(hasEarly: hasEarly || sum.early > 0)
        case .stale(let already): cache[key] = .stale(hasEarly: hasEarly || already)
        }
    }

    private func delete(_ key: Key) throws {
        try db.cachedStatement(sql: "DELETE FROM rollup WHERE locationKey = ? AND reset = ? AND minute = ?")
            .execute(arguments: [key.location, key.reset, key.minute])
    }

    /// The minute as its entries in the journal give it.
    private func added(_ key: Key, in segment: Segment, before next: Int64, hasEarly: Bool) throws
        -> MinuteRollup
    {
        try MinuteSteps.fetch(
            db, location: key.location, segment: segment, before: next, minute: key.minute, hasEarly: hasEarly
        ).sum(of: key.minute)
    }

    /// The times of a segment's entries that happened before it.
    private func earlyTimes(_ segment: Segment, before next: Int64, of location: Int64) throws -> [Int64] {
        let sql = """
            SELECT \(Schema.countedAt) AS time FROM journal
            WHERE kind = 1 AND kind <> 2 AND locationKey = ? AND \(Schema.countedAt) < ?
            AND coalesce(lateAfter, position) >= ? AND coalesce(lateAfter, position) < ?
            """
        return try Int64.fetchAll(
            db.cachedStatement(sql: sql), arguments: [location, segment.begin, segment.reset, next])
    }
}

extension [LevelStep] {
    /// Adds entries up that stand in the order of their times.
    func sum(of minute: Int64) -> MinuteRollup {
        reduce(into: MinuteRollup(minute: minute)) { sum, step in
            let isInOrder = sum.add(
                step.type, at: step.time, isManual: step.isManual, isEarly: step.isEarly)
            precondition(isInOrder, "SQLite has sorted them")
        }
    }
}

/// The entries of one minute of one segment that are not void, in the order in which they count.
enum MinuteSteps {
    static func fetch(
        _ db: Database, location: Int64, segment: Segment, before next: Int64, minute: Int64, hasEarly: Bool
    ) throws -> [LevelStep] {
        let sql = """
            SELECT \(Schema.countedAt) AS time, delta, source = 2 FROM journal
            WHERE kind = 1 AND kind <> 2 AND locationKey = ?1
            AND \(Schema.countedAt) >= ?2 AND \(Schema.countedAt) <= ?3
            AND coalesce(lateAfter, position) >= ?4 AND coalesce(lateAfter, position) < ?5
            AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)
            ORDER BY max(\(Schema.countedAt), ?6), position
            """
        let start = MinuteRollup(minute: minute).start
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: sql),
            arguments: [
                location, hasEarly ? .min : max(start, segment.begin), MinuteRollup(minute: minute).end,
                segment.reset, next, segment.begin,
            ])
        return try rows.map { row in
            let time: Int64 = row[0]
            return LevelStep(
                time: max(time, segment.begin), type: try EntryType(delta: row[1]).orCorrupt(),
                isManual: row[2],
                isEarly: time < segment.begin)
        }
    }
}

extension MinuteRollup {
    /// The columns of a rollup after its segment.
    static let columns = "minute, ins, outs, manualIns, manualOuts, moment, high, low, last, early"

    /// A row with `columns`.
    init(_ row: Row) {
        self.init(
            minute: row[0], ins: row[1], outs: row[2], manualIns: row[3], manualOuts: row[4], moment: row[5],
            high: row[6], low: row[7], last: row[8], early: row[9])
    }

    /// The values of a whole row.
    func row(location: Int64, reset: Int64) -> StatementArguments {
        [location, reset, minute, ins, outs, manualIns, manualOuts, moment, high, low, last, early]
    }
}
