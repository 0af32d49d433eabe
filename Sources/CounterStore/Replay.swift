import CounterModel
import GRDB

/// The derived tables as the journal alone gives them, computed in one pass and in another way than `Ledger` does:
/// it knows from the start what is void, so nothing is ever subtracted or merged.
struct Replay {
    struct EpochKey: Hashable, Comparable {
        let device: Int64
        let epoch: Int

        static func < (left: EpochKey, right: EpochKey) -> Bool {
            (left.device, left.epoch) < (right.device, right.epoch)
        }
    }

    private(set) var accounts: [Int64: ReplayedLocation] = [:]
    private(set) var epochs: [EpochKey: ReplayedNumbers] = [:]

    /// Replays the whole journal.
    init(_ db: Database) throws {
        for key in try Int64.fetchAll(db, sql: "SELECT key FROM location") {
            accounts[key] = ReplayedLocation()
        }
        var voids = try VoidTargets(db)
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(ReplayedRow.columns) FROM journal ORDER BY position")
        while let row = try rows.next() {
            try apply(ReplayedRow(row, isVoid: try voids.contains(row[0])))
        }
        for location in accounts.keys {
            try accounts[location]?.addUpStaleMinutes(db, location: location)
        }
    }

    private mutating func apply(_ row: ReplayedRow) throws {
        try (accounts[row.location]?.apply(row)).orCorrupt()
        guard let number = row.sequenceNumber, let epoch = row.epoch, let device = row.device else { return }
        let key = EpochKey(device: device, epoch: epoch)
        if epochs[key]?.note(number, by: row.position) == nil {
            epochs[key] = ReplayedNumbers(openedBy: row.position, first: number)
        }
    }
}

/// A row of the journal, as far as derived tables depend on it.
struct ReplayedRow {
    static let columns = """
        position, kind, locationKey, lateAfter, delta, timestamp, receivedAt, epoch, deviceKey, fileKey, value,
        source, sequenceNumber
        """

    enum Kind {
        case entry(EntryType, isManual: Bool)
        case void
        case reset(value: Int)
        case setting
    }

    let position: Int64
    let kind: Kind
    let isVoid: Bool
    let location: Int64
    let lateAfter: Int64?
    let countedAt: Int64
    let epoch: Int?
    let device: Int64?
    let file: Int64?
    let sequenceNumber: Int?

    init(_ row: Row, isVoid: Bool) throws {
        position = row[0]
        self.isVoid = isVoid
        switch row[1] as Int {
        case 1:
            kind = .entry(
                try EntryType(delta: row[4]).orCorrupt(), isManual: row[11] == EventSource.manual.key)
        case 2: kind = .void
        case 3: kind = .reset(value: row[10])
        default: kind = .setting
        }
        location = row[2]
        lateAfter = row[3]
        countedAt =
            Timestamp(microseconds: row[5]).counted(receivedAt: Timestamp(microseconds: row[6])).microseconds
        epoch = row[7]
        device = row[8]
        file = row[9]
        sequenceNumber = row[12]
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
