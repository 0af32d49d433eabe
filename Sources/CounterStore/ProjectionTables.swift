import CounterModel
import SQL

/// A projection as a replay computes it: its rows in the order of their keys, each made when it is asked for.
struct ReplayedTable {
    let name: String
    let columns: [String]
    /// How many of the columns, from the first, are the primary key.
    let keyCount: Int
    let rows: any Collection<[Int64?]>
}

/// The projections, written and compared as whole tables.
enum ProjectionTables {
    /// Replaces the stored projections by those of a replay.
    static func replaceStored(_ db: Connection, by replay: Replay) throws {
        for table in try tables(replay) {
            try db.statement("DELETE FROM \(table.name)").run()
            let (names, marks) = (table.columns, table.columns.map { ":\($0)" })
            let insertion = try db.statement(
                """
                INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))
                """)
            let parameters = names.map { insertion.parameter(named: $0) }
            for values in table.rows {
                for (parameter, value) in zip(parameters, values) { try insertion.bind(parameter, value) }
                try insertion.run()
            }
        }
    }

    /// The rows that differ from those of a replay.
    static func differences(_ db: Connection, from replay: Replay) throws -> [JournalFinding] {
        try tables(replay).flatMap { try differences(db, of: $0) }
    }

    /// Walks through the stored and the expected rows, both in the order of their keys.
    private static func differences(_ db: Connection, of table: ReplayedTable) throws -> [JournalFinding] {
        let keys = table.columns.prefix(table.keyCount).joined(separator: ", ")
        let sql = "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name) ORDER BY \(keys)"
        let rows = try db.statement(sql)
        let columns = table.columns.map { rows.column(named: $0) }
        func next() throws -> [Int64?]? {
            guard try rows.step() else { return nil }
            let row = rows.row
            return columns.map { row[$0] }
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
    private static func tables(_ replay: Replay) throws -> [ReplayedTable] {
        let locations = replay.accounts.sorted { $0.key < $1.key }
        return [
            segments(locations), try states(locations), rollups(locations), epochs(replay), gaps(replay),
        ]
    }

    private static func segments(_ locations: [(key: Int64, value: ReplayedLocation)]) -> ReplayedTable {
        let rows = locations.flatMap { key, location in
            zip(location.resets, location.sums).map { reset, sum -> [Int64?] in
                [key, reset.position, reset.time, reset.begin, reset.fileKey, Int64(reset.value), Int64(sum)]
            }
        }
        return ReplayedTable(
            name: "segment", columns: ["locationKey", "reset", "time", "begin", "fileKey", "start", "sum"],
            keyCount: 2, rows: rows)
    }

    private static func states(_ locations: [(key: Int64, value: ReplayedLocation)]) throws -> ReplayedTable {
        let rows = try locations.map { key, location -> [Int64?] in
            var level = 0
            for (reset, sum) in zip(location.resets, location.sums) {
                let start = Segment(reset: reset.position, begin: reset.begin, start: reset.value, sum: 0)
                level = try start.adding(sum).orCorrupt().end
            }
            return [
                key, Int64(level), location.lastUpdated, location.lastEventAt, location.latest,
                location.position,
            ]
        }
        return ReplayedTable(
            name: "counterState",
            columns: ["locationKey", "level", "lastUpdated", "lastEventAt", "latest", "position"],
            keyCount: 1,
            rows: rows)
    }

    private static func rollups(_ locations: [(key: Int64, value: ReplayedLocation)]) -> ReplayedTable {
        let keys = locations.flatMap { key, location in
            location.minutes.sorted.map {
                (location: key, reset: $0.key.reset, sum: $0.sum)
            }
        }
        let rows = keys.lazy.map { key, reset, sum -> [Int64?] in
            [
                key, reset, sum.minute, Int64(sum.ins), Int64(sum.outs), Int64(sum.correctedUp),
                Int64(sum.correctedDown), sum.moment, Int64(sum.high), Int64(sum.low), sum.last,
                Int64(sum.early),
            ]
        }
        return ReplayedTable(
            name: "rollup",
            columns: [
                "locationKey", "reset", "minute", "ins", "outs", "correctedUp", "correctedDown", "moment",
                "high",
                "low",
                "last", "early",
            ], keyCount: 3, rows: rows)
    }

    private static func epochs(_ replay: Replay) -> ReplayedTable {
        let rows = replay.epochs.sorted { $0.key < $1.key }.map { key, numbers -> [Int64?] in
            [key.device, Int64(key.epoch), numbers.openedBy, Int64(numbers.lowest), Int64(numbers.highest)]
        }
        return ReplayedTable(
            name: "epoch", columns: ["deviceKey", "epoch", "openedBy", "lowest", "highest"], keyCount: 2,
            rows: rows)
    }

    private static func gaps(_ replay: Replay) -> ReplayedTable {
        let rows = replay.epochs.sorted { $0.key < $1.key }.flatMap { key, numbers in
            numbers.gaps.map { gap -> [Int64?] in
                [key.device, Int64(key.epoch), Int64(gap.first), Int64(gap.last), gap.noticedBy]
            }
        }
        return ReplayedTable(
            name: "gap", columns: ["deviceKey", "epoch", "first", "last", "noticedBy"], keyCount: 3,
            rows: rows)
    }
}
