import CounterModel
import SQL

/// The projections computed from the journal alone, in one pass through its order and by another method than
/// `LocationProjection`: it knows from the start which rows are void, so it never subtracts, splits or merges.
struct Replay {
    private(set) var accounts: [Int64: ReplayedLocation] = [:]
    private(set) var epochs: [Int64: DeviceEpochs] = [:]
    /// The rows that say the same as another one, which is before them.
    private(set) var copies: [Int64: Int64] = [:]
    private var automaticEnds: [Int64: (orderedAt: Int64, position: Int64)] = [:]
    private var voids: Set<Int64>
    /// The location of the last row; mostly it is the next row's too.
    private var last: (key: Int64, account: ReplayedLocation)?

    /// Replays the whole journal, or one location; then the epochs are those of its rows alone.
    init(_ db: Connection, of location: Int64? = nil) throws {
        voids = Set(try db.statement("SELECT target FROM journal WHERE target IS NOT NULL").integers())
        for target in try db.statement(Self.voidsWithCopies).integers() {
            voids.insert(try Self.first(like: target, db))
        }
        for key in try location.map({ [$0] }) ?? db.statement("SELECT key FROM location").integers() {
            accounts[key] = ReplayedLocation()
        }
        let condition =
            "kind NOT IN \(RowKind.defining)" + (location == nil ? "" : " AND locationKey = :location")
        try OrderedRows(db, ReplayedRow.columns, of: "journal", where: condition) { rows in
            if let location { _ = try rows.bind("location", location) }
        }.forEach { try apply(ReplayedRow($0), db) }
        let out = voids.union(copies.keys)
        for (key, account) in accounts { try account.addUpStaleMinutes(db, location: key, out: out) }
    }

    private static let voidsWithCopies = """
        SELECT row.position FROM journal AS void JOIN journal AS row ON row.position = void.target
        WHERE void.target IS NOT NULL AND (row.sequenceNumber IS NOT NULL
            OR EXISTS (SELECT 1 FROM snapshot WHERE snapshot.position = row.position AND isAutomatic))
        """

    private mutating func apply(_ row: ReplayedRow, _ db: Connection) throws {
        let first = try first(like: row, db)
        if first != row.position { copies[row.position] = first }
        let counts = first == row.position && !voids.contains(row.position)
        try account(of: row.location).apply(row, counts: counts)
        guard let numbered = row.numbered, first == row.position else { return }
        epochs[numbered.device, default: DeviceEpochs()].note(numbered.number, by: row.position)
    }

    private mutating func account(of location: Int64) throws -> ReplayedLocation {
        if let last, last.key == location { return last.account }
        let account = try accounts[location].orCorrupt()
        last = (location, account)
        return account
    }

    /// The first row that says the same: mostly the row itself.
    private mutating func first(like row: ReplayedRow, _ db: Connection) throws -> Int64 {
        if let numbered = row.numbered, epochs[numbered.device]?.contains(numbered.number) ?? false {
            return try Self.first(like: row.position, db)
        }
        guard case .reset = row.kind,
            try db.statement("SELECT isAutomatic FROM snapshot WHERE position = :position")
                .bind("position", row.position).integer() == 1
        else { return row.position }
        if let end = automaticEnds[row.location], end.orderedAt == row.orderedAt { return end.position }
        automaticEnds[row.location] = (row.orderedAt, row.position)
        return row.position
    }

    private static func first(like position: Int64, _ db: Connection) throws -> Int64 {
        let sql = """
            SELECT other.position FROM journal AS row JOIN journal AS other ON
                other.deviceKey = row.deviceKey AND other.sequenceNumber = row.sequenceNumber
                AND other.locationKey = row.locationKey AND other.timestamp = row.timestamp
                AND other.delta = row.delta
            JOIN journalRow AS ordered ON ordered.position = other.position
            WHERE row.position = :position AND row.sequenceNumber IS NOT NULL
            ORDER BY ordered.orderedAt, ordered.place LIMIT 1
            """
        if let first = try db.statement(sql).bind("position", position).integer() { return first }
        let end = """
            SELECT other.position FROM journalRow AS row JOIN snapshot ON snapshot.position = row.position
            JOIN journalRow AS other ON other.kind = \(RowKind.reset) AND other.locationKey = row.locationKey
                AND other.orderedAt = row.orderedAt
            JOIN snapshot AS otherSnapshot ON otherSnapshot.position = other.position
            WHERE row.position = :position AND snapshot.isAutomatic AND otherSnapshot.isAutomatic
            ORDER BY other.orderedAt, other.place LIMIT 1
            """
        return try db.statement(end).bind("position", position).integer() ?? position
    }
}

/// The columns of a journal row on which projections depend.
struct ReplayedRow {
    enum Kind {
        case step(difference: Int, isCorrection: Bool)
        case void
        case reset(value: Int)
        /// A setting, a mended clock, what happened to a timer, or another one that moves no level.
        case other
    }

    struct Numbered {
        let device: Int64
        let number: Int
    }

    let position, orderedAt: Int64
    let kind: Kind
    let location: Int64
    let countedAt: Int64
    let numbered: Numbered?
    /// Whether it is an event that is not from a file.
    let isLive: Bool
}

extension ReplayedRow {
    /// Those after `position` and `orderedAt`, in the order of the table: SQLite reaches a column by walking through those
    /// before it.
    static let columns =
        "kind, locationKey, deviceKey, timestamp, receivedAt, delta, sequenceNumber, value, source"

    init(_ row: borrowing Row) throws {
        (position, orderedAt) = (try row[0], try row[1])
        kind =
            switch RowKind(rawValue: try row[2]) {
            case .entry: .step(difference: try row[7], isCorrection: false)
            case .correction: .step(difference: try row[9], isCorrection: true)
            case .void: .void
            case .reset: .reset(value: try row[9])
            default: .other
            }
        location = try row[3]
        let receivedAt = Timestamp(microseconds: try row[6])
        countedAt = Timestamp(microseconds: try row[5]).counted(receivedAt: receivedAt).microseconds
        let source: Int64? = row[10]
        isLive = try row[2] == RowKind.entry.rawValue && source != EventSource.import.key
        let number: Int64? = row[8]
        numbered = try number.map { Numbered(device: try row[4], number: Int($0)) }
    }
}
