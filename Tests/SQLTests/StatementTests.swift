import SQL
import TestSupport
import Testing

@Suite struct StatementTests {
    let folder: ScratchFolder
    let db: Connection

    init() throws {
        folder = try ScratchFolder()
        let path = folder.path(of: "database")
        try RawDatabase(path).execute(
            "CREATE TABLE row (key INTEGER PRIMARY KEY, number INTEGER, real REAL, text TEXT) STRICT")
        db = try Connection(path: path, busyTimeout: 20)
    }

    private func insert(_ number: Int?, _ text: String?, real: Double? = nil) throws {
        try db.statement("INSERT INTO row (number, real, text) VALUES (:number, :real, :text)")
            .bind("number", number).bind("real", real).bind("text", text).run()
    }

    @Test(
        arguments: [(0, ""), (.max, "naïve 😀"), (.min, String(repeating: "long ", count: 100)), (nil, nil)]
            as [(Int?, String?)])
    func whatIsBoundIsRead(number: Int?, text: String?) throws {
        try insert(number, text, real: 0.5)
        #expect(db.changes == 1)
        let found = try db.statement("SELECT number, real, text FROM row WHERE key = :key")
            .bind("key", db.lastInsertedKey)
            .first { row in (row["number"] as Int?, row["text"] as String?, row["real"] as Double?) }
        #expect(found?.0 == number)
        #expect(found?.1 == text)
        #expect(found?.2 == 0.5)
    }

    @Test func namesAreFoundInAnyOrderAndMoreThanOnce() throws {
        try insert(7, "seven")
        let statement = try db.statement("SELECT :a - :b AS difference, :a AS a, :c AS c")
        for _ in 0..<2 {
            try statement.bind("c", 3 as Int).bind("a", 10 as Int).bind("b", 4 as Int)
            let found = try statement.first { row -> [Int] in
                [try row["c"], try row["difference"], try row["a"], try row["c"]]
            }
            #expect(found == [3, 6, 10, 3])
        }
    }

    @Test func aParameterIsNullAfterATextWasBound() throws {
        try insert(1, "one")
        let statement = try db.statement("SELECT number FROM row WHERE text = :text")
        for _ in 0..<2 { #expect(try statement.bind("text", "one").integer() == 1) }
        #expect(try statement.bind("text", nil as String?).integer() == nil)
    }

    @Test func nullWhereAValueMustBeIsAnError() throws {
        try insert(nil, nil)
        let statement = try db.statement("SELECT number, text FROM row")
        #expect(throws: SQLError.self) { try statement.first { row in try row["number"] as Int } }
        #expect(throws: SQLError.self) { try statement.first { row in try row["text"] as String } }
        #expect(try statement.first { row in row["number"] as Int? } == .some(nil))
    }

    @Test func theSameTextIsPreparedOnceUnlessItRuns() throws {
        try insert(1, nil)
        try insert(2, nil)
        let sql = "SELECT key FROM row ORDER BY key"
        #expect(try db.statement(sql) === db.statement(sql))
        var pairs = 0
        try db.statement(sql).forEach { _ in try db.statement(sql).forEach { _ in pairs += 1 } }
        #expect(pairs == 4)
    }

    @Test func aBodyThatFailsLeavesTheStatementReady() throws {
        struct ProgramError: Error {}
        try insert(1, nil)
        let statement = try db.statement("SELECT number FROM row")
        #expect(throws: ProgramError.self) { try statement.forEach { _ in throw ProgramError() } }
        #expect(try statement.integers() == [1])
    }

    @Test func aStatementOutlivesAChangeOfTheSchema() throws {
        try insert(5, nil)
        let statement = try db.statement("SELECT number FROM row WHERE key = :key")
        #expect(try statement.bind("key", 1 as Int).integer() == 5)
        try db.execute("ALTER TABLE row ADD COLUMN more TEXT")
        let found = try statement.bind("key", 1 as Int).first { row in try row["number"] as Int }
        #expect(found == 5)
    }
}
