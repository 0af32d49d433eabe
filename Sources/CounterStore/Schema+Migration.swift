import CounterModel
import SQL

extension Schema {
    /// From version 9: what older versions left to be told from their positions and columns is written into the rows.
    ///
    /// Before version 4 an entry by hand in a location with a capacity was a correction: up to `correctionsUntil`, 0 where there are
    /// none. Before version 9 the snapshot of a day did not have the level at its end, which is `levelBefore` of its reset then.
    static func migrateFrom9(_ db: Connection) throws {
        let drops = triggerNames.map { "DROP TRIGGER IF EXISTS \($0);" }.joined(separator: "\n")
        try db.execute(
            """
            \(drops)

            UPDATE journal SET kind = \(RowKind.correction), value = delta, delta = NULL, continuesHold = NULL
                WHERE kind = \(RowKind.entry) AND source = (SELECT key FROM source WHERE name = 'manual')
                AND position <= (SELECT correctionsUntil FROM location WHERE location.key = locationKey);
            ALTER TABLE location DROP COLUMN correctionsUntil;

            UPDATE snapshot SET finalLevel =
                (SELECT levelBefore FROM journal WHERE journal.position = snapshot.position)
                WHERE finalLevel IS NULL;
            """)
    }

    /// From version 10: rows may be appended again by a redo.
    static func migrateFrom10(_ db: Connection) throws {
        try db.execute("ALTER TABLE journal ADD COLUMN redoes INTEGER")
    }

    /// From version 11: rows get an order of their own. Up to then they counted in the order of their positions, late ones after
    /// the reset at `lateAfter`; now each has the `orderedAt` that puts it there.
    static func migrateFrom11(_ db: Connection) throws {
        let former = ["segment", "counterState", "rollup", "epoch", "gap"].map { "DROP TABLE \($0);" }
        try db.execute(former.joined(separator: "\n"))
        try remakeJournal(db, orderedAt: "min(timestamp, receivedAt)", isLate: "NULL") {
            try FormerOrder(db).write()
        }
        try db.execute(projections)
        try ProjectionTables.replaceStored(db, by: Replay(db))
    }

    /// From version 12: rows of kind `clock` move times.
    static func migrateFrom12(_ db: Connection) throws {
        try remakeJournal(db, orderedAt: "orderedAt", isLate: "isLate")
    }

    /// Makes the table anew as it is in this version, because its constraints name columns that come or go; `change` may change its
    /// rows, which are in `remadeJournal` then.
    private static func remakeJournal(
        _ db: Connection, orderedAt: String, isLate: String, _ change: () throws -> Void = {}
    ) throws {
        let kept = """
            delta, source, continuesHold, sequenceNumber, fileKey, line, value, levelBefore, target, setting, text,
            redoes
            """
        let words = RowKind.allCases.map { "(\($0), '\($0.name)')" }.joined(separator: ", ")
        try db.execute(
            """
            \(triggerNames.map { "DROP TRIGGER IF EXISTS \($0);" }.joined(separator: "\n"))
            DROP VIEW IF EXISTS journalRow;
            \(table.replacing("CREATE TABLE journal", with: "CREATE TABLE remadeJournal"))
            INSERT OR IGNORE INTO kind VALUES \(words);
            INSERT INTO remadeJournal SELECT position, kind, locationKey, deviceKey, userId, timestamp, receivedAt,
                \(orderedAt), \(isLate), NULL, NULL, \(kept) FROM journal ORDER BY position;
            """)
        try change()
        try db.execute(
            """
            DROP TABLE journal;
            ALTER TABLE remadeJournal RENAME TO journal;
            \(indexes + clock + triggers + view)
            """)
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
            resets[row.location, default: []]
                .append(Reset(position: row.position, order: order.after(last)))
        }
    }

    func write() throws {
        var settings: [Int64: RowOrder] = [:]
        var timers = RowOrder.start
        var latest: [Int64: Int64] = [:]
        var highest = Int64.min
        let update = try db.statement(
            "UPDATE remadeJournal SET orderedAt = :order, isLate = :late WHERE position = :position")
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
            case .void, .clock, nil: order = own
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
