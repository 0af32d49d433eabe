import CounterModel
import SQL

package enum JournalFinding: Hashable, Sendable {
    /// A row of a projection differs from its replay. `stored` is nil if the row is missing, `replayed` if there should be none.
    case differs(table: String, row: String, stored: String?, replayed: String?)
    /// SQLite found the file damaged; a line of its report.
    case damaged(String)
    case missingTrigger(String)
}

extension SQLiteJournal {
    /// Replays the journal and compares every projection with the result; checks the file and its triggers too.
    ///
    /// Reads one snapshot: other programs go on counting meanwhile. Returns what is wrong; empty if nothing is. Throws
    /// `JournalError`; `corrupt` if the journal cannot be read to its end.
    package func verify() throws(JournalError) -> [JournalFinding] {
        try read { db in
            let damage = try Self.damage(db)
            // A replay of damaged pages would prove nothing.
            guard damage.isEmpty else { return damage }
            let differences = try ProjectionTables.differences(db, from: Replay(db))
            return try Self.missingTriggers(db) + Self.wrongClocks(db) + differences
        }
    }

    /// Discards all projections and computes them again from the journal, in one transaction. Throws `JournalError`; then they
    /// are as they were.
    package func rebuild() throws(JournalError) {
        try write { db in
            try ClockTable.apply(db, ClockTable.wronglyMoved(db))
            try ProjectionTables.replaceStored(db, by: Replay(db))
        }
    }

    private static func wrongClocks(_ db: Connection) throws -> [JournalFinding] {
        func words(_ move: ClockMove?) -> String {
            move.map { "movedBy \($0.by), latestAt \($0.latest)" } ?? "not moved"
        }
        return try ClockTable.wronglyMoved(db).map {
            .differs(
                table: "journal", row: "position \($0.position)", stored: words($0.stored),
                replayed: words($0.right))
        }
    }

    private static func damage(_ db: Connection) throws -> [JournalFinding] {
        let report = try db.statement("PRAGMA integrity_check").texts().filter { $0 != "ok" }
        let orphans = try db.statement("PRAGMA foreign_key_check").all { row in
            "\(try row["table"] as String) refers to a \(try row["parent"] as String) that is not there"
        }
        return (report + orphans).map(JournalFinding.damaged)
    }

    private static func missingTriggers(_ db: Connection) throws -> [JournalFinding] {
        let present = Set(try db.statement("SELECT name FROM sqlite_master WHERE type = 'trigger'").texts())
        return Schema.triggerNames.filter { !present.contains($0) }.map(JournalFinding.missingTrigger)
    }
}

// MARK: - Tables

/// A projection as a replay computes it: its rows in the order of their keys, each made when it is asked for.
struct ReplayedTable {
    let name: String
    let columns: [String]
    /// How many of the columns, from the first, are the primary key.
    let keyCount: Int
    let rows: any Collection<[Int64?]>

    init(_ name: String, _ columns: [String], keyCount: Int, _ rows: any Collection<[Int64?]>) {
        (self.name, self.columns, self.keyCount, self.rows) = (name, columns, keyCount, rows)
    }
}

enum ProjectionTables {
    /// Replaces the stored projections by those of a replay; of one location all but what is known of its devices.
    static func replaceStored(_ db: Connection, by replay: Replay, of location: Int64? = nil) throws {
        for table in tables(replay) {
            if let location {
                if table.columns[0] == "deviceKey" { continue }
                let key = "(SELECT locationKey FROM journal WHERE journal.position = copy.position)"
                let condition = table.columns[0] == "locationKey" ? "locationKey" : key
                try db.statement("DELETE FROM \(table.name) WHERE \(condition) = :location")
                    .bind("location", location).run()
            } else {
                try db.statement("DELETE FROM \(table.name)").run()
            }
            let (names, marks) = (table.columns, table.columns.map { ":\($0)" })
            let insertion = try db.statement(
                """
                INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))
                """)
            for values in table.rows { try insertion.bind(values.span).run() }
        }
    }

    static func differences(_ db: Connection, from replay: Replay) throws -> [JournalFinding] {
        try tables(replay).flatMap { try differences(db, of: $0) }
    }

    /// Walks through the stored and the expected rows, both in the order of their keys.
    private static func differences(_ db: Connection, of table: ReplayedTable) throws -> [JournalFinding] {
        let keys = table.columns.prefix(table.keyCount).joined(separator: ", ")
        let sql = "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name) ORDER BY \(keys)"
        let rows = try db.statement(sql)
        func next() throws -> [Int64?]? {
            guard try rows.step() else { return nil }
            let row = rows.row
            return table.columns.indices.map { row[$0] }
        }
        var findings: [JournalFinding] = []
        var stored = try next()
        for replayed in table.rows {
            while let row = stored, table.key(row).lexicographicallyPrecedes(table.key(replayed)) {
                findings.append(table.finding(stored: row, replayed: nil))
                stored = try next()
            }
            if let row = stored, table.key(row) == table.key(replayed) {
                if row != replayed { findings.append(table.finding(stored: row, replayed: replayed)) }
                stored = try next()
            } else {
                findings.append(table.finding(stored: nil, replayed: replayed))
            }
        }
        while let row = stored {
            findings.append(table.finding(stored: row, replayed: nil))
            stored = try next()
        }
        return findings
    }
}

extension ReplayedTable {
    fileprivate func key(_ row: [Int64?]) -> [Int64] { row.prefix(keyCount).map { $0 ?? 0 } }

    fileprivate func finding(stored: [Int64?]?, replayed: [Int64?]?) -> JournalFinding {
        let row = zip(columns, key(stored ?? replayed ?? [])).map { "\($0) \($1)" }.joined(separator: ", ")
        return .differs(table: name, row: row, stored: stored.map(describe), replayed: replayed.map(describe))
    }

    private func describe(_ values: [Int64?]) -> String {
        zip(columns, values).map { "\($0) \($1.map(String.init) ?? "NULL")" }.joined(separator: ", ")
    }
}

extension ProjectionTables {
    private static func tables(_ replay: Replay) -> [ReplayedTable] {
        let locations = replay.accounts.sorted { $0.key < $1.key }
        let segments = locations.flatMap { key, location in
            location.segments.sorted { ($0.begin, $0.reset) < ($1.begin, $1.reset) }.map {
                segment -> [Int64?] in
                [key, segment.begin, segment.reset, Int64(segment.start), Int64(segment.sum)]
            }
        }
        let states = locations.map { key, location -> [Int64?] in
            [
                key, location.segments.last.map { Int64($0.end) }, location.update.time,
                location.update.order, location.event.time, location.event.order, location.latest,
                location.position, location.firstEventAt,
            ]
        }
        let stateColumns = [
            "locationKey", "level", "lastUpdated", "updateOrder", "lastEventAt", "eventOrder", "latest",
            "position", "firstEventAt",
        ]
        let minutes = locations.flatMap { key, location in
            location.minutes.sorted.map { (location: key, reset: $0.key.reset, sum: $0.sum) }
        }
        let rollups = minutes.lazy.map {
            MinuteTable.values($0.sum, location: $0.location, reset: $0.reset)
        }
        let copies = replay.copies.sorted { $0.key < $1.key }.map { copy -> [Int64?] in
            [copy.key, copy.value]
        }
        let (epochs, gaps) = Self.epochs(replay)
        return [
            ReplayedTable(
                "segment", ["locationKey", "begin", "reset", "start", "sum"], keyCount: 3, segments),
            ReplayedTable("counterState", stateColumns, keyCount: 1, states),
            ReplayedTable("rollup", MinuteTable.columns, keyCount: MinuteTable.keyCount, rollups),
            epochs, gaps, ReplayedTable("copy", ["position", "first"], keyCount: 1, copies),
        ]
    }

    private static func epochs(_ replay: Replay) -> (ReplayedTable, gaps: ReplayedTable) {
        var (epochs, gaps) = ([[Int64?]](), [[Int64?]]())
        for (device, all) in replay.epochs.sorted(by: { $0.key < $1.key }) {
            for (number, epoch) in all.all.enumerated() {
                let key: [Int64?] = [device, Int64(number)]
                epochs.append(key + [epoch.openedBy, Int64(epoch.lowest), Int64(epoch.highest), epoch.last])
                gaps += epoch.gaps.map { key + [Int64($0.first), Int64($0.last), $0.noticedBy] }
            }
        }
        let columns = ["deviceKey", "epoch", "openedBy", "lowest", "highest", "last"]
        return (
            ReplayedTable("epoch", columns, keyCount: 2, epochs),
            ReplayedTable("gap", ["deviceKey", "epoch", "first", "last", "noticedBy"], keyCount: 3, gaps)
        )
    }
}
