import SQL
import TestSupport
import Testing

@Suite struct ConnectionTests {
    let folder: ScratchFolder
    let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path(of: "data?base#%41 ü")
        try RawDatabase(path).execute(
            "PRAGMA journal_mode = WAL; CREATE TABLE row (number INTEGER UNIQUE) STRICT")
    }

    private func kind(_ body: () throws -> Void) -> SQLError.Kind? {
        do {
            try body()
            return nil
        } catch { return (error as? SQLError)?.kind }
    }

    @Test func aTransactionIsAllOrNothing() throws {
        struct ProgramError: Error {}
        let db = try Connection(path: path, busyTimeout: 20)
        #expect(throws: ProgramError.self) {
            try db.transaction(.writing) {
                try db.execute("INSERT INTO row VALUES (1)")
                throw ProgramError()
            }
        }
        try db.transaction(.writing) { try db.execute("INSERT INTO row VALUES (2)") }
        #expect(try RawDatabase(path).texts("SELECT number FROM row") == ["2"])
    }

    @Test func aWriterWaitsForAnotherAndThenSaysThatItIsBusy() throws {
        let db = try Connection(path: path, busyTimeout: 20)
        let other = try RawDatabase(path)
        try other.execute("BEGIN IMMEDIATE")
        #expect(kind { try db.transaction(.writing) {} } == .busy)
        try other.execute("ROLLBACK")
        #expect(kind { try db.transaction(.writing) {} } == nil)
    }

    @Test func anErrorHasTheExtendedCodeAndTheText() throws {
        let db = try Connection(path: path, busyTimeout: 20)
        try db.execute("INSERT INTO row VALUES (1)")
        let error = #expect(throws: SQLError.self) { try db.execute("INSERT INTO row VALUES (1)") }
        #expect(error?.code == 2067, "SQLITE_CONSTRAINT_UNIQUE")
        #expect(error?.message == "UNIQUE constraint failed: row.number")
    }

    @Test func aReaderWritesNothing() throws {
        let writer = try RawDatabase(path)
        try writer.execute("INSERT INTO row VALUES (1)")
        let db = try Connection(path: path, access: .readOnly, busyTimeout: 20)
        #expect(try db.statement("SELECT count(*) FROM row").integer() == 1)
        #expect(kind { try db.execute("DELETE FROM row") } == .notPermitted)
    }

    @Test func anImmutableFileIsReadWithoutItsLog() throws {
        let writer = try RawDatabase(path)
        try writer.execute("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO row VALUES (1)")
        let db = try Connection(path: path, access: .immutable, busyTimeout: 20)
        #expect(try db.statement("SELECT count(*) FROM row").integer() == 0)
    }

    @Test func noFileIsMade() {
        #expect(kind { _ = try Connection(path: folder.path(of: "none"), busyTimeout: 20) } == .cannotOpen)
    }
}
