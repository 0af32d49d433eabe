package import CounterModel
package import CounterStore
import Glibc
import Linux

/// What is done with the log by commands.
package enum LogTasks {
    private static let page = 2_048

    /// Makes the log in a database, or brings its views up to date. Returns whether it was made.
    package static func initialise(_ target: LogTarget) throws -> Bool {
        try attempt(target) {
            let database = try PostgreSQL(url: target.url)
            let encoding = try database.query("SHOW server_encoding").first?[0] ?? ""
            guard encoding == "UTF8" else {
                throw ProgramError(
                    ofLog: "its encoding is \(encoding)",
                    remedy: "createdb --encoding=UTF8 --template=template0 NAME")
            }
            let isThere = try LogConnection.isMade(in: database)
            if !isThere { try database.run(script(PackageResources.schema_sql)) }
            _ = try LogConnection(target)
            try database.run(script(PackageResources.views_sql))
            return !isThere
        }
    }

    private static func script(_ bytes: [UInt8]) -> String {
        "BEGIN;\nSET LOCAL client_min_messages = warning;\n\(String(decoding: bytes, as: UTF8.self));\nCOMMIT;"
    }

    /// How a journal and the log differ.
    package struct Comparison {
        package var rows = 0
        /// Rows of the journal that the log does not have.
        package var missing = 0
        /// The first one in whose place the log has another.
        package var other: RowIdentity?
        package var others = 0
        package var rowsInLog = 0
        package var isSame: Bool { missing == 0 && others == 0 && rowsInLog == rows }
    }

    /// Compares each row of a journal with the log.
    package static func compare(_ journal: SQLiteJournal, with target: LogTarget) throws -> Comparison {
        try attempt(target) {
            let log = try LogConnection(target)
            var result = Comparison()
            try compare(journal, with: log) { rows, missing, other in
                result.rows += rows.count
                result.missing += missing.count
                result.others += other.count
                result.other = result.other ?? other.first
                return true
            }
            result.rowsInLog = try log.countRows()
            return result
        }
    }

    /// Compares some rows of a journal after the other, as long as `body` says so.
    private static func compare(
        _ journal: SQLiteJournal, with log: LogConnection,
        _ body: (_ rows: [JournalRow], _ missing: [RowIdentity], _ other: [RowIdentity]) throws -> Bool
    ) throws {
        var position = Position.start
        while case let rows = try journal.feed(after: position, limit: page).map(\.row), let last = rows.last
        {
            position = last.id
            let (missing, other) = try log.lacking(rows.map(\.textInLog))
            guard try body(rows, missing, other) else { return }
        }
    }

    /// Has the rows of a journal belong to a new id, from the first one on in whose place the log has another.
    /// Returns how many those are; 0 where there is none.
    package static func fork(_ journal: SQLiteJournal, from target: LogTarget) throws -> Int {
        try attempt(target) {
            let ids = try journal.ids()
            var first: RowIdentity?
            try compare(journal, with: LogConnection(target)) { rows, _, other in
                first = rows.compactMap(\.origin?.identity).first(where: Set(other).contains)
                    .flatMap { ids.areHere($0) ? $0 : nil }
                return first == nil
            }
            return try first.map { try journal.fork(at: $0.position, now: HubServer.now) } ?? 0
        }
    }

    /// Takes over all rows of the log that a journal does not have. Returns how many those were.
    package static func restore(
        _ journal: SQLiteJournal, from target: LogTarget, tell: @escaping (String) -> Void
    ) throws -> Int {
        try attempt(target) {
            let log = try LogConnection(target)
            var count = 0
            for hub in try log.hubs() {
                var number = Int64(0)
                while true {
                    let rows = try log.rows(of: hub.journal, after: number, limit: page)
                    guard let last = rows.last else { break }
                    number = last.number
                    count += try journal.takeOver(ofLog: rows.map(\.text), at: HubServer.now, tell).count
                }
            }
            if let new = journal.takeNewId() { tell(new.text) }
            return count
        }
    }

    /// Does something with a database, and says what went wrong.
    private static func attempt<Result>(_ target: LogTarget, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as ProgramError { throw error.ofDatabase(target) }
    }
}
