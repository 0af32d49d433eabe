import CounterModel
import SQL

/// The projections computed from the journal alone, in one pass and by another method than `LocationProjection`: it
/// knows from the start which rows are void, so it never subtracts or merges.
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
    /// The location of the last row; mostly it is the next row's too.
    private var last: (key: Int64, account: ReplayedLocation)?

    /// Replays the whole journal.
    init(_ db: Connection) throws {
        for key in try db.statement("SELECT key FROM location").integers() {
            accounts[key] = ReplayedLocation()
        }
        var voids = try VoidTargets(db)
        let rows = try db.statement(ReplayedRow.sql)
        try rows.forEach { row in
            try apply(ReplayedRow(row) { try voids.contains($0) })
        }
        for (key, account) in accounts { try account.addUpStaleMinutes(db, location: key) }
    }

    private mutating func apply(_ row: ReplayedRow) throws {
        try account(of: row.location).apply(row)
        guard let numbered = row.numbered else { return }
        let key = EpochKey(device: numbered.device, epoch: numbered.epoch)
        if epochs[key]?.note(numbered.number, by: row.position) == nil {
            epochs[key] = ReplayedNumbers(openedBy: row.position, first: numbered.number)
        }
    }

    private mutating func account(of location: Int64) throws -> ReplayedLocation {
        if let last, last.key == location { return last.account }
        let account = try accounts[location].orCorrupt()
        last = (location, account)
        return account
    }
}

/// The columns of a journal row on which projections depend.
struct ReplayedRow {
    enum Kind {
        case step(difference: Int, isCorrection: Bool)
        case void
        case reset(value: Int, file: Int64?)
        /// A setting, or what happened to a timer: it moves no level.
        case other
    }

    /// The number that a device gave its event.
    struct Numbered {
        let device: Int64
        let epoch: Int
        let number: Int
    }

    let position: Int64
    let kind: Kind
    let isVoid: Bool
    let location: Int64
    let lateAfter: Int64?
    let countedAt: Int64
    let numbered: Numbered?
    /// Whether it is an event that is not from a file.
    let isLive: Bool
}

extension ReplayedRow {
    /// The columns are in the order of the table: SQLite reaches a column by walking through those before it.
    static let sql = """
        SELECT position, kind, locationKey, deviceKey, timestamp, receivedAt, lateAfter, delta, sequenceNumber, epoch,
            fileKey, value, source
        FROM journal ORDER BY position
        """

    /// A row of `sql`.
    init(_ row: borrowing Row, isVoid: (Int64) throws -> Bool) throws {
        position = try row[0]
        kind =
            switch RowKind(rawValue: try row[1]) {
            case .entry: .step(difference: try row[7], isCorrection: false)
            case .correction: .step(difference: try row[11], isCorrection: true)
            case .void: .void
            case .reset: .reset(value: try row[11], file: row[10])
            case .setting, .timerEvent, nil: .other
            }
        self.isVoid = try isVoid(position)
        location = try row[2]
        lateAfter = row[6]
        let receivedAt = Timestamp(microseconds: try row[5])
        countedAt = Timestamp(microseconds: try row[4]).counted(receivedAt: receivedAt).microseconds
        let source: Int64? = row[12]
        isLive = try row[1] == RowKind.entry.rawValue && source != EventSource.import.key
        let number: Int64? = row[8]
        numbered = try number.map { Numbered(device: try row[3], epoch: try row[9], number: Int($0)) }
    }
}

/// The positions that are void, in step with a walk through the journal.
private struct VoidTargets {
    private let statement: Statement
    private var next: Int64?

    init(_ db: Connection) throws {
        statement = try db.statement("SELECT target FROM journal WHERE target IS NOT NULL ORDER BY target")
        try advance()
    }

    /// Whether a position is void; it must be higher than in the call before.
    mutating func contains(_ position: Int64) throws -> Bool {
        while let target = next, target < position { try advance() }
        return next == position
    }

    private mutating func advance() throws {
        next = try statement.step() ? statement.row[0] : nil
    }
}
