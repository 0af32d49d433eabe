import CounterModel
import Testing

@testable import CounterStore

@Suite final class VerifyTests: NewJournal {
    /// Appends rows for every projection.
    private func fill() throws {
        try journal.ask(
            Ask.count(at: 5, number: 1), Ask.count(at: 6, number: 1), Ask.reset(10, at: 9), Ask.count(at: 10),
            Ask.count(at: 7, number: 2))
    }

    @Test(arguments: [
        "UPDATE counterState SET level = level + 1", "UPDATE counterState SET lastUpdated = 1",
        "UPDATE counterState SET lastEventAt = NULL", "UPDATE counterState SET position = 1",
        "DELETE FROM counterState", "UPDATE segment SET sum = 7 WHERE reset = 0",
        "UPDATE segment SET start = 11 WHERE reset > 0", "DELETE FROM segment WHERE reset > 0",
        "INSERT INTO segment VALUES (1, 2, 2, 0, 0)", "INSERT INTO copy VALUES (2, 1)",
        "UPDATE epoch SET openedBy = 1", "DELETE FROM epoch", "INSERT INTO epoch VALUES (1, 2, 4, 1, 1, 4)",
        "UPDATE epoch SET highest = 99", "UPDATE segment SET begin = 4 WHERE reset > 0",
        "UPDATE counterState SET latest = 9", "UPDATE counterState SET firstEventAt = 9",
        "UPDATE counterState SET eventOrder = 7", "UPDATE counterState SET updateOrder = 7",
        "UPDATE epoch SET last = 1", "UPDATE rollup SET high = high + 1",
        "UPDATE rollup SET moment = 1",
        "DELETE FROM rollup", "INSERT INTO rollup VALUES (1, 0, 9, 1, 0, 0, 0, 0, 1, 0, 540000001, 0)",
        "INSERT INTO gap VALUES (1, 0, 5, 6, 4)",
    ])
    func findsWhatDiffersAndRebuildMendsIt(sql: String) throws {
        try fill()
        #expect(try journal.verify() == [])
        try journal.run(sql: sql)
        #expect(try !journal.verify().isEmpty)
        try journal.rebuild()
        #expect(try journal.verify() == [])
        #expect(try journal.level() == 11)
    }

    @Test func saysWhatDiffersInWords() throws {
        try journal.ask(Ask.count(at: 5))
        try journal.run(sql: "UPDATE counterState SET level = 3")
        let rest =
            ", lastUpdated 5, updateOrder 5, lastEventAt 5, eventOrder 5, latest 5, position 1, firstEventAt 5"
        #expect(
            try journal.verify() == [
                .differs(
                    table: "counterState", row: "locationKey 1",
                    stored: "locationKey 1, level 3\(rest)", replayed: "locationKey 1, level 1\(rest)")
            ])
    }

    @Test(arguments: Schema.triggerNames)
    func missesATrigger(name: String) throws {
        try fill()
        try journal.run(sql: "DROP TRIGGER \(name)")
        #expect(try journal.verify() == [.missingTrigger(name)])
    }

    @Test func findsARowThatRefersToNothing() throws {
        try fill()
        try journal.run(sql: "PRAGMA foreign_keys = OFF; DELETE FROM device; PRAGMA foreign_keys = ON")
        #expect(try journal.verify().contains(.damaged("journal refers to a device that is not there")))
    }

    @Test func contradictionsAreReportedNotTrappedOn() throws {
        try fill()
        try journal.run(sql: "UPDATE segment SET start = \(Int.max), sum = 1")
        #expect(try journal.ask(Ask.count()) == [.refused(.overflow)])
        #expect(try journal.verify().count == 3)
        try journal.rebuild()
        #expect(try journal.ask(Ask.count()).first?.isAccepted == true)
    }
}
