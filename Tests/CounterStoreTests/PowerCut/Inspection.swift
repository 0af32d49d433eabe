import Glibc
import TestSupport
import Testing

@testable import CounterStore

/// Opens what a power cut has left, as the program does.
struct Inspection {
    /// The content of an intact journal.
    struct Contents: Equatable {
        /// The number of rows: the first ones that were appended.
        var rows: Int
        var level: Int
        /// How many of them were read from files.
        var imported: Int
    }

    enum Found: Equatable {
        case whole(Contents)
        case damaged(String)
    }

    private let scratch: ScratchFolder
    private let journal = RecordedSession.journal
    /// The journal as it was at the end.
    private let complete: String

    init(of session: RecordedSession) throws {
        scratch = try ScratchFolder()
        complete = scratch.path(of: "complete.sqlite")
        let last = try SQLiteJournal(directory: session.folder + journal, timezone: "UTC", creating: false)
        try last.run(sql: "VACUUM INTO '\(complete)'")
    }

    /// Writes what is left into files, and opens the journal in them.
    func inspect(_ remains: [Disk.Remnant]) throws -> Found {
        let folder = try ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        for remnant in remains {
            let path = folder.path + remnant.path
            switch remnant.item {
            case .directory: try #require(mkdir(path, 0o700) == 0)
            case .file(let bytes): try write(bytes, to: path)
            }
        }
        do {
            return try look(into: SQLiteJournal(directory: folder.path + journal, timezone: "UTC"))
        } catch {
            return .damaged("\(error)")
        }
    }

    private func look(into journal: SQLiteJournal) throws -> Found {
        let findings = try journal.verify()
        guard findings.isEmpty else { return .damaged("\(findings)") }
        let level = try journal.level()
        let outside = try RawDatabase(journal.path)
        try outside.execute("ATTACH '\(complete)' AS complete")
        let rows = try outside.rows(
            """
            SELECT count(*), ifnull(max(position), 0), count(fileKey),
                (SELECT count(*) FROM (SELECT * FROM journal EXCEPT SELECT * FROM complete.journal))
            FROM main.journal
            """)
        let numbers = try #require(rows.first).map { $0.flatMap { Int($0) } ?? 0 }
        guard numbers[0] == numbers[1], numbers[3] == 0 else {
            return .damaged("\(numbers[0]) rows up to \(numbers[1]), \(numbers[3]) of them strange")
        }
        return .whole(Contents(rows: numbers[0], level: level, imported: numbers[2]))
    }
}
