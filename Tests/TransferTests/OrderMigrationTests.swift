import CounterModel
import Foundation
import Linux
import TestSupport
import Testing

@testable import CounterStore

/// A journal of schema 10 or 11, whose rows had no `orderedAt`: Version10/journal.sql is its dump. It has rows of another journal and of a file, late
/// ones among them, resets and ends of days before which a clock was set back, numbers of devices, timers and voids. What it showed
/// then is in Version10/figures.txt, written by the program that had written the journal. Version10/journal13.sql is the same journal
/// after the first program with rows of locations, of schema 13, has opened it.
@Suite struct OrderMigrationTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static func text(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Version10")
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test(arguments: [10, 11, 13])
    func `Rows get the order that they had, and no figure moves`(version: Int) throws {
        try expectKnownFigures(of: try migrated(from: version))
    }

    @Test func `What stood beside the rows of version 12 becomes rows, and no figure moves`() throws {
        _ = try migrated(from: 11)
        let outside = try RawDatabase(folder.path(of: "journal.sqlite"))
        try outside.makeVersion12()
        try outside.execute(
            """
            UPDATE location SET timezone = 'Europe/Zurich' WHERE id = 'default';
            UPDATE location SET name = 'Hall' WHERE id = 'hall';
            UPDATE device SET name = 'Gate A', locationKey = 2 WHERE id = 'gate-a';
            UPDATE device SET isActive = 0 WHERE id = 'gate-b';
            UPDATE device SET isForgotten = 1, lastSeenAt = NULL WHERE id = 'gate-a-numbered';
            """)
        let late = try outside.number("SELECT count(*) FROM journal WHERE isLate = 1")
        #expect(try late > 0 && outside.number("SELECT count(*) FROM copy") == 0)
        outside.close()
        let journal = try SQLiteJournal(directory: folder.path, timezone: "UTC")
        try expectKnownFigures(of: journal)
        #expect(
            try journal.locations().map { "\($0.id) \($0.name) \($0.timezone)" } == [
                "default default Europe/Zurich", "hall Hall UTC",
            ])
        let devices = try journal.devices()
        #expect(
            devices.map { "\($0.id) \($0.name) \($0.locationId ?? "-") \($0.isActive)" } == [
                "terminal terminal - true", "gate-b gate-b - false", "gate-b-numbered gate-b-numbered - true",
                "gate-a Gate A hall true", "import import - true",
            ])
        #expect(devices.first { $0.id == "gate-b" }?.lastSeenAt != nil)
    }

    private func migrated(from version: Int) throws -> SQLiteJournal {
        var sql = try Self.text(version == 13 ? "journal13.sql" : "journal.sql")
        if version == 11 {
            sql += """

                ALTER TABLE journal ADD COLUMN redoes INTEGER REFERENCES journal CHECK (redoes < position);
                CREATE INDEX journalRedo ON journal (redoes) WHERE redoes IS NOT NULL;
                ALTER TABLE counterState ADD COLUMN firstEventAt INTEGER;
                """
        }
        _ = try folder.makeJournal(version: version, sql)
        return try SQLiteJournal(directory: folder.path, timezone: "UTC")
    }

    private func expectKnownFigures(of journal: SQLiteJournal) throws {
        #expect(try journal.verify() == [])
        let found = try figures(of: journal).split(separator: "\n")
        let known = try Self.text("figures.txt").split(separator: "\n")
        #expect(found.count == known.count)
        for (found, known) in zip(found, known) { #expect(found == known) }
    }

    /// All that the journal shows of its rows, as text.
    private func figures(of journal: SQLiteJournal) throws -> String {
        var lines: [String] = []
        let now = Timestamp(seconds: 1_797_000_000)
        for location in try journal.locations() {
            let state = try #require(try journal.state(of: location.id))
            lines.append(
                "\(location.id) \(state.level) of \(location.maxCapacity ?? 0), \(location.endsDaysAutomatically)"
            )
            let rows = try journal.history(of: location.id, .all)
            for row in rows {
                lines.append("#\(row.id.number) \(row.countedAt.iso8601) \(row.isVoid) \(row.row.content)")
            }
            for day in try journal.endedDays(of: location.id) { lines.append("\(day.id) \(day.snapshot)") }
            guard let first = rows.first?.countedAt, let last = rows.last?.countedAt else { continue }
            let hours = location.calendar(for: first...last)
                .hourStarts(in: first.startOfMinute..<Timestamp(microseconds: last.microseconds + 1))
            let kpis = try journal.kpis(of: location, hours: hours, end: last, now: last, silence: .max)
            lines.append("\(kpis.totalIn) \(kpis.totalOut) +\(kpis.correctedUp) -\(kpis.correctedDown)")
            lines.append("\(kpis.openingLevel) \(kpis.closingLevel) \(kpis.highestLevel)")
            lines.append("\(kpis.averageOccupancy ?? -1)")
            lines += kpis.hours.filter { $0.totalIn + $0.totalOut > 0 }.map { "\($0)" }
            // Numbers are gone through in the order now: a late one is no longer missing first.
            lines += kpis.anomalies.filter {
                switch $0 {
                case .sequenceGap, .restart: false
                default: true
                }
            }.map { "\($0)" }
        }
        var board = TimerBoard()
        try journal.update(&board)
        for timer in board.all {
            lines.append("\(timer.number) \(timer.state(at: now)) \(try journal.result(of: timer, at: now))")
        }
        return lines.joined(separator: "\n").replacing(", endedDay: nil", with: "") + "\n"
    }
}
