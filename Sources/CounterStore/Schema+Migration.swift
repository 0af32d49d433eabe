import CounterModel
import Linux
import SQL

extension Schema {
    /// From version 9: what older versions left to be told from their positions and columns is written into the rows.
    ///
    /// Before version 4 an entry by hand in a location with a capacity was a correction: up to `correctionsUntil`, 0 where there are
    /// none. Before version 9 the snapshot of a day did not have the level at its end, which is `levelBefore` of its reset then.
    static func migrateFrom9(_ db: Connection) throws {
        try db.execute(
            """
            \(dropTriggers)

            UPDATE journal SET kind = \(RowKind.correction), value = delta, delta = NULL, continuesHold = NULL
                WHERE kind = \(RowKind.entry) AND source = (SELECT key FROM source WHERE name = 'manual')
                AND position <= (SELECT correctionsUntil FROM location WHERE location.key = locationKey);
            ALTER TABLE location DROP COLUMN correctionsUntil;

            UPDATE snapshot SET finalLevel =
                (SELECT levelBefore FROM journal WHERE journal.position = snapshot.position)
                WHERE finalLevel IS NULL;
            """)
    }

    /// From version 11: rows get an order of their own. Up to then they counted in the order of their positions, late ones after
    /// the reset at `lateAfter`; now each has the `orderedAt` that puts it there.
    static func migrateFrom11(_ db: Connection) throws {
        try db.execute(
            """
            \(dropTriggers)
            ALTER TABLE journal ADD COLUMN orderedAt INTEGER;
            ALTER TABLE journal ADD COLUMN isLate INTEGER;
            """)
        try FormerOrder(db).write()
    }

    /// From version 12: what was set of locations and devices beside the rows becomes rows, and a row may be of no location.
    static func migrateFrom12(_ db: Connection, now: Timestamp) throws {
        let definitions = try formerLocations(db, now) + formerDevices(db, now)
        try makeAnew(
            db,
            """
            CREATE TABLE bareDevice (
                key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, lastSeenAt INTEGER, keysReadBy TEXT) STRICT;
            INSERT INTO bareDevice SELECT key, id, lastSeenAt, keysReadBy FROM device;
            DROP TABLE device;
            ALTER TABLE bareDevice RENAME TO device;
            ALTER TABLE location DROP COLUMN name;
            ALTER TABLE location DROP COLUMN timezone;
            """)
        for definition in definitions { try define(db, definition) }
    }

    /// Makes the table of the rows anew, with the columns and constraints of this version, and computes what follows from it.
    static func makeAnew(_ db: Connection, _ others: String = "") throws {
        let columns = RowTable.columns
            .map { $0 == "orderedAt" ? "coalesce(orderedAt, min(timestamp, receivedAt))" : $0 }
        let drops = ["segment", "counterState", "rollup", "epoch", "gap", "copy"].map {
            "DROP TABLE IF EXISTS \($0);"
        }
        try db.execute(
            """
            \(dropTriggers)
            \(drops.joined(separator: "\n"))
            \(dropViews)
            \(table.replacing("CREATE TABLE journal", with: "CREATE TABLE newJournal"))
            INSERT INTO newJournal (\(RowTable.list), isLate)
                SELECT \(columns.joined(separator: ", ")), isLate FROM journal ORDER BY position;
            DROP TABLE journal;
            ALTER TABLE newJournal RENAME TO journal;
            \(others)
            \(words("kind", RowKind.allCases.map { ($0.rawValue, $0.name) }, isNew: false))
            \(words("setting", settings, isNew: false))
            \(indexes + clock + projections + view + triggers)
            """)
        try ProjectionTables.replaceStored(db, by: Replay(db))
    }

    /// From version 14: a journal may have written under several ids. On which machine it was written is told by its next row.
    static func migrateFrom14(_ db: Connection) throws {
        try db.execute(
            """
            \(dropViews)
            ALTER TABLE identity RENAME TO formerIdentity;
            \(identity)
            INSERT INTO identity SELECT 1, id, NULL FROM formerIdentity;
            DROP TABLE formerIdentity;
            """)
    }

    /// From version 15: what counters of people have told is rows.
    static func migrateFrom15(_ db: Connection) throws {
        try db.execute(
            """
            \(dropViews)
            \(words("kind", RowKind.allCases.map { ($0.rawValue, $0.name) }, isNew: false))
            \(readingIndex)
            \(view)
            """)
    }

    private static let dropTriggers =
        triggerNames.map { "DROP TRIGGER IF EXISTS \($0);" }.joined(separator: "\n")
    private static let dropViews = "DROP VIEW IF EXISTS journalRow; DROP VIEW IF EXISTS knownDevice;"
}

/// What version 12 had in the tables of locations and devices, as the rows that say it now.
extension Schema {
    /// A location was added before its first row.
    private static func formerLocations(_ db: Connection, _ now: Timestamp) throws -> [Request] {
        let sql: StaticString = """
            SELECT id, name, timezone, (SELECT min(coalesce(orderedAt, min(timestamp, receivedAt))) FROM journal
                WHERE locationKey = location.key) AS first
            FROM location ORDER BY key
            """
        return try db.statement(sql).all { row -> Request? in
            let (id, name, timezone): (Identifier, String, String) =
                (try row["id"], try row["name"], try row["timezone"])
            if id == Location.defaultId, Identifier(name) == id, timezone == "UTC" { return nil }
            return Request(
                locationId: id, timestamp: row["first"] ?? now, .location(name: name, timezone: timezone),
                order: .given)
        }.compactMap(\.self)
    }

    private static func formerDevices(_ db: Connection, _ now: Timestamp) throws -> [Request] {
        let sql: StaticString = """
            SELECT device.id, device.name, location.id AS location, isActive, isForgotten
            FROM device LEFT JOIN location ON location.key = locationKey ORDER BY device.key
            """
        return try db.statement(sql).all { row -> [Request] in
            let (id, name): (Identifier, String) = (try row["id"], try row["name"])
            func request(_ setting: DeviceSetting, at location: Identifier? = nil) -> Request {
                Request(locationId: location, timestamp: now, .device(id, setting))
            }
            if try row["isForgotten"] { return [request(.isForgotten)] }
            var requests = Identifier(name) == id ? [] : [request(.name(name))]
            if let location: Identifier = row["location"] {
                requests.append(request(.location, at: location))
            }
            if try !row["isActive"] { requests.append(request(.isActive(false))) }
            return requests
        }.flatMap(\.self)
    }
}

/// The order of the rows of version 11, in which History listed them and levels were set.
private struct FormerOrder {
    private struct Row {
        let position, location, time: Int64
        let kind: RowKind?
        let lateAfter: Int64?
        let place: String

        static let sql = """
            SELECT position, kind, locationKey, min(timestamp, receivedAt) AS time, lateAfter,
                \(Schema.place(of: "journal")) AS place
            FROM journal ORDER BY position
            """

        init(_ row: borrowing SQL.Row) throws {
            (position, location, time) = (try row["position"], try row["locationKey"], try row["time"])
            kind = RowKind(rawValue: try row["kind"])
            lateAfter = row["lateAfter"]
            place = try row["place"]
        }
    }

    private struct Reset {
        let position: Int64
        let order: RowOrder
    }

    private let db: Connection
    /// Of each location, those that are not void.
    private var resets: [Int64: [Reset]] = [:]
    private let voids: Set<Int64>

    init(_ db: Connection) throws {
        self.db = db
        voids = Set(try db.statement("SELECT target FROM journal WHERE target IS NOT NULL").integers())
        var latest: [Int64: Int64] = [:]
        try db.statement(Row.sql).forEach { stored in
            let row = try Row(stored)
            guard let kind = row.kind, [.entry, .correction, .reset].contains(kind) else { return }
            latest[row.location] = max(latest[row.location] ?? .min, row.time)
            guard kind == .reset, !voids.contains(row.position) else { return }
            let order = RowOrder(latest[row.location] ?? row.time, row.place)
            let last = resets[row.location]?.last?.order ?? .start
            resets[row.location, default: []].append(Reset(position: row.position, order: order.after(last)))
        }
    }

    func write() throws {
        var settings: [Int64: RowOrder] = [:]
        var timers = RowOrder.start
        var latest: [Int64: Int64] = [:]
        var highest = Int64.min
        let update = try db.statement(
            "UPDATE journal SET orderedAt = :order, isLate = :late WHERE position = :position")
        try db.statement(Row.sql).forEach { stored in
            let row = try Row(stored)
            let own = RowOrder(row.time, row.place)
            let order: RowOrder
            switch row.kind {
            case .entry, .correction: order = self.order(of: own, row)
            case .reset:
                latest[row.location] = max(latest[row.location] ?? .min, row.time)
                order =
                    resets[row.location]?.first { $0.position == row.position }?.order
                    ?? RowOrder(latest[row.location] ?? row.time, row.place)
            case .setting:
                order = own.after(settings[row.location] ?? .start)
                settings[row.location] = order
            case .timerEvent:
                order = own.after(timers)
                timers = order
            default: order = own
            }
            let isLate = order.orderedAt <= highest
            highest = max(highest, order.orderedAt)
            guard isLate || order.orderedAt != row.time else { return }
            try update.bind("order", order.orderedAt).bind("late", isLate ? 1 : nil as Int?)
                .bind("position", row.position).run()
        }
    }

    /// After the last reset that was appended before, and before the next one.
    private func order(of own: RowOrder, _ row: Row) -> RowOrder {
        let all = resets[row.location] ?? []
        let anchor = row.lateAfter ?? row.position
        let next = all.firstIndex { $0.position > anchor } ?? all.endIndex
        let order = next > 0 ? own.after(all[next - 1].order) : own
        guard next < all.endIndex, all[next].order < order else { return order }
        return RowOrder(all[next].order.orderedAt - 1, row.place)
    }
}
