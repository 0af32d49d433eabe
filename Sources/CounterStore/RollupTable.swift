import CounterModel
import SQL

/// The minutes that one transaction changes: read when needed, written at the end.
///
/// What comes in the order of time is added. A minute is computed again from the journal if something came late in it
/// or was voided.
final class RollupTable {
    /// A minute as the table has it.
    struct Minute {
        fileprivate let key: Key
        fileprivate let sum: MinuteRollup
    }

    fileprivate struct Key: Hashable {
        let location: Int64
        let reset: Int64
        let minute: Int64
    }

    private enum Cached {
        case sum(MinuteRollup)
        /// To be computed again. `hasEarly`: whether it may have entries that are earlier than its segment.
        case stale(hasEarly: Bool)
    }

    private let db: Connection
    private var cache: [Key: Cached] = [:]
    /// The minute that was changed last, mostly the next one too, and the value to be stored under its key.
    private var openKey: Key?
    private var open = Cached.stale(hasEarly: false)
    /// A minute that need not be read; nil once it may have changed.
    private var known: Minute?

    /// `known` is a minute as the table has it.
    init(_ db: Connection, known: Minute? = nil) {
        self.db = db
        self.known = known
    }

    /// Adds an entry or a correction. Its `time` is when it counts by itself: that may be earlier than the segment.
    func add(
        _ difference: Int, at time: Int64, isCorrection: Bool, to segment: Segment, of location: Int64
    ) throws {
        let effective = max(time, segment.begin)
        let key = Key(location: location, reset: segment.reset, minute: MinuteRollup.minute(of: effective))
        let isEarly = time < segment.begin
        switch try cached(key) {
        case .stale(let hasEarly): put(.stale(hasEarly: hasEarly || isEarly), key)
        case .sum(var sum):
            let isAdded = sum.add(
                LevelStep(
                    time: effective, difference: difference, isCorrection: isCorrection, isEarly: isEarly))
            put(isAdded ? .sum(sum) : .stale(hasEarly: sum.early > 0 || isEarly), key)
        }
    }

    /// Has the minute of an entry that is void now computed again.
    func remove(at time: Int64, from segment: Segment, of location: Int64) throws {
        let minute = MinuteRollup.minute(of: max(time, segment.begin))
        try invalidate(
            Key(location: location, reset: segment.reset, minute: minute), hasEarly: time < segment.begin)
    }

    /// Moves the minutes of a segment whose reset is void now into the segment before.
    func merge(_ merged: Segment, into segment: Segment, before next: Int64, of location: Int64) throws {
        known = nil
        try save { _, reset in reset == merged.reset ? (merged, next) : nil }
        let key = Key(location: location, reset: segment.reset, minute: MinuteRollup.minute(of: merged.begin))
        let first = Key(location: location, reset: merged.reset, minute: key.minute)
        if case .sum(let sum) = try cached(first), sum.early > 0 {
            for time in try earlyTimes(merged, before: next, of: location) {
                try remove(at: time, from: segment, of: location)
            }
        }
        try invalidate(key)
        close()
        cache = cache.filter { $0.key.reset != merged.reset || $0.key.location != location }
        try delete(first)
        try db.statement("UPDATE rollup SET reset = :into WHERE locationKey = :location AND reset = :merged")
            .bind("into", segment.reset).bind("location", location).bind("merged", merged.reset).run()
    }

    /// Writes what has changed. `bounds` returns a location's segment and the reset that ends it; nil leaves its
    /// stale minutes for later.
    func save(_ bounds: (_ location: Int64, _ reset: Int64) throws -> (Segment, next: Int64)?) throws {
        close()
        let upsert = try db.statement(MinuteTable.upsert)
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
            try upsert.bind(MinuteTable.values(sum, location: key.location, reset: key.reset)).run()
            cache[key] = .sum(sum)
        }
    }
}

extension RollupTable {
    /// The minute that was saved, where it is the only one.
    var onlyMinute: Minute? {
        guard cache.count == 1, let (key, cached) = cache.first, case .sum(let sum) = cached else {
            return nil
        }
        return Minute(key: key, sum: sum)
    }

    private func cached(_ key: Key) throws -> Cached {
        if key == openKey { return open }
        if let changed = cache[key] { return changed }
        if let known, known.key == key {
            self.known = nil
            return .sum(known.sum)
        }
        let sums = try MinuteTable.fetch(
            db, location: key.location, reset: key.reset, minutes: key.minute...key.minute)
        return .sum(sums.first ?? MinuteRollup(minute: key.minute))
    }

    /// Has a minute computed again, including entries that are earlier than its segment if it may have such.
    private func invalidate(_ key: Key, hasEarly: Bool = false) throws {
        switch try cached(key) {
        case .sum(let sum): put(.stale(hasEarly: hasEarly || sum.early > 0), key)
        case .stale(let already): put(.stale(hasEarly: hasEarly || already), key)
        }
    }

    private func put(_ cached: Cached, _ key: Key) {
        if key != openKey {
            close()
            openKey = key
        }
        open = cached
    }

    private func close() {
        guard let openKey else { return }
        cache[openKey] = open
        self.openKey = nil
    }

    private func delete(_ key: Key) throws {
        let sql = "DELETE FROM rollup WHERE locationKey = :location AND reset = :reset AND minute = :minute"
        try db.statement(sql).bind("location", key.location).bind("reset", key.reset)
            .bind("minute", key.minute).run()
    }

    /// The minute, computed from its entries in the journal.
    private func added(_ key: Key, in segment: Segment, before next: Int64, hasEarly: Bool) throws
        -> MinuteRollup
    {
        MinuteRollup(
            minute: key.minute,
            of: try MinuteSteps.fetch(
                db, location: key.location, segment: segment, before: next, minute: key.minute,
                hasEarly: hasEarly))
    }

    /// The times of a segment's entries that are earlier than the segment.
    private func earlyTimes(_ segment: Segment, before next: Int64, of location: Int64) throws -> [Int64] {
        let sql = """
            SELECT countedAt FROM journalRow
            WHERE kind IN \(RowKind.steps) AND kind <> \(RowKind.void) AND locationKey = :location
            AND countedAt < :begin AND coalesce(lateAfter, position) >= :reset AND coalesce(lateAfter, position) < :next
            """
        return try db.statement(sql).bind("location", location).bind("begin", segment.begin)
            .bind("reset", segment.reset).bind("next", next).integers()
    }
}

/// The entries and corrections of one minute of one segment that are not void, in the order in which they count.
enum MinuteSteps {
    static func fetch(
        _ db: Connection, location: Int64, segment: Segment, before next: Int64, minute: Int64, hasEarly: Bool
    ) throws -> [LevelStep] {
        let sql = """
            SELECT countedAt, difference, kind FROM journalRow
            WHERE kind IN \(RowKind.steps) AND kind <> \(RowKind.void) AND locationKey = :location
            AND countedAt >= :start AND countedAt <= :end AND difference <> 0
            AND coalesce(lateAfter, position) >= :reset AND coalesce(lateAfter, position) < :next
            AND voidedBy IS NULL ORDER BY max(countedAt, :begin), position
            """
        let start = MinuteRollup(minute: minute).start
        return try db.statement(sql).bind("location", location)
            .bind("start", hasEarly ? Int64.min : max(start, segment.begin))
            .bind("end", MinuteRollup(minute: minute).end).bind("reset", segment.reset).bind("next", next)
            .bind("begin", segment.begin).all { row in
                let time: Int64 = try row["countedAt"]
                return LevelStep(
                    time: max(time, segment.begin), difference: try row["difference"],
                    isCorrection: try row["kind"] == RowKind.correction.rawValue,
                    isEarly: time < segment.begin)
            }
    }
}

/// The SQL of minutes.
enum MinuteTable {
    /// The columns, as `values` has them. The first three are the key.
    static let columns = [
        "locationKey", "reset", "minute", "ins", "outs", "correctedUp", "correctedDown", "moment", "high",
        "low",
        "last", "early",
    ]
    static let keyCount = 3

    static func values(_ sum: MinuteRollup, location: Int64, reset: Int64) -> [Int64?] {
        [
            location, reset, sum.minute, Int64(sum.ins), Int64(sum.outs), Int64(sum.correctedUp),
            Int64(sum.correctedDown), sum.offsetSum, Int64(sum.high), Int64(sum.low), sum.last,
            Int64(sum.early),
        ]
    }

    /// Inserts or replaces a whole row.
    static let upsert = FixedText(
        """
        INSERT INTO rollup VALUES (\(columns.map { ":\($0)" }.joined(separator: ", ")))
        ON CONFLICT (\(columns.prefix(keyCount).joined(separator: ", "))) DO UPDATE SET
        \(columns.dropFirst(keyCount).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """)

    private static let select = FixedText(
        """
        SELECT \(columns.joined(separator: ", ")) FROM rollup
        WHERE locationKey = :location AND reset = :reset AND minute BETWEEN :first AND :last ORDER BY minute
        """)

    /// The minutes of a segment within a range, in order.
    static func fetch(
        _ db: Connection, location: Int64, reset: Int64, minutes: ClosedRange<Int64>
    ) throws -> [MinuteRollup] {
        try db.statement(select).bind("location", location).bind("reset", reset)
            .bind("first", minutes.lowerBound).bind("last", minutes.upperBound).all { row in
                MinuteRollup(
                    minute: try row[2], ins: try row[3], outs: try row[4], correctedUp: try row[5],
                    correctedDown: try row[6], offsetSum: try row[7], high: try row[8], low: try row[9],
                    last: try row[10], early: try row[11])
            }
    }
}
