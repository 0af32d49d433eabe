import CounterModel
import GRDB

/// The derived tables as the journal alone gives them, computed in one pass and in another way than `Ledger` does:
/// it knows from the start what is void, so nothing is ever subtracted or merged.
struct Replay {
    /// A location's derived rows.
    struct Account: Equatable {
        var resets = [EffectiveReset(position: 0, time: Segment.beginningOfTime, fileKey: nil, value: 0)]
        /// What counts after each reset. Halfway through it may leave the range that its end keeps to: an entry
        /// that is void now may have made room for another one.
        var sums = [0]
        var lastUpdated: Int64?
        var lastEventAt: Int64?
        var position: Int64 = 0
    }

    /// A reset that is not void; the first stands for the location's beginning.
    struct EffectiveReset: Equatable {
        let position: Int64
        let time: Int64
        let fileKey: Int64?
        let value: Int
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
        try (accounts[location]?.apply(row, isVoid: isVoid)).orCorrupt()
        if let epoch: Int = row[7], epoch > 0 {
            let key = EpochKey(device: row[8], epoch: epoch)
            if epochs[key] == nil { epochs[key] = row[0] }
        }
    }
}

extension Replay.Account {
    fileprivate mutating func apply(_ row: Row, isVoid: Bool) {
        let isEntry = row[1] == 1
        if isEntry, !isVoid {
            add(row[4], at: row[3] ?? row[0])
        } else if row[1] == 3, !isVoid {
            begin(row)
        }
        note(row, isEvent: isEntry)
    }

    /// Adds an entry to the last segment that began at or before an anchor.
    private mutating func add(_ delta: Int, at anchor: Int64) {
        var index = resets.count - 1
        if resets[index].position > anchor {
            index = resets.lastIndex { $0.position <= anchor } ?? 0
        }
        sums[index] += delta
    }

    private mutating func begin(_ row: Row) {
        let reset = Replay.EffectiveReset(
            position: row[0], time: countedAt(row), fileKey: row[9], value: row[10])
        resets.append(reset)
        sums.append(0)
    }

    private mutating func note(_ row: Row, isEvent: Bool) {
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
