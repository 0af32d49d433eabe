import CounterModel
import GRDB

/// The derived tables as the journal alone gives them, computed in one pass and in another way than `Ledger` does:
/// it knows from the start what is void, so nothing is ever subtracted or merged.
struct Replay {
    /// A location's derived rows.
    struct Account: Equatable {
        var segments = [Segment(reset: 0, start: 0, sum: 0)]
        var origins = [SegmentOrigin(time: Segment.beginningOfTime, fileKey: nil)]
        var lastUpdated: Int64?
        var lastEventAt: Int64?
        var position: Int64 = 0
    }

    /// When a segment's reset counts and what it was read from.
    struct SegmentOrigin: Equatable {
        let time: Int64
        let fileKey: Int64?
    }

    struct EpochKey: Hashable {
        let device: Int64
        let epoch: Int
    }

    private(set) var accounts: [Int64: Account] = [:]
    private(set) var epochs: [EpochKey: Int64] = [:]

    /// Replays the whole journal.
    init(_ db: Database) throws {
        for key in try Int64.fetchAll(db, sql: "SELECT key FROM location") {
            accounts[key] = Account()
        }
        var voids = try VoidTargets(db)
        let sql = """
            SELECT position, kind, locationKey, lateAfter, delta, timestamp, receivedAt, epoch, deviceKey,
                fileKey, value
            FROM journal ORDER BY position
            """
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            try apply(row, isVoid: try voids.contains(row[0]))
        }
    }

    private mutating func apply(_ row: Row, isVoid: Bool) throws {
        let location: Int64 = row[2]
        try (try accounts[location]?.apply(row, isVoid: isVoid)).orCorrupt()
        if let epoch: Int = row[7], epoch > 0 {
            let key = EpochKey(device: row[8], epoch: epoch)
            if epochs[key] == nil { epochs[key] = row[0] }
        }
    }
}

extension Replay.Account {
    fileprivate mutating func apply(_ row: Row, isVoid: Bool) throws {
        let isEntry = row[1] == 1
        if isEntry, !isVoid {
            try add(row[4], at: row[3] ?? row[0])
        } else if row[1] == 3, !isVoid {
            begin(row)
        }
        note(row, isEvent: isEntry)
    }

    /// Adds an entry to the last segment that began at or before an anchor.
    fileprivate mutating func add(_ delta: Int, at anchor: Int64) throws {
        var index = segments.count - 1
        if segments[index].reset > anchor {
            index = segments.lastIndex { $0.reset <= anchor } ?? 0
        }
        segments[index] = try segments[index].adding(delta).orCorrupt()
    }

    fileprivate mutating func begin(_ row: Row) {
        segments.append(Segment(reset: row[0], start: row[10], sum: 0))
        origins.append(Replay.SegmentOrigin(time: countedAt(row), fileKey: row[9]))
    }

    fileprivate mutating func note(_ row: Row, isEvent: Bool) {
        position = row[0]
        guard row.hasNull(atIndex: 3) else { return }
        let time = countedAt(row)
        lastUpdated = time
        if isEvent { lastEventAt = time }
    }

    private func countedAt(_ row: Row) -> Int64 {
        Timestamp(microseconds: row[5]).counted(receivedAt: Timestamp(microseconds: row[6])).microseconds
    }
}

/// The positions that are void, in step with a walk through the journal.
private struct VoidTargets {
    private let cursor: FastDatabaseValueCursor<Int64>
    private var next: Int64?

    init(_ db: Database) throws {
        cursor = try Int64.fetchCursor(
            db, sql: "SELECT target FROM journal WHERE target IS NOT NULL ORDER BY target")
        next = try cursor.next()
    }

    /// Whether a position is void; it must be higher than in the call before.
    mutating func contains(_ position: Int64) throws -> Bool {
        while let target = next, target < position {
            next = try cursor.next()
        }
        return next == position
    }
}
