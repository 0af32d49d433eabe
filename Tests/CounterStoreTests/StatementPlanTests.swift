import CSQLite
import CounterModel
import Linux
import TestSupport
import Testing

@testable import CounterStore
@testable import SQL

/// What the statements of the store cost, by SQLite's plans and by the steps of its virtual machine.
@Suite final class StatementPlanTests: NewJournal {
    private func time(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds) }

    // MARK: Plans

    /// The scans that are meant, by what stands in the statement, and why.
    private static let meant: [(scan: String, statement: String, why: String)] = [
        ("location", "location", "locations are few"),
        ("journal", "isLate IS NULL AND", "a replay, and an export of all, reads everything"),
        ("journal", "isLate = 1 AND", "a replay, and an export of all, reads everything"),
        ("journal", "isLate IS NULL ORDER BY", "the way back ends with the last row that is not late"),
        ("copy", "", "copies are few"), ("clock", "", "clocks are seldom wrong"),
        ("journal USING INDEX journalMoved", "", "clocks are seldom wrong"),
        ("snapshot", "ORDER BY position DESC", "a location has one a day"),
        ("snapshot", "CROSS JOIN journalRow", "a location has one a day"),
        ("epoch", "WHERE epoch.epoch > 0", "a device has one, and another when it has started again"),
        ("gap", "noticedBy", "numbers that are missing are few"),
        ("(subquery", "", "no table"),
        ("journal", "WHERE target IS NOT NULL ORDER BY target", "a replay reads everything"),
        (
            "journal", "voidedBy IS NULL)\n",
            "the way back from a press to the one before it ends with the first row"
        ),
        ("segment", "SELECT * FROM segment", "verify reads everything"),
        ("counterState", "", "one row for each location"),
        ("rollup", "SELECT * FROM rollup", "verify reads everything"),
        ("epoch", "SELECT * FROM epoch", "verify reads everything"),
        ("gap", "SELECT * FROM gap", "verify reads everything"),
        ("device", "FROM knownDevice", "a list of all devices"),
        ("journal USING INDEX journalDevice", "", "what users have set of devices"),
        ("presence", "SELECT DISTINCT process", "the index has only what is open"),
        ("journal", "LIKE '%clock=%'", "the rows of timers since the last one of this version"),
        ("identity", "", "one row, and one more for each machine"), ("setting", "", "a few words"),
        ("kind", "", "a few words"),
        ("sqlite_master", "", "the schema"), ("json_each", "", "the values of one call"),
        ("CONSTANT ROW", "", "no table"), ("opened", "", "the segments of a page"),
    ]

    @Test func noStatementReadsAWholeTableThatGrows() throws {
        try useEverything()
        let statements = try journal.access { Array($0.statements.keys) }
        let database = try RawDatabase(journal.path)
        #expect(statements.count > 75, "\(statements.count)")
        for sql in statements where !sql.hasPrefix("PRAGMA") {
            let plan = try database.rows("EXPLAIN QUERY PLAN " + sql).compactMap { $0.last ?? nil }
            for scan in plan where scan.hasPrefix("SCAN ") {
                let isMeant = Self.meant.contains {
                    scan.hasPrefix("SCAN " + $0.scan) && ($0.statement.isEmpty || sql.contains($0.statement))
                }
                #expect(isMeant, "\(scan) in: \(sql)")
            }
        }
    }

    private func useEverything() throws {
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        var days = RandomDays(seed: 7)
        for _ in 0..<80 { try days.step(journal) }
        let now = try journal.read { try HistoryReader(db: $0).present(of: "default", now: time(0)) }
        for location in try journal.locations() {
            let range = days.range()
            _ = try journal.kpis(
                of: location, hours: range.hours, end: range.end, now: range.now, silence: 60_000_000)
            _ = try journal.endedDays(of: location.id)
            _ = try journal.state(of: location.id)
            for isBackward in [false, true] {
                let page = HistoryPage(
                    range: range.hours[0]..<max(range.hours[0], range.end), isBackward: isBackward, limit: 9)
                _ = try journal.history(of: location.id, page)
            }
            try journal.append(Ask.undo(location.id), at: now)
            _ = try journal.append(
                (1...3).map {
                    Ask.count(at: now.microseconds, location.id, device: "keys", continues: $0 > 1)
                },
                receivedAt: now)
            try journal.append(Ask.undo(location.id), at: now)
        }
        _ = try journal.endDueDays(now: now)
        var changes = StateChanges(journal, after: Position(40))
        _ = try changes.next()
        _ = try journal.feed(after: .start, limit: 9)
        try journal.forEachRow { _ in }
        try useDevices()
        try importOneOfEach()
        #expect(try journal.verify() == [])
        try journal.rebuild()
    }

    private func useDevices() throws {
        try journal.note(
            came: [("a", "a", "door"), ("b", "b", "door")], went: [], at: time(1), keysReadBy: "me")
        try journal.note(came: [], went: ["a"], at: time(2))
        try journal.know(device: "a")
        _ = try (journal.rename(device: "a", to: "A"), journal.assign(device: "a", to: "door"))
        _ = try (journal.setActive(false, device: "a"), journal.forget(device: "a", at: time(3)))
        _ = try (journal.devices(), journal.devices(of: "door"), journal.devicesWithSettings())
        _ = try journal.readings(of: "door", after: .start, since: time(1))
    }

    private func importOneOfEach() throws {
        let line = ImportLine(fileHash: "file", number: 1)
        _ = try journal.import(
            [
                .former(.location(Location(id: "gate", name: "gate", timezone: "UTC"))),
                .former(.location(Location(id: "gate", name: "Gate", timezone: "UTC"))),
                .former(
                    .device(Device(id: "c", name: "C", locationId: "gate", lastSeenAt: nil, isActive: true))),
                .former(.forgottenDevice("d")),
                .former(
                    .connection(
                        PastConnection(deviceId: "c", locationId: "gate", from: time(1), to: time(2)))),
                .row(Ask.count(at: 5, "gate", source: .import, line: line).row),
                .row(Ask.reset(3, at: 6, "gate", line: ImportLine(fileHash: "file", number: 2)).row),
                .row(
                    Ask.correction(.by(3), at: 7, "gate", line: ImportLine(fileHash: "file", number: 3)).row),
                .row(automaticEnd()),
            ], receivedAt: time(10_000))
    }

    /// The end of a day of another journal.
    private func automaticEnd() -> JournalRow {
        let snapshot = DaySnapshot(
            from: time(1), to: time(20), finalLevel: 0, totalIn: 0, totalOut: 0, peakHour: nil,
            highestLevel: 0, averageOccupancy: nil, isAutomatic: true)
        let identity = RowIdentity(journalId: "other", position: Position(1))
        return JournalRow(
            origin: .journal(identity), locationId: "gate", timestamp: time(20), receivedAt: time(20),
            .endOfDay(snapshot))
    }

    // MARK: Work

    /// The steps of the virtual machine that all statements have run in `body`.
    private func steps(of journal: SQLiteJournal, _ body: () throws -> Void) throws -> Int {
        func take() throws -> Int {
            try journal.access { db in
                db.statements.values.reduce(0) {
                    $0 + Int(sqlite3_stmt_status($1.handle, SQLITE_STMTSTATUS_VM_STEP, 1))
                }
            }
        }
        _ = try take()
        try body()
        return try take()
    }

    @Test func theEndOfManyConnectionsCostsTheSameForEach() throws {
        func steps(_ count: Int) throws -> Int {
            let journal = try SQLiteJournal(in: directory, "\(count)")
            let ids: [Identifier] = (0..<count).map { "door-\($0)" }
            try journal.note(came: ids.map { ($0, $0.text, "default") }, went: [], at: time(1))
            return try self.steps(of: journal) { try journal.note(came: [], went: ids, at: time(2)) }
        }
        let (few, many) = (try steps(200), try steps(800))
        #expect(many < few * 5, "\(few), \(many)")
    }

    @Test func theEndOfAConnectionCostsTheSameAfterManyOthers() throws {
        func connect(_ times: Int) throws -> Int {
            var steps = 0
            for _ in 0..<times {
                try journal.note(came: [("door", "door", "default")], went: [], at: time(1))
                steps = try self.steps(of: journal) {
                    try journal.note(came: [], went: ["door"], at: time(2))
                }
            }
            return steps
        }
        let (first, last) = (try connect(2), try connect(150))
        #expect(last < first * 2, "\(first), \(last)")
    }

    @Test func undosOfEverOtherDevicesAddNoStatements() throws {
        func undo(_ devices: Range<Int>) throws -> Int {
            for number in devices {
                let ids = Set<Identifier>((0...number).map { "keys-\($0)" })
                try journal.ask(Ask.count(device: "keys-\(number)"))
                let undo = Ask.undo(UndoScope(userId: Ask.me, deviceIds: ids))
                guard case .undone = try journal.ask(undo).first else {
                    Issue.record("nothing undone")
                    return 0
                }
            }
            return try journal.access { $0.statements.count }
        }
        #expect(try undo(0..<5) == undo(5..<60))
        #expect(try journal.verify() == [])
    }

    @Test func anUndoDoesNotWalkThroughWhatCameSinceTheStart() throws {
        func steps(_ presses: Int) throws -> Int {
            _ = try journal.append(
                (0..<presses).map { _ in Ask.count(device: "stranger") }, receivedAt: time(10_000_000))
            let scope = UndoScope(userId: Ask.me, deviceIds: ["keys"], since: Position(1))
            return try self.steps(of: journal) {
                try journal.ask(Ask.undo(scope), Ask.count(device: "keys"))
            }
        }
        try journal.ask(Ask.count(device: "keys"))
        let (few, many) = (try steps(10), try steps(2_000))
        #expect(many < few * 2, "\(few), \(many)")
    }
}
