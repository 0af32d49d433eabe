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
    /// How many of the columns, from the first, are the primary key.
    let keyCount: Int
    /// With the columns of the table, in its order.
    let rows: any Collection<[Int64?]>

    /// The stored rows, in the order of their keys.
    func stored(_ db: Connection) throws -> Statement {
        let key = (1...keyCount).map(String.init).joined(separator: ", ")
        return try db.statement("SELECT * FROM \(name) ORDER BY \(key)")
    }
}

enum ProjectionTables {
    /// Replaces the stored projections by those of a replay; of one location all but what is known of its devices.
    static func replaceStored(_ db: Connection, by replay: Replay, of location: Int64? = nil) throws {
        for table in tables(replay) {
            let columns = try table.stored(db).columnNames
            if let location {
                if columns[0] == "deviceKey" { continue }
                let key = "(SELECT locationKey FROM journal WHERE journal.position = copy.position)"
                let condition = columns[0] == "locationKey" ? "locationKey" : key
                try db.statement("DELETE FROM \(table.name) WHERE \(condition) = :location")
                    .bind("location", location).run()
            } else {
                try db.statement("DELETE FROM \(table.name)").run()
            }
            let values = columns.map { ":\($0)" }.joined(separator: ", ")
            let insertion = try db.statement("INSERT INTO \(table.name) VALUES (\(values))")
            for values in table.rows { try insertion.bind(values.span).run() }
        }
    }

    static func differences(_ db: Connection, from replay: Replay) throws -> [JournalFinding] {
        try tables(replay).flatMap { try differences(db, of: $0) }
    }

    /// Walks through the stored and the expected rows, both in the order of their keys.
    private static func differences(_ db: Connection, of table: ReplayedTable) throws -> [JournalFinding] {
        let rows = try table.stored(db)
        let columns = rows.columnNames
        func next() throws -> [Int64?]? {
            guard try rows.step() else { return nil }
            let row = rows.row
            return columns.indices.map { row[$0] }
        }
        var findings: [JournalFinding] = []
        func note(stored: [Int64?]?, replayed: [Int64?]?) {
            findings.append(table.finding(columns, stored: stored, replayed: replayed))
        }
        var stored = try next()
        for replayed in table.rows {
            while let row = stored, table.key(row).lexicographicallyPrecedes(table.key(replayed)) {
                note(stored: row, replayed: nil)
                stored = try next()
            }
            if let row = stored, table.key(row) == table.key(replayed) {
                if row != replayed { note(stored: row, replayed: replayed) }
                stored = try next()
            } else {
                note(stored: nil, replayed: replayed)
            }
        }
        while let row = stored {
            note(stored: row, replayed: nil)
            stored = try next()
        }
        return findings
    }
}

extension ReplayedTable {
    fileprivate func key(_ row: [Int64?]) -> [Int64] { row.prefix(keyCount).map { $0 ?? 0 } }

    fileprivate func finding(
        _ columns: [String], stored: [Int64?]?, replayed: [Int64?]?
    ) -> JournalFinding {
        func words(_ values: some Sequence<Int64?>) -> String {
            zip(columns, values).map { "\($0) \($1.map(String.init) ?? "NULL")" }.joined(separator: ", ")
        }
        let key = words((stored ?? replayed ?? []).prefix(keyCount))
        return .differs(table: name, row: key, stored: stored.map(words), replayed: replayed.map(words))
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
            ReplayedTable(name: "segment", keyCount: 3, rows: segments),
            ReplayedTable(name: "counterState", keyCount: 1, rows: states),
            ReplayedTable(name: "rollup", keyCount: MinuteTable.keyCount, rows: rollups),
            ReplayedTable(name: "epoch", keyCount: 2, rows: epochs),
            ReplayedTable(name: "gap", keyCount: 3, rows: gaps),
            ReplayedTable(name: "copy", keyCount: 1, rows: copies),
        ]
    }

    private static func epochs(_ replay: Replay) -> ([[Int64?]], gaps: [[Int64?]]) {
        var (epochs, gaps) = ([[Int64?]](), [[Int64?]]())
        for (device, all) in replay.epochs.sorted(by: { $0.key < $1.key }) {
            for (number, epoch) in all.all.enumerated() {
                let key: [Int64?] = [device, Int64(number)]
                epochs.append(key + [epoch.openedBy, Int64(epoch.lowest), Int64(epoch.highest), epoch.last])
                gaps += epoch.gaps.map { key + [Int64($0.first), Int64($0.last), $0.noticedBy] }
            }
        }
        return (epochs, gaps)
    }
}
