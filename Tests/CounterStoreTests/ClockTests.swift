import CounterModel
import Linux
import Testing

@testable import CounterStore

/// The clock of a machine is set while it counts. Times are seconds after noon, which it is by the right clock all along.
@Suite struct ClockTests {
    private let directory = TemporaryDirectory()
    private let machine = Machine()
    private let journal: SQLiteJournal

    /// A machine that tells what its clock says at a time of day.
    private final class Machine {
        /// By how many seconds its clock is ahead.
        var ahead = 0
        var boot = 1
        var isSynchronised = false

        func attach(to journal: SQLiteJournal) {
            journal.clock = {
                ClockReference(bootId: "boot \(self.boot)", offset: Int64(self.ahead) * 1_000_000)
            }
            journal.isSynchronised = { self.isSynchronised }
        }

        func time(_ second: Int) -> Timestamp { noon + .seconds(second + ahead) }
    }

    private static let noon = Timestamp(seconds: 1_792_404_000)

    init() throws {
        journal = try SQLiteJournal(directory: directory.path + "/data", timezone: "UTC")
        machine.attach(to: journal)
        // Before it was started the clock was right.
        machine.isSynchronised = true
        try count(at: -86_400)
        (machine.boot, machine.isSynchronised) = (2, false)
    }

    private func count(_ number: Int = 1, at second: Int, device: Identifier = "key", ago: Int = 0) throws {
        let time = machine.time(second)
        let entry = Entry(.in, deviceId: device, source: .hardware)
        let order: Request.Order = ago == 0 ? .now : .ownTime
        _ = try journal.append(
            (0..<number).map { _ in
                Request(
                    locationId: "default", timestamp: time - .seconds(ago), .entry(entry), order: order)
            }, receivedAt: time)
    }

    /// When the counts of the history count, in seconds after noon.
    private func times() throws -> [Int] {
        try journal.history().compactMap { row in
            guard case .entry = row.row.content else { return nil }
            return Int(row.countedAt.seconds - Self.noon.seconds)
        }
    }

    private func mends() throws -> [ClockMend] {
        try journal.feed(after: .start, limit: .max).compactMap { row in
            if case .clock(let mend) = row.row.content { mend } else { nil }
        }
    }

    private func mend(_ first: Int64, _ last: Int64, by seconds: Int) throws -> ClockMend {
        ClockMend(
            journalId: try journal.id(), rows: Position(first)...Position(last), .by(.seconds(seconds)))
    }

    @Test func `What was counted before a clock that was ahead is mended orders nothing by that clock`()
        throws
    {
        machine.ahead = 864_000
        try count(at: 10)
        machine.ahead = 0
        try count(at: 20)
        try journal.rename(to: "door", at: machine.time(21))
        try journal.settleClock(byMoving: true, now: machine.time(30))
        let reset = Request(locationId: "default", timestamp: machine.time(40), .reset(Reset(to: 0)))
        try journal.append(reset, at: machine.time(40))
        try count(at: 50, device: "gate", ago: 5)
        #expect(try journal.state(of: "default")?.level == 1)
        #expect(try times() == [-86_400, 10, 20, 45])
        #expect(try journal.verify().isEmpty)
    }

    @Test(arguments: [-7_200, 7_200, -20 * 365 * 86_400])
    func `What was counted since the start moves when the clock is synchronised`(ahead: Int) throws {
        machine.ahead = ahead
        try count(2, at: 10)
        try count(at: 20)
        (machine.ahead, machine.isSynchronised) = (0, true)
        try journal.followClock(now: machine.time(30))
        #expect(try times() == [-86_400, 10, 10, 20])
        #expect(try mends() == [mend(2, 4, by: -ahead)])
        #expect(journal.takeMovedRows() == MistimedRows(step: .seconds(-ahead), count: 3))
        #expect(journal.takeMovedRows() == nil)
        // Another machine's reset between two of them is between them.
        let other = try SQLiteJournal(directory: directory.path + "/other", timezone: "UTC")
        other.clock = { nil }
        let reset = Request(locationId: "default", timestamp: machine.time(15), .reset(Reset(to: 0)))
        try other.append(reset, at: machine.time(15))
        try journal.takeOver(other, at: machine.time(40))
        #expect(try journal.level() == 1)
        try count(at: 50)
        #expect(try journal.level() == 2)
        #expect(try mends().count == 1 && journal.verify() == [])
    }

    @Test func `What NTP has moved is right, also when the clock is set by hand later`() throws {
        machine.ahead = 7_200
        try count(2, at: 10)
        (machine.ahead, machine.isSynchronised) = (0, true)
        try journal.followClock(now: machine.time(20))
        try count(at: 30)
        (machine.ahead, machine.isSynchronised) = (3_600, false)
        try count(at: 40)
        machine.ahead = 9_000
        try journal.followClock(now: machine.time(50))
        #expect(try journal.mistimedRows() == MistimedRows(step: .seconds(5_400), count: 1))
    }

    @Test func `A command moves them with what it appends, and its program need not have seen the clock set`()
        throws
    {
        machine.ahead = -600
        try count(at: 10)
        (machine.ahead, machine.isSynchronised) = (0, true)
        let command = try SQLiteJournal(directory: directory.path + "/data", timezone: "UTC")
        machine.attach(to: command)
        let entry = Entry(.in, deviceId: "key", source: .hardware)
        try command.append(
            Request(locationId: "default", timestamp: machine.time(20), .entry(entry)), at: machine.time(20))
        #expect(try times() == [-86_400, 10, 20])
        #expect(command.takeMovedRows()?.count == 1)
        #expect(try journal.verify() == [])
    }

    @Test func `The row that moves them is taken back like any other`() throws {
        machine.ahead = -600
        try count(at: 10)
        (machine.ahead, machine.isSynchronised) = (0, true)
        try count(at: 20)
        try journal.append(Ask.void(3, at: machine.time(30).microseconds, user: Ask.me), at: machine.time(30))
        #expect(try times() == [-86_400, -590, 20])
        let redo = Ask.redo(at: machine.time(35).microseconds)
        let answers = try journal.append([redo], receivedAt: machine.time(35))
        #expect(answers.map(\.outcome) == [.nothingToRedo])
        try count(at: 40)
        #expect(try times() == [-86_400, -590, 20, 40] && mends().count == 1)
        #expect(try journal.verify() == [])
    }

    @Test func `A minute moves nothing, nor does a clock that was right before`() throws {
        machine.ahead = -60
        try count(at: 10)
        (machine.ahead, machine.isSynchronised) = (0, true)
        try count(at: 20)
        #expect(try mends() == [])
        // It is set by hand, and then NTP puts it right again: what was counted in between was wrong.
        (machine.ahead, machine.isSynchronised) = (3_600, false)
        try count(at: 30)
        #expect(try journal.mistimedRows() == nil)
        (machine.ahead, machine.isSynchronised) = (0, true)
        try count(at: 40)
        #expect(try times() == [-86_400, -50, 20, 30, 40])
        #expect(try mends() == [mend(4, 4, by: -3_600)] && journal.verify() == [])
    }

    @Test func `A clock that is set by hand moves nothing until somebody says so`() throws {
        machine.ahead = -600
        try count(2, at: 10)
        machine.ahead = 0
        try journal.followClock(now: machine.time(20))
        try count(at: 20)
        let doubt = MistimedRows(step: .seconds(600), count: 2)
        #expect(try journal.mistimedRows() == doubt && mends() == [] && journal.takeMovedRows() == nil)
        try journal.settleClock(byMoving: true, now: machine.time(30))
        #expect(try times() == [-86_400, 10, 10, 20])
        #expect(try journal.takeMovedRows() == doubt && journal.mistimedRows() == nil)
        // The hand was 100 s wrong.
        (machine.ahead, machine.isSynchronised) = (100, true)
        try count(at: 40)
        #expect(try mends() == [mend(2, 3, by: 600), mend(2, 3, by: 100), mend(4, 5, by: 100)])
        #expect(try journal.verify() == [])
    }

    @Test func `A clock that somebody says was right moves nothing, whatever comes`() throws {
        machine.ahead = -600
        try count(at: 10)
        machine.ahead = 0
        try count(at: 20)
        try journal.settleClock(byMoving: false, now: machine.time(30))
        #expect(try journal.mistimedRows() == nil && journal.takeMovedRows() == nil)
        (machine.ahead, machine.isSynchronised) = (500, true)
        try count(at: 40)
        #expect(try mends() == [mend(3, 3, by: 500)])
    }

    @Test func `A clock that is synchronised only some time after it was set moves them then`() throws {
        machine.ahead = -600
        try count(at: 10)
        machine.ahead = 0
        try journal.followClock(now: machine.time(20))
        #expect(try journal.mistimedRows()?.count == 1)
        machine.isSynchronised = true
        try journal.followClock(now: machine.time(21))
        #expect(try journal.mistimedRows() == nil && times() == [-86_400, 10])
    }

    @Test func `Each start of the machine has a clock of its own`() throws {
        machine.ahead = -600
        try count(at: 10)
        (machine.boot, machine.ahead, machine.isSynchronised) = (3, 0, true)
        try journal.followClock(now: machine.time(20))
        try count(at: 20)
        #expect(try mends() == [] && times() == [-86_400, -590, 20])
    }

    @Test func `What has its time from elsewhere is not moved`() throws {
        machine.ahead = 7_200
        try count(at: 10)
        // A file, a device with a clock of its own, and a row of another machine.
        let item = Ask.count(at: Self.noon.microseconds, line: ImportLine(fileHash: "file", number: 1))
        _ = try journal.import([.row(item.row)], receivedAt: machine.time(20))
        try count(at: 30, device: "door", ago: 7_200)
        let other = RowIdentity(journalId: "other", position: Position(1))
        var row = Ask.count(at: machine.time(-7_190).microseconds).row
        row.origin = .journal(other)
        try journal.append(Request(row), at: machine.time(40))
        try count(at: 50)
        (machine.ahead, machine.isSynchronised) = (0, true)
        try journal.followClock(now: machine.time(60))
        #expect(try times().sorted() == [-86_400, 0, 10, 10, 30, 50])
        #expect(try mends() == [mend(2, 2, by: -7_200), mend(6, 6, by: -7_200)])
        #expect(try journal.verify() == [])
    }

    @Test func `What a clock that was behind took for ahead counts at its time again`() throws {
        machine.ahead = -7_200
        try count(at: 10)
        let other = RowIdentity(journalId: "other", position: Position(1))
        var row = Ask.count(at: (Self.noon + .seconds(15)).microseconds).row
        row.origin = .journal(other)
        try journal.append(Request(row), at: machine.time(20))
        #expect(try times() == [-86_400, -7_190, -7_180])
        (machine.ahead, machine.isSynchronised) = (0, true)
        try journal.followClock(now: machine.time(30))
        #expect(try times() == [-86_400, 10, 15])
        #expect(try journal.verify() == [])
    }
}
