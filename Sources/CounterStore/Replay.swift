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
        let decoder = ReplayedRow.Decoder(rows)
        try rows.forEach { row in
            try apply(decoder.decode(row) { try voids.contains($0) })
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
}

extension ReplayedRow {
    /// The columns are in the order of the table: SQLite reaches a column by walking through those before it.
    static let sql = """
        SELECT position, kind, locationKey, deviceKey, timestamp, receivedAt, lateAfter, delta, sequenceNumber, epoch,
            fileKey, value
        FROM journal ORDER BY position
        """

    /// Reads rows by columns that are looked up once.
    struct Decoder {
        private let position, kind, location, device, timestamp, receivedAt, lateAfter, delta, number, epoch,
            file,
            value: Column

        init(_ statement: Statement) {
            position = statement.column("position")
            kind = statement.column("kind")
            location = statement.column("locationKey")
            device = statement.column("deviceKey")
            timestamp = statement.column("timestamp")
            receivedAt = statement.column("receivedAt")
            lateAfter = statement.column("lateAfter")
            delta = statement.column("delta")
            number = statement.column("sequenceNumber")
            epoch = statement.column("epoch")
            file = statement.column("fileKey")
            value = statement.column("value")
        }

        func decode(_ row: borrowing Row, isVoid: (Int64) throws -> Bool) throws -> ReplayedRow {
            let position: Int64 = try row[self.position]
            let receivedAt = Timestamp(microseconds: try row[self.receivedAt])
            return ReplayedRow(
                position: position, kind: try kind(row), isVoid: try isVoid(position),
                location: try row[location], lateAfter: row[lateAfter],
                countedAt: Timestamp(microseconds: try row[timestamp]).counted(receivedAt: receivedAt)
                    .microseconds,
                numbered: try numbered(row))
        }

        private func kind(_ row: borrowing Row) throws -> Kind {
            switch RowKind(rawValue: try row[self.kind]) {
            case .entry: .step(difference: Int(try row[delta] as Int64), isCorrection: false)
            case .correction: .step(difference: Int(try row[value] as Int64), isCorrection: true)
            case .void: .void
            case .reset: .reset(value: Int(try row[value] as Int64), file: row[file])
            case .setting, .timerEvent, nil: .other
            }
        }

        private func numbered(_ row: borrowing Row) throws -> Numbered? {
            guard let number: Int64 = row[number] else { return nil }
            return Numbered(
                device: try row[device], epoch: Int(try row[epoch] as Int64), number: Int(number))
        }
    }
}

/// The positions that are void, in step with a walk through the journal.
private struct VoidTargets {
    private let statement: Statement
    private let target: Column
    private var next: Int64?

    init(_ db: Connection) throws {
        statement = try db.statement("SELECT target FROM journal WHERE target IS NOT NULL ORDER BY target")
        target = statement.column("target")
        try advance()
    }

    /// Whether a position is void; it must be higher than in the call before.
    mutating func contains(_ position: Int64) throws -> Bool {
        while let target = next, target < position { try advance() }
        return next == position
    }

    private mutating func advance() throws {
        next = try statement.step() ? statement.row[target] : nil
    }
}
