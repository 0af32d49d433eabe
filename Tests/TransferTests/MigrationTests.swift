import CounterModel
import Foundation
import Linux
import TestSupport
import Testing

@testable import CounterStore
@testable import Transfer

extension ScratchFolder {
    /// Makes a journal of an old schema from its dump, and returns its path.
    func makeJournal(version: Int, _ sql: String) throws -> String {
        try write("journal.sqlite", "")
        let outside = try RawDatabase(path(of: "journal.sqlite"))
        try outside.execute(sql)
        try outside.execute(
            "PRAGMA application_id = \(Schema.applicationId); PRAGMA user_version = \(version)")
        outside.close()
        return path(of: "journal.sqlite")
    }
}

/// A journal that version 0.2.0 has written, of schema 9: Version9/journal.sql is its dump, and beside it is what it exported. It has
/// rows of every kind, lines of a file, rows of another journal, a device that started anew, timers, and a location with entries by
/// hand from before schema 4, which were corrections.
@Suite struct MigrationTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let files = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Version9")

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: files.appending(path: name), encoding: .utf8)
    }

    /// Makes the old journal, and returns its path.
    private func make(version: Int = 9) throws -> String {
        try folder.makeJournal(version: version, try Self.text("journal.sql"))
    }

    private func open(role: UserRole = .admin) throws -> SQLiteJournal {
        try SQLiteJournal(directory: folder.path, timezone: "UTC", role: role)
    }

    @Test func `What it exports is the same but for the order, which the rows say now`() throws {
        _ = try make()
        let journal = try open()
        #expect(try journal.verify() == [])
        let new = #/,"orderedAt":"[^"]*"|,"levelBefore":-?\d+|,"(count|level)":-?\d+(?=[,}])/#
        let old = try Self.text("export.jsonl").replacing(#/,"lateAfter":\d+/#, with: "").split(
            separator: "\n"
        )
        .map(String.init)
        let oldRows = old.filter { $0.contains("\"position\":") }.map { $0.replacing(new, with: "") }
        let lines = try journal.exported().map { $0.replacing(new, with: "") }
        #expect(Array(lines.prefix(oldRows.count)) == oldRows)
        // What was beside the rows.
        let time = #/"(timestamp|receivedAt)":"[^"]*",|"journal":"[^"]*",|"position":\d+/#
        #expect(
            lines.dropFirst(oldRows.count).map { $0.replacing(time, with: "") } == [
                #"{"type":"location","locationId":"default","name":"default","timezone":"Europe/Zurich",}"#,
                #"{"type":"location","locationId":"hall","name":"Große Halle","timezone":"Europe/Zurich",}"#,
                #"{"type":"location","locationId":"gate","name":"Gate","timezone":"Europe/Zurich",}"#,
                #"{"type":"device","deviceId":"door-ü","setting":"name","text":"Tür",}"#,
                #"{"type":"device","deviceId":"ahead","setting":"isActive","text":"false",}"#,
                #"{"type":"device","deviceId":"other","setting":"isForgotten",}"#,
            ])
        let format = ExportFormat(.csv, of: try journal.ids())
        var rows = [try #require(format.header)]
        try journal.forEachRow { rows.append(format.line($0)) }
        #expect(
            rows.sorted() == (try Self.text("export.csv")).split(separator: "\n").map(String.init).sorted())
    }

    @Test func `Its tables are those of a new journal`() throws {
        let old = try RawDatabase(try make())
        _ = try open()
        let new = try RawDatabase(
            SQLiteJournal(directory: folder.path(of: "new"), timezone: "UTC").path)
        let names = "SELECT type || ' ' || name FROM sqlite_master ORDER BY 1"
        #expect(try old.texts(names) == new.texts(names))
        for table in try new.texts("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')") {
            let columns = "SELECT * FROM pragma_table_xinfo('\(table)')"
            #expect(try old.rows(columns) == new.rows(columns), "\(table)")
        }
        for sql in try new.texts("SELECT sql FROM sqlite_master WHERE type IN ('view', 'index', 'trigger')") {
            let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let known = try old.texts("SELECT sql FROM sqlite_master")
                .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            #expect(known.contains(words), "\(sql)")
        }
        for words in ["kind", "source", "setting"] {
            #expect(try old.rows("SELECT * FROM \(words)") == new.rows("SELECT * FROM \(words)"))
        }
        #expect(try old.number("PRAGMA user_version") == Schema.version)
    }

    @Test func `What was counted by hand before version 4 is a correction, and a day keeps its last level`()
        throws
    {
        let path = try make()
        let journal = try open()
        let location = try #require(try journal.location(named: "hall"))
        let corrections = try journal.history(of: location.id, .all).compactMap { row -> String? in
            if case .correction(let correction) = row.row.content { correction.words() } else { nil }
        }
        #expect(corrections == ["+1", "+1", "+1", "-1", "6 → 9"])
        #expect(try journal.endedDays(of: location.id).map(\.snapshot.finalLevel) == [10])
        let database = try RawDatabase(path)
        #expect(try database.number("SELECT count(*) FROM snapshot WHERE finalLevel IS NULL") == 0)
        // Taken back, such a row leaves its minute as any other does.
        let before = try #require(try journal.state(of: location.id)).level
        let first = Request(
            locationId: location.id, userId: "ada", timestamp: Timestamp(seconds: 1_795_500_000),
            .void(Position(9)))
        #expect(try journal.append([first], receivedAt: first.row.timestamp).map(\.level) == [before])
        #expect(try journal.verify() == [])
        #expect(throws: SupportError.self) { try database.execute("UPDATE journal SET text = 'x'") }
        #expect(throws: SupportError.self) { try database.execute("DELETE FROM snapshot") }
    }

    @Test func `A viewer migrates nothing`() throws {
        let path = try make()
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(throws: JournalError(path: path, reason: .viewerOnly)) { try open(role: .viewer) }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `A journal of an older schema is left as it is`() throws {
        let path = try make(version: 8)
        let before = try Data(contentsOf: URL(filePath: path))
        let error = JournalError(path: path, reason: .olderSchema(found: 8, known: 9))
        #expect(throws: error) { try open() }
        #expect(throws: error) { try open(role: .viewer) }
        #expect(error.reason.remedy?.contains("counter 0.2.0") == true && error.reason.status == 65)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
}
