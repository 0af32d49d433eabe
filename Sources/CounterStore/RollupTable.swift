import CounterModel
import SQL

/// The minutes that one transaction changes: read when needed, written at the end.
///
/// What comes in the order of time is added. A minute is computed again from the journal if something came before its last row,
/// or was voided.
final class RollupTable {
    private struct Key: Hashable {
        let location: Int64
        let reset: Int64
        let minute: Int64

        init(_ location: Int64, _ segment: Segment, at time: Int64) {
            (self.location, reset, minute) = (location, segment.reset, MinuteRollup.minute(of: time))
        }
    }

    private enum Cached {
        case sum(MinuteRollup)
        /// To be computed again. `hasEarly`: whether it may have entries that are earlier than its segment.
        case stale(hasEarly: Bool)
    }

    private let db: Connection
    private var minutes = Recent<Key, Cached>()
    /// The last row of the minute to which was added last, where that row came late.
    private var end: (key: Key, place: LatePlace)?

    init(_ db: Connection) { self.db = db }

    /// Begins the next transaction. All is saved.
    func begin() { minutes.begin() }

    /// Adds an entry or a correction. Its `time` is when it counts by itself: that may be earlier than the segment. `late` is nil where
    /// it is after all others in the order.
    func add(
        _ difference: Int, at time: Int64, isCorrection: Bool, late: LatePlace?, to segment: Segment,
        of location: Int64
    ) throws {
        let effective = max(time, segment.begin)
        let key = Key(location, segment, at: effective)
        let isEarly = time < segment.begin
        let last = end
        end = nil
        switch try cached(key) {
        case .stale(let hasEarly): minutes[key] = .stale(hasEarly: hasEarly || isEarly)
        case .sum(var sum):
            let isAdded = sum.add(
                LevelStep(
                    time: effective, difference: difference, isCorrection: isCorrection, isEarly: isEarly),
                isLast: late.map { last?.key == key && last?.place.precedes($0) == true } ?? true)
            minutes[key] = isAdded ? .sum(sum) : .stale(hasEarly: sum.early > 0 || isEarly)
            if isAdded, let late { end = (key, late) }
        }
    }

    /// Has the minute of an entry that is void now computed again.
    func remove(at time: Int64, from segment: Segment, of location: Int64) throws {
        let key = Key(location, segment, at: max(time, segment.begin))
        try invalidate(key, hasEarly: time < segment.begin)
    }

    /// Moves the minutes of a segment whose reset no longer counts into the segment before. `range` was that of the merged one.
    func merge(_ merged: Segment, _ range: SegmentRange, into segment: Segment, of location: Int64) throws {
        end = nil
        try save { $0 == location && $1 == merged.reset ? range : nil }
        let first = Key(location, merged, at: merged.begin)
        if case .sum(let sum) = try cached(first), sum.early > 0 {
            for time in try earlyTimes(range, of: location) {
                try remove(at: time, from: segment, of: location)
            }
        }
        try invalidate(Key(location, segment, at: merged.begin))
        minutes.removeAll { $0.reset == merged.reset && $0.location == location }
        try delete(first)
        try db.statement("UPDATE rollup SET reset = :into WHERE locationKey = :location AND reset = :merged")
            .bind("into", segment.reset).bind("location", location).bind("merged", merged.reset).run()
    }

    /// Moves the minutes that are after a reset from the segment in which it stands into the one that it begins. The ranges
    /// are those of the two segments. Returns what the new segment adds up to.
    func split(
        _ segment: Segment, _ range: SegmentRange, from other: Segment, _ otherRange: SegmentRange,
        of location: Int64
    ) throws -> Int {
        func bounds(_ key: Int64, _ reset: Int64) -> SegmentRange? {
            if key != location { return nil }
            return reset == segment.reset ? range : reset == other.reset ? otherRange : nil
        }
        end = nil
        let whole = SegmentRange(from: otherRange.from, to: range.to)
        try save { $0 == location && $1 == other.reset ? whole : nil }
        let early = try earlyTimes(range, of: location)
        for time in early { try remove(at: time, from: other, of: location) }
        let key = Key(location, other, at: segment.begin)
        try invalidate(key)
        try save { bounds($0, $1) }
        minutes.removeAll { $0.reset == other.reset && $0.location == location }
        let sql = """
            UPDATE rollup SET reset = :into WHERE locationKey = :location AND reset = :other AND minute > :minute
            """
        try db.statement(sql).bind("into", segment.reset).bind("location", location)
            .bind("other", other.reset).bind("minute", key.minute).run()
        minutes[Key(location, segment, at: segment.begin)] = .stale(hasEarly: !early.isEmpty)
        try save { bounds($0, $1) }
        let sum = """
            SELECT sum(ins - outs + correctedUp - correctedDown) FROM rollup
            WHERE locationKey = :location AND reset = :reset
            """
        return Int(
            try db.statement(sum).bind("location", location).bind("reset", segment.reset).integer() ?? 0)
    }

    /// Forgets what it knows, after all minutes of a location were computed again.
    func forget() { (minutes, end) = (Recent(), nil) }

    /// Writes what has changed. `bounds` returns the rows of a location's segment; nil leaves its stale minutes for later.
    func save(_ bounds: (_ location: Int64, _ reset: Int64) throws -> SegmentRange?) throws {
        let upsert = try db.statement(MinuteTable.upsert)
        try minutes.forEach { key, cached in
            let sum: MinuteRollup
            switch cached {
            case .sum(let known): sum = known
            case .stale(let hasEarly):
                guard let range = try bounds(key.location, key.reset) else { return }
                sum = MinuteRollup(
                    minute: key.minute,
                    of: try MinuteSteps.fetch(
                        db, location: key.location, range, minute: key.minute, hasEarly: hasEarly))
            }
            if sum.isEmpty {
                minutes[key] = nil
                return try delete(key)
            }
            try upsert.bind(MinuteTable.values(sum, location: key.location, reset: key.reset).span).run()
            if case .stale = cached { minutes[key] = .sum(sum) }
        }
    }
}

/// Where a row stands in the order that may be before others: a `RowOrder` without its text, which would be made for each row.
struct LatePlace {
    let order: Int64
    let identity: RowIdentity

    /// Whether that is certain: rows of two journals at the same time are not compared.
    func precedes(_ other: LatePlace) -> Bool {
        order < other.order
            || order == other.order && identity.journalId == other.identity.journalId
                && identity.position < other.identity.position
    }
}

extension RollupTable {
    private func cached(_ key: Key) throws -> Cached {
        if let known = minutes[key] { return known }
        let sums = try MinuteTable.fetch(
            db, location: key.location, reset: key.reset, minutes: key.minute...key.minute)
        return .sum(sums.first ?? MinuteRollup(minute: key.minute))
    }

    /// Has a minute computed again, including entries that are earlier than its segment if it may have such.
    private func invalidate(_ key: Key, hasEarly: Bool = false) throws {
        switch try cached(key) {
        case .sum(let sum): minutes[key] = .stale(hasEarly: hasEarly || sum.early > 0)
        case .stale(let already): minutes[key] = .stale(hasEarly: hasEarly || already)
        }
    }

    private func delete(_ key: Key) throws {
        let sql = "DELETE FROM rollup WHERE locationKey = :location AND reset = :reset AND minute = :minute"
        try db.statement(sql).bind("location", key.location).bind("reset", key.reset)
            .bind("minute", key.minute).run()
    }

    /// The times of a segment's entries that are earlier than the segment.
    private func earlyTimes(_ range: SegmentRange, of location: Int64) throws -> [Int64] {
        try range.bind(db.statement(Self.earlyTimes), early: true).bind("location", location).integers()
    }

    private static let earlyTimes = SegmentRange.early.map { early in
        """
        SELECT countedAt FROM journalRow
        WHERE kind <> \(RowKind.void) AND kind IN \(RowKind.steps) AND locationKey = :location AND \(early)
        """
    }.joined(separator: " UNION ALL ")
}

/// The entries and corrections of one minute of one segment that count, in the order in which they do.
enum MinuteSteps {
    /// `out` has the rows that are void or copies, where the tables may not say it yet.
    static func fetch(
        _ db: Connection, location: Int64, _ range: SegmentRange, minute: Int64, hasEarly: Bool,
        out: Set<Int64>? = nil
    ) throws -> [LevelStep] {
        let statement = try range.bind(db.statement(hasEarly ? withEarly : own), early: hasEarly)
        let begin = range.from.orderedAt
        return try statement.bind("location", location)
            .bind("start", max(MinuteRollup(minute: minute).start, begin))
            .bind("end", MinuteRollup(minute: minute).end).all { row -> LevelStep? in
                if try out?.contains(row["position"]) ?? row["isOut"] { return nil }
                return LevelStep(
                    time: try row["time"], difference: try row["difference"],
                    isCorrection: try row["kind"] == RowKind.correction.rawValue,
                    isEarly: try row["countedAt"] < begin)
            }.compactMap(\.self)
    }

    private static let rows = """
        SELECT max(countedAt, :from) AS time, orderedAt, place, position, difference, kind, countedAt,
            NOT (\(Schema.counts)) AS isOut
        FROM journalRow WHERE kind <> \(RowKind.void) AND kind IN \(RowKind.steps) AND locationKey = :location
        """
    private static let order = "ORDER BY time, orderedAt, place"
    private static let timely =
        "\(rows) AND countedAt >= :start AND countedAt <= :end AND \(SegmentRange.holds)"
    private static let own = FixedText("\(timely) \(order)")
    private static let withEarly = FixedText(
        (SegmentRange.early.map { "\(rows) AND \($0)" } + [timely]).joined(separator: " UNION ALL ") + " "
            + order)
}

enum MinuteTable {
    /// The columns, as `values` has them. The first three are the key.
    static let columns = [
        "locationKey", "reset", "minute", "ins", "outs", "correctedUp", "correctedDown", "moment", "high",
        "low", "last", "early",
    ]
    static let keyCount = 3

    static func values(_ sum: MinuteRollup, location: Int64, reset: Int64) -> [Int64?] {
        [
            location, reset, sum.minute, Int64(sum.ins), Int64(sum.outs), Int64(sum.correctedUp),
            Int64(sum.correctedDown), sum.offsetSum, Int64(sum.high), Int64(sum.low), sum.last,
            Int64(sum.early),
        ]
    }

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
