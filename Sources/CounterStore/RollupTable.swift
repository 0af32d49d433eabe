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
        let insertion = try db.statement(MinuteRollup.upsert)
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
            try sum.bind(to: insertion, location: key.location, reset: key.reset).run()
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
        let rows = try db.statement(MinuteRollup.selectOne)
        let decoder = MinuteRollup.Decoder(rows)
        let sum = try rows.bind("location", key.location).bind("reset", key.reset)
            .bind("minute", key.minute).first(decoder.decode)
        return .sum(sum ?? MinuteRollup(minute: key.minute))
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
            SELECT \(Schema.countedAt) AS time FROM journal
            WHERE kind IN (1, 5) AND kind <> 2 AND locationKey = :location AND \(Schema.countedAt) < :begin
            AND coalesce(lateAfter, position) >= :reset AND coalesce(lateAfter, position) < :next
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
            SELECT \(Schema.countedAt) AS time, \(Schema.difference) AS difference,
                \(Schema.isCorrection) AS isCorrection
            FROM journal WHERE kind IN (1, 5) AND kind <> 2 AND locationKey = :location
            AND \(Schema.countedAt) >= :start AND \(Schema.countedAt) <= :end
            AND coalesce(lateAfter, position) >= :reset AND coalesce(lateAfter, position) < :next
            AND NOT EXISTS (SELECT 1 FROM journal AS void WHERE void.target = journal.position)
            ORDER BY CASE WHEN \(Schema.countedAt) < :begin THEN :begin ELSE \(Schema.countedAt) END, position
            """
        let start = MinuteRollup(minute: minute).start
        return try db.statement(sql).bind("location", location)
            .bind("start", hasEarly ? Int64.min : max(start, segment.begin))
            .bind("end", MinuteRollup(minute: minute).end).bind("reset", segment.reset).bind("next", next)
            .bind("begin", segment.begin).all { row in
                let time: Int64 = try row["time"]
                return LevelStep(
                    time: max(time, segment.begin), difference: try row["difference"],
                    isCorrection: try row["isCorrection"], isEarly: time < segment.begin)
            }
    }
}

extension MinuteRollup {
    /// The minutes of a segment within a range.
    static let select: StaticString = """
        SELECT minute, ins, outs, correctedUp, correctedDown, moment, high, low, last, early FROM rollup
        WHERE locationKey = :location AND reset = :reset AND minute >= :first AND minute <= :last
        ORDER BY minute
        """

    /// One minute of a segment.
    static let selectOne: StaticString = """
        SELECT minute, ins, outs, correctedUp, correctedDown, moment, high, low, last, early FROM rollup
        WHERE locationKey = :location AND reset = :reset AND minute = :minute
        """

    /// Reads rows by columns that are looked up once.
    struct Decoder {
        private let minute, ins, outs, correctedUp, correctedDown, moment, high, low, last, early: Column

        init(_ statement: Statement) {
            minute = statement.column("minute")
            ins = statement.column("ins")
            outs = statement.column("outs")
            correctedUp = statement.column("correctedUp")
            correctedDown = statement.column("correctedDown")
            moment = statement.column("moment")
            high = statement.column("high")
            low = statement.column("low")
            last = statement.column("last")
            early = statement.column("early")
        }

        func decode(_ row: borrowing Row) throws(SQLError) -> MinuteRollup {
            MinuteRollup(
                minute: try row[minute], ins: Int(try row[ins]), outs: Int(try row[outs]),
                correctedUp: Int(try row[correctedUp]), correctedDown: Int(try row[correctedDown]),
                moment: try row[moment], high: Int(try row[high]), low: Int(try row[low]),
                last: try row[last], early: Int(try row[early]))
        }
    }

    /// Inserts or replaces a whole row.
    static let upsert: StaticString = """
        INSERT INTO rollup VALUES (:location, :reset, :minute, :ins, :outs, :correctedUp, :correctedDown, :moment,
            :high, :low, :last, :early)
        ON CONFLICT (locationKey, reset, minute) DO UPDATE SET ins = :ins, outs = :outs, correctedUp = :correctedUp,
            correctedDown = :correctedDown, moment = :moment, high = :high, low = :low, last = :last, early = :early
        """

    /// Binds the values of a whole row.
    func bind(to statement: Statement, location: Int64, reset: Int64) throws(SQLError) -> Statement {
        try statement.bind("location", location).bind("reset", reset).bind("minute", minute).bind("ins", ins)
            .bind("outs", outs).bind("correctedUp", correctedUp).bind("correctedDown", correctedDown)
            .bind("moment", moment).bind("high", high).bind("low", low).bind("last", last)
            .bind("early", early)
    }
}
