import CounterModel
import Foundation
import Linux
import TestSupport
import Testing

@testable import CounterStore
@testable import Transfer

/// Both ends of a connection in one test: bytes go from one session to the other, whole or in pieces, and not all arrive.
@Suite struct SyncSessionTests {
    private let folder: ScratchFolder
    private let door, office: SQLiteJournal

    init() throws {
        folder = try ScratchFolder()
        door = try Self.journal("door", in: folder)
        office = try Self.journal("office", in: folder)
    }

    private static func journal(_ name: String, in folder: ScratchFolder) throws -> SQLiteJournal {
        try SQLiteJournal(directory: folder.path(of: name), timezone: "UTC")
    }

    private static let noon = Timestamp(seconds: 1_792_404_000)

    private func count(_ number: Int, in journal: SQLiteJournal, at seconds: Int = 0) throws {
        let now = Self.noon + .seconds(seconds)
        let entry = Entry(.in, deviceId: "key", source: .hardware)
        let request = Request(locationId: "default", timestamp: now, .entry(entry))
        _ = try journal.append(Array(repeating: request, count: number), receivedAt: now)
    }

    /// `office` joins what `door` shares.
    private func share() throws {
        let location = try door.existingLocation(named: "default")
        #expect(try door.setShared(true, location, at: Self.noon))
        let offer = try #require(try door.sharedLocations().first)
        #expect(try office.join(offer, from: "door", at: Self.noon) != nil)
    }

    private func level(_ journal: SQLiteJournal) throws -> Int? { try journal.state(of: "default")?.level }

    private func expectSame(_ one: SQLiteJournal, _ other: SQLiteJournal) throws {
        #expect(try rows(of: one) == rows(of: other))
        #expect(try level(one) == level(other))
        for journal in [one, other] { #expect(try journal.verify().isEmpty) }
    }

    private struct Told: Hashable {
        let origin: RowOrigin?
        let orderedAt: Timestamp
        let content: RowContent
    }

    private func rows(of journal: SQLiteJournal) throws -> Set<Told> {
        Set(
            try journal.feed(after: .start, limit: 10_000)
                .map { Told(origin: $0.row.origin, orderedAt: $0.row.orderedAt, content: $0.row.content) })
    }

    // MARK: - Agreement

    @Test(arguments: [1, 7, 4_096, 1_000_000])
    func `Two journals agree, and the rows before the sharing have travelled`(piece: Int) throws {
        try count(3, in: door)
        try share()
        try count(2, in: office, at: 5)
        var link = try Link(door, office)
        try link.run(piece: piece)
        #expect(try [level(door), level(office)] == [5, 5])
        try expectSame(door, office)
        #expect(link.both.allSatisfy { $0.isEven })
        try count(1, in: door, at: 9)
        try link.one.journalChanged()
        try link.run(piece: piece)
        try expectSame(door, office)
        // Each has a row that names its journal, and one by which it shares.
        #expect(link.both.map(\.rowsReceived) == [5, 6])
    }

    @Test func `A connection that is cut at any byte is resumed, and nothing is lost or counted twice`()
        throws
    {
        try count(2, in: door)
        try share()
        try count(2, in: office, at: 5)
        var whole = try Link(door, office)
        let length = try whole.run()
        var random = SplitMix64(seed: 26)
        for limit in stride(from: 0, to: length, by: Volume.of(sample: 53, full: 1)) {
            try count(1, in: door, at: 10)
            try count(1, in: office, at: 10)
            var cut = try Link(door, office)
            try cut.run(piece: 1 + random.below(64), upTo: limit)
            var resumed = try Link(door, office)
            try resumed.run()
            try expectSame(door, office)
        }
    }

    @Test func `A chain of three machines agrees, and rows do not come back to where they are from`() throws {
        let store = try Self.journal("store", in: folder)
        try share()
        #expect(
            try store.join(try #require(try office.sharedLocations().first), from: "office", at: Self.noon)
                != nil)
        try count(2, in: door)
        try count(3, in: store)
        for (one, other) in [(door, office), (office, store), (door, office)] {
            var link = try Link(one, other)
            try link.run()
        }
        try expectSame(door, office)
        try expectSame(office, store)
        var again = try Link(door, office)
        try again.run()
        #expect(again.both.map(\.rowsSent) == [0, 0])
    }

    @Test func `A row that is lost on the way is noticed, and asked for again`() throws {
        try share()
        var link = try Link(door, office)
        try link.run()
        for second in 1...3 {
            try count(1, in: door, at: second)
            try link.one.journalChanged()
            if second == 2 { link.loseOutput(of: link.one) } else { try link.run() }
        }
        try expectSame(door, office)
        #expect(link.other.notices.contains { $0.contains("are missing after") })
    }

    @Test func `A row of a later version is kept, counts nothing, is told and passed on`() throws {
        let store = try Self.journal("store", in: folder)
        try share()
        #expect(
            try store.join(try #require(try office.sharedLocations().first), from: "office", at: Self.noon)
                != nil)
        var link = try Link(door, office)
        try link.run()
        let world = try #require(try door.sharedLocations().first).sharing.worldId
        let row = """
            {"type":"weather","timestamp":"2026-10-19T10:00:00Z","locationId":"default","receivedAt":"2026-10-19T10:00:00Z",\
            "orderedAt":"2026-10-19T10:00:00Z","wind":[1,2],"journal":"future","position":4,"world":"\(world)","follows":0}

            """
        try Array(row.utf8).withUnsafeBytes { try link.other.receive($0) }
        #expect(link.other.notices.contains { $0.contains("only later versions know: weather") })
        var next = try Link(office, store)
        try next.run()
        #expect(try level(store) == 0)
        let kept = try store.feed(after: .start, limit: 100).first {
            if case .unknown = $0.row.content { true } else { false }
        }
        #expect(kept?.line.contains("\"type\":\"weather\"") == true)
        #expect(kept?.line.contains("\"wind\":[1,2]") == true)
    }

    @Test func `A journal that lacks some rows of another one gets them`() throws {
        try count(5, in: door)
        try share()
        // The last ones have come in a file.
        let later = try door.feed(after: Position(3), limit: 9).map { Request($0.row) }
        _ = try office.append(later, receivedAt: Self.noon)
        try count(1, in: door, at: 9)
        var link = try Link(door, office)
        try link.run()
        try expectSame(door, office)
        #expect(link.one.notices == ["other lacked 3 rows of journal \(try door.id()) of 'default'"])
        #expect(link.other.notices.first?.contains("were missing here; one sends them again") == true)
        var again = try Link(door, office)
        try again.run()
        #expect(again.both.map(\.rowsSent) == [0, 0])
        #expect(again.both.allSatisfy { $0.notices.isEmpty && $0.isEven })
    }

    @Test func `A device that is connected to one is connected for the other, until the connection ends`()
        throws
    {
        try share()
        let clicker: Identifier = "usb:1"
        try door.note(came: [(clicker, "Clicker", "default")], went: [], at: Self.noon)
        var link = try Link(door, office)
        try link.run()
        let device = try #require(try office.devices(of: "default").first)
        #expect(device.id == clicker && device.name == "Clicker" && device.isConnected)
        #expect(try office.rowsOfNoLocation(device: clicker).map(\.row.isTakenOver) == [true])
        link.other.close()
        #expect(try office.devices(of: "default").first?.isConnected == false)
    }

    // MARK: - Names

    private static let clicker: Identifier = "usb:1"

    private func name(_ name: String, in journal: SQLiteJournal, at seconds: Int = 0) throws {
        let now = Self.noon + .seconds(seconds)
        #expect(try journal.set(.name(name), of: Self.clicker, isNew: true, at: now))
    }

    private func click(in journal: SQLiteJournal, at location: Identifier = "default") throws {
        let entry = Entry(.in, deviceId: Self.clicker, source: .hardware)
        let request = Request(locationId: location, timestamp: Self.noon, .entry(entry))
        _ = try journal.append([request], receivedAt: Self.noon)
    }

    private func device(in journal: SQLiteJournal) throws -> Device? {
        try journal.devices().first { $0.id == Self.clicker }
    }

    @Test func `The names of the journal and of the devices that count at a shared location travel`() throws {
        try name("Clicker", in: door)
        try share()
        try click(in: door)
        var link = try Link(door, office)
        try link.run()
        #expect(try device(in: office)?.name == "Clicker")
        #expect(try office.journals().map(\.name) == ["other", "one"])
        #expect(try door.journals().map(\.name) == ["one", "other"])
        try expectSame(door, office)
        // What is decided later, on either side, and while they are apart.
        try name("Left door", in: office, at: 3)
        try link.other.journalChanged()
        try link.run()
        #expect(try device(in: door)?.name == "Left door")
        #expect(try door.set(.isActive(false), of: Self.clicker, at: Self.noon + .seconds(5)))
        try door.rename(to: "door-3", at: Self.noon + .seconds(5))
        var again = try Link(door, office)
        try again.run()
        #expect(try device(in: office)?.isActive == false)
        #expect(try office.journals().map(\.name) == ["other", "door-3"])
        #expect(again.both.map(\.rowsSent) == [2, 0])
        try expectSame(door, office)
    }

    @Test func `A device that counts elsewhere only keeps its name to itself, until it counts there`() throws
    {
        try door.add(new: Location(id: "cellar", name: "Cellar", timezone: "UTC"), at: Self.noon)
        try share()
        try name("Clicker", in: door)
        try click(in: door, at: "cellar")
        #expect(try door.set(.location, of: Self.clicker, to: "cellar", at: Self.noon))
        var link = try Link(door, office)
        try link.run()
        try name("My clicker", in: door, at: 2)
        try link.one.journalChanged()
        try link.run()
        let sent = try office.feed(after: .start, limit: 100).map(\.line)
        #expect(!sent.contains { $0.contains("usb:1") || $0.contains("licker") || $0.contains("cellar") })
        try click(in: door)
        try link.one.journalChanged()
        try link.run()
        #expect(try device(in: office)?.name == "My clicker")
        #expect(try device(in: office)?.locationId == nil)
        var again = try Link(door, office)
        try again.run()
        #expect(again.both.map(\.rowsSent) == [0, 0])
    }

    @Test func `A name that is lost on the way, or lacking, is sent again`() throws {
        for number in 1...3 { try name("Clicker \(number)", in: door, at: number) }
        try share()
        try click(in: door)
        // The last one has come in a file.
        let last = try #require(try door.rowsOfNoLocation(device: Self.clicker).last)
        _ = try office.append([Request(last.row)], receivedAt: Self.noon)
        try click(in: office)
        var link = try Link(door, office)
        try link.run()
        #expect(
            link.one.notices == [
                "other lacked 2 rows of journal \(try door.id()) of the device 'usb:1'"
            ])
        #expect(try office.rowsOfNoLocation(device: Self.clicker).count == 3)
        for number in 4...5 {
            try name("Clicker \(number)", in: door, at: number)
            try link.one.journalChanged()
            if number == 4 { link.loseOutput(of: link.one) } else { try link.run() }
        }
        #expect(link.other.notices.contains { $0.contains("of the device 'usb:1' are missing after") })
        #expect(try device(in: office)?.name == "Clicker 5")
        #expect(try office.rowsOfNoLocation(device: Self.clicker).count == 5)
    }

    @Test func `Names pass through a machine in the middle`() throws {
        let store = try Self.journal("store", in: folder)
        try share()
        _ = try store.join(try #require(try office.sharedLocations().first), from: "office", at: Self.noon)
        try name("Clicker", in: door)
        try click(in: door)
        var beyond = try Link(office, store)
        try beyond.run()
        var link = try Link(door, office)
        try link.run()
        try beyond.one.journalChanged()
        try beyond.run()
        #expect(try device(in: store)?.name == "Clicker")
        #expect(try Set(store.journals().map(\.name)) == ["one", "other"])
    }

    // MARK: - Errors

    @Test func `A row that breaks a rule is named on both sides, and those after it are taken`() throws {
        try share()
        var link = try Link(door, office)
        try link.run()
        let world = try #require(try door.sharedLocations().first).sharing.worldId
        let row = """
            {"type":"in","timestamp":"2026-10-19T10:00:00Z","locationId":"default","receivedAt":"2026-10-19T10:00:00Z",\
            "orderedAt":"2026-10-19T10:00:00Z","deviceId":"x","source":"magic",\
            "journal":"strange","position":9,"world":"\(world)","follows":0}

            """
        try Array(row.utf8).withUnsafeBytes { try link.other.receive($0) }
        try link.run()
        let name = "row 9 of journal strange of 'default'"
        #expect(
            link.other.notices.contains { $0.hasPrefix("\(name) is not taken: source") },
            "\(link.other.notices)")
        #expect(
            link.one.notices.contains { $0.hasPrefix("other does not take \(name): source") },
            "\(link.one.notices)")
        try count(2, in: door, at: 5)
        try link.one.journalChanged()
        try link.run()
        #expect(try level(office) == 2)
    }

    // MARK: - Copies of a journal

    private func copy(of journal: SQLiteJournal, to name: String) throws -> SQLiteJournal {
        try FileManager.default.copyItem(atPath: journal.directory, toPath: folder.path(of: name))
        return try Self.journal(name, in: folder)
    }

    @Test func `A clone on another machine and its original agree, with a third machine too`() throws {
        try count(2, in: door)
        try share()
        let clone = try copy(of: door, to: "clone")
        clone.machine = { "another machine" }
        try count(2, in: door, at: 3)
        var first = try Link(door, office)
        try first.run()
        var link = try Link(clone, office)
        #expect(link.one.notices == [NewJournalId.copied.text])
        try count(1, in: clone, at: 5)
        try link.run()
        try expectSame(clone, office)
        var direct = try Link(door, clone)
        try direct.run()
        try expectSame(door, clone)
        #expect(try level(door) == 5)
        for (one, other) in [(door, office), (clone, door), (office, clone)] {
            var again = try Link(one, other)
            try again.run()
            #expect(again.both.map(\.rowsSent) == [0, 0])
            #expect(again.both.allSatisfy { $0.notices.isEmpty && $0.isEven })
        }
    }

    @Test func `A copy that no machine tells from its journal is refused`() throws {
        try share()
        let clone = try copy(of: door, to: "clone")
        var link = try Link(door, clone)
        let error = #expect(throws: ProgramError.self) { try link.run() }
        #expect(error?.message.contains("its journal is a copy of this one, and has the same id") == true)
    }

    @Test func `A journal that was put back to an earlier copy gets what it has lost`() throws {
        try count(2, in: door)
        try share()
        let restored = try copy(of: door, to: "earlier")
        try count(2, in: door, at: 3)
        var link = try Link(door, office)
        try link.run()
        var again = try Link(restored, office)
        try again.run()
        #expect(again.one.notices == [NewJournalId.restored.text])
        try count(1, in: restored, at: 9)
        try again.one.journalChanged()
        try again.run()
        try expectSame(restored, office)
        #expect(try level(office) == 5)
    }

    /// As many rows as were lost, fewer, and more; with and without others after them.
    @Test(arguments: [1, 2, 3], [0, 1])
    func `A journal that has counted on since is told of, and both histories count once it is forked`(
        number: Int, offices: Int
    ) throws {
        try count(2, in: door)
        try share()
        let restored = try copy(of: door, to: "earlier")
        try count(2, in: door, at: 3)
        var link = try Link(door, office)
        try link.run()
        try count(offices, in: office, at: 4)
        try count(number, in: restored, at: 5)
        var again = try Link(restored, office)
        let fork = #expect(throws: SyncFork.self) { try again.run() }
        #expect(try level(office) == 4 + offices)
        let failure = ProgramError(ofSync: try #require(fork))
        #expect(failure.message.hasPrefix("row 4 of the journal of one is another one on other"))
        #expect(failure.remedy?.contains("On one: counter sync --fork") == true)
        #expect(try restored.fork(at: try #require(fork).at, now: Self.noon + .seconds(9)) == number)
        for _ in 1...2 {
            var forked = try Link(restored, office)
            try forked.run()
        }
        try expectSame(restored, office)
        #expect(try level(office) == 4 + offices + number)
    }

    @Test func `A side that does not read has few rows waiting, and is left`() throws {
        try share()
        try count(20_000, in: door)
        let opening = try Link(door, office)
        var time = MonotonicTime.now
        let session = try SyncSession(door, name: "door", .serve) { (time, Self.noon) }
        try opening.other.output.withUnsafeBytes { try session.receive($0) }
        try Array(session.output).withUnsafeBytes { try opening.other.receive($0) }
        try opening.other.output.withUnsafeBytes { try session.receive($0) }
        #expect(session.isLive && session.output.count < 1 << 20)
        time = time + .seconds(61)
        try Array("{\"type\":\"alive\",\"value\":0,\"timestamp\":\"2026-10-19T10:00:00Z\"}\n".utf8)
            .withUnsafeBytes { try session.receive($0) }
        let error = #expect(throws: ProgramError.self) { try session.advance() }
        #expect(error?.sentence.contains("does not read") == true)
    }

    @Test func `It is tried again after one second to one minute`() {
        var (backoff, pauses) = (Backoff(), [Duration]())
        for _ in 0..<8 { pauses.append(backoff.next(jitter: 1)) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(backoff.next(jitter: 1.25) == .seconds(60))
        #expect(backoff.next(jitter: 0.75) == .seconds(45))
    }

    @Test func `What is said of a machine tells what was not sent, and since when it is not reached`() throws
    {
        try share()
        var status = SyncStatus(directory: door.directory, peer: "office")
        let words = { (hours: Int) in try status.words(door, at: Self.noon + .seconds(hours * 3_600)) }
        #expect(try words(0) == "1 row not sent, office not reached yet")
        status.machine = "office"
        #expect(try words(0) == "1 row not sent, nothing synced with office yet")
        (status.isConnected, status.lastContact, status.acknowledged) = (
            true, Self.noon + .seconds(-3), Position(1)
        )
        #expect(try words(0) == "synced 3 s ago")
        #expect(try status.words(door, at: Self.noon, isBrief: true) == "synced")
        #expect(status.nextChange(after: Self.noon) == Self.noon + .seconds(57))
        try count(42, in: door)
        (status.isConnected, status.why) = (false, "no route to host")
        #expect(try words(2) == "42 rows not sent, office unreachable for 2 h")
        #expect(status.nextChange(after: Self.noon) == Self.noon + .seconds(57))
        status.why = nil
        #expect(try words(2) == "42 rows not sent, office reached 2 h ago")
        #expect(
            try status.words(door, at: Self.noon, isBrief: true) == "42 rows not sent, office not connected")
    }

    @Test func `What is shared by one side only does not travel`() throws {
        try count(2, in: door)
        #expect(try door.setShared(true, door.existingLocation(named: "default"), at: Self.noon))
        var link = try Link(door, office)
        let error = #expect(throws: ProgramError.self) { try link.run() }
        #expect(error?.sentence.contains("no location is shared on both machines") == true)
        #expect(try level(office) == 0)
    }

    @Test func `A location that is left travels no more, and what was sent stays`() throws {
        try count(2, in: door)
        try share()
        var link = try Link(door, office)
        try link.run()
        #expect(try door.setShared(false, door.existingLocation(named: "default"), at: Self.noon))
        #expect(throws: SyncRestart.self) { try link.one.journalChanged() }
        try count(1, in: door, at: 3)
        var next = try Link(door, office)
        #expect(throws: ProgramError.self) { try next.run() }
        #expect(try [level(door), level(office)] == [3, 2])
    }

    @Test(arguments: [
        ("Welcome to office!\n", "does not speak counter sync"),
        (
            #"{"type":"hello","text":"2","journal":"j","name":"office","timestamp":"2026-10-19T10:00:00Z"}"#
                + "\n", "version 2"
        ),
        (String(repeating: "x", count: 70_000) + "\n", "longer than"),
        (
            #"{"type":"end","reason":"the disk is full","text":"Make room."}"# + "\n",
            "the disk is full. Make room."
        ),
    ])
    func `What the other side must not say ends the connection`(line: String, message: String) throws {
        let session = try SyncSession(door, name: "door", .serve) { (.now, Self.noon) }
        let error = #expect(throws: ProgramError.self) {
            try Array(line.utf8).withUnsafeBytes { try session.receive($0) }
        }
        #expect(error?.sentence.contains(message) == true, "\(error?.sentence ?? "")")
    }

    @Test func `A copy of a journal is refused`() throws {
        var link = try Link(door, door)
        let error = #expect(throws: ProgramError.self) { try link.run() }
        #expect(error?.sentence.contains("a copy of this one") == true)
    }

    @Test func `Clocks that are apart are told on both sides`() throws {
        try share()
        var link = try Link(door, office, ahead: .seconds(7))
        try link.run()
        #expect(link.one.notices.first?.contains("the clock of other is 7 s behind this one") == true)
        #expect(link.other.notices.first?.contains("the clock of one is 7 s ahead of this one") == true)
        #expect(link.both.map(\.secondsAhead) == [-7, 7])
    }

    @Test func `A clock that is set right while they are connected is told of no longer`() throws {
        try share()
        var ahead = Duration.seconds(7)
        let one = try SyncSession(door, name: "one", .serve) { (.now, Self.noon + ahead) }
        let other = try SyncSession(office, name: "other", .connect { _, _ in }) { (.now, Self.noon) }
        var link = Link(one, other)
        try link.run()
        #expect(other.secondsAhead == 7)
        ahead = .zero
        for journal in [door, office] { try count(1, in: journal) }
        for session in link.both { try session.journalChanged() }
        try link.run()
        #expect(link.both.allSatisfy { $0.secondsAhead == 0 && $0.notices.isEmpty })
    }

    @Test func `A clock 400 days ahead is told of, and orders nothing before what comes later`() throws {
        try share()
        let days = Duration.seconds(400 * 86_400)
        let reset = Request(locationId: "default", timestamp: Self.noon + days, .reset(Reset(to: 100)))
        _ = try door.append([reset], receivedAt: Self.noon + days)
        var link = try Link(door, office, ahead: days)
        try link.run()
        #expect(link.other.notices.first?.hasPrefix("the clock of one is 400 days ahead of this one") == true)
        #expect(link.one.notices.first?.hasPrefix("the clock of other is 400 days behind this one") == true)
        // It stands at the present of the office, so the reset of a second later holds.
        let later = Timestamp(seconds: 1_792_404_601)
        let second = Request(locationId: "default", timestamp: later, .reset(Reset(to: 5)))
        _ = try office.append([second], receivedAt: later)
        try link.other.journalChanged()
        try link.run()
        #expect(try [level(door), level(office)] == [5, 5])
        try expectSame(door, office)
    }

    @Test func `A side that says nothing, or does not read, is left`() throws {
        var time = MonotonicTime.now
        let session = try SyncSession(door, name: "door", .serve) { (time, Self.noon) }
        time = time + .seconds(21)
        try session.advance()
        time = time + .seconds(40)
        #expect(throws: ProgramError.self) { try session.advance() }
    }
}

/// Two sessions whose bytes are passed from one to the other.
private struct Link {
    let one, other: SyncSession
    var both: [SyncSession] { [one, other] }

    init(_ one: SyncSession, _ other: SyncSession) { (self.one, self.other) = (one, other) }

    /// `one` is served, `other` connects; the clock of `one` may be ahead.
    init(_ one: SQLiteJournal, _ other: SQLiteJournal, ahead: Duration = .zero) throws {
        let noon = Timestamp(seconds: 1_792_404_600)
        self.one = try SyncSession(one, name: "one", .serve) { (.now, noon + ahead) }
        self.other = try SyncSession(other, name: "other", .connect { _, _ in }) { (.now, noon) }
    }

    /// Passes bytes on until both are silent, or so many have passed. Returns how many have.
    @discardableResult
    mutating func run(piece: Int = 65_536, upTo limit: Int = .max) throws -> Int {
        var passed = 0
        while both.contains(where: { !$0.output.isEmpty }) {
            for (from, to) in [(one, other), (other, one)] {
                let bytes = Array(from.output.prefix(min(piece, limit - passed)))
                if passed >= limit { return passed }
                if bytes.isEmpty { continue }
                try from.sent(bytes.count)
                try bytes.withUnsafeBytes { try to.receive($0) }
                passed += bytes.count
            }
        }
        return passed
    }

    func loseOutput(of session: SyncSession) { try? session.sent(session.output.count) }
}
