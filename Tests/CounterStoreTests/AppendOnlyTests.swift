import CounterModel
import Testing

@testable import CounterStore

@Suite final class AppendOnlyTests: NewJournal {
    @Test(arguments: [
        "UPDATE journal SET delta = -delta",
        "UPDATE journal SET timestamp = 0 WHERE position = 1",
        "DELETE FROM journal",
        "DELETE FROM journal WHERE position = 2",
        "INSERT OR REPLACE INTO journal SELECT * FROM journal WHERE position = 1",
        """
        INSERT INTO journal (kind, position, locationKey, timestamp, receivedAt, orderedAt, deviceKey, delta, source,
            continuesHold)
        VALUES (1, 2, 1, 0, 0, 0, 1, 1, 1, 0)
        """,
    ])
    func triggersRefuse(sql: String) throws {
        try journal.ask(Ask.count(), Ask.count(), Ask.void(1))
        let error = #expect(throws: JournalError.self) { try journal.run(sql: sql) }
        #expect(error?.description.contains("the journal is append-only") == true)
        #expect(try journal.level() == 1)
        #expect(try journal.verify() == [])
    }

    /// On a connection without this program's settings, SQLite deletes a replaced row without running its trigger.
    @Test(arguments: [1, 2, 3])
    func nobodyReplacesARow(position: Int) throws {
        try journal.ask(Ask.count(), Ask.count(), Ask.count())
        #expect(throws: JournalError.self) {
            try journal.run(
                sql: """
                    PRAGMA recursive_triggers = OFF;
                    INSERT OR REPLACE INTO journal SELECT * FROM journal WHERE position = \(position)
                    """)
        }
    }

    @Test(arguments: [
        // A delta other than ±1, and none.
        "(1, 9, 1, 0, 0, 0, NULL, 1, 2, 1, 0, NULL, NULL)",
        "(1, 9, 1, 0, 0, 0, NULL, 1, NULL, 1, 0, NULL, NULL)",
        // A missing device, an unknown location, an unknown kind.
        "(1, 9, 1, 0, 0, 0, NULL, NULL, 1, 1, 0, NULL, NULL)",
        "(1, 9, 7, 0, 0, 0, NULL, 1, 1, 1, 0, NULL, NULL)",
        "(4, 9, 1, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
        // A void of a missing row, of itself; a reset without a value.
        "(2, 9, 1, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 8, NULL)",
        "(2, 9, 1, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 9, NULL)",
        "(3, 9, 1, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
        // No place in the order, and lateness other than 1.
        "(1, 9, 1, 0, 0, NULL, NULL, 1, 1, 1, 0, NULL, NULL)",
        "(1, 9, 1, 0, 0, 0, 0, 1, 1, 1, 0, NULL, NULL)",
    ])
    func theSchemaRefusesWhatNoRowIs(values: String) throws {
        try journal.ask(Ask.count(), Ask.void(1))
        let insertion = """
            INSERT INTO journal (kind, position, locationKey, timestamp, receivedAt, orderedAt, isLate, deviceKey,
                delta, source, continuesHold, target, value) VALUES
            """
        #expect(throws: JournalError.self) { try journal.run(sql: "\(insertion) \(values)") }
        try journal.run(sql: "\(insertion) (1, 9, 1, 0, 0, 0, 1, 1, 1, 1, 0, NULL, NULL)")
    }
}
