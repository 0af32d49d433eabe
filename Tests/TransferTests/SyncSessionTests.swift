import CounterModel
import Linux
import TestSupport
import Testing

@testable import CounterStore
@testable import Transfer

/// Both ends of a connection in one test: bytes go from one session to the other, whole or in pieces, and not all arrive.
@Suite final class SyncSessionTests: SyncPlace {
    @Test(arguments: [1, 7, 4_096, 1_000_000])
    func `Two journals agree, and the rows before the sharing have travelled`(piece: Int) throws {
        try count(3, in: door)
        try share()
        try count(2, in: office, at: 5)
        let link = try Link(door, office)
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
        let whole = try Link(door, office)
        let length = try whole.run()
        var random = SplitMix64(seed: 26)
        for limit in stride(from: 0, to: length, by: Volume.of(sample: 53, full: 1)) {
            try count(1, in: door, at: 10)
            try count(1, in: office, at: 10)
            let cut = try Link(door, office)
            try cut.run(piece: 1 + random.below(64), upTo: limit)
            try sync(door, office)
            try expectSame(door, office)
        }
    }

    @Test func `A chain of three machines agrees, and rows do not come back to where they are from`() throws {
        let store = try journal("store")
        try share()
        try share(from: office, to: store)
        try count(2, in: door)
        try count(3, in: store)
        for (one, other) in [(door, office), (office, store), (door, office)] { try sync(one, other) }
        try expectSame(door, office)
        try expectSame(office, store)
        try expectNothingToSend(door, office)
    }

    @Test func `In a ring of three machines no row is missing that has come the other way round`() throws {
        let store = try journal("store")
        try share()
        try share(from: office, to: store)
        let ring = try [Link(door, office), Link(office, store), Link(store, door)]
        for link in ring { try link.run() }
        for second in 1...3 {
            try count(1, in: door, at: second)
            // It comes to the store through the office, or from the door itself.
            let sessions = [ring[0].one, ring[1].one, ring[2].one, ring[2].other]
            for session in second == 1 ? sessions : sessions.reversed() {
                try session.journalChanged()
                for link in ring { try link.run() }
            }
        }
        for link in ring { #expect(link.both.allSatisfy { $0.notices.isEmpty && $0.isEven }) }
        try expectSame(door, office)
        try expectSame(office, store)
    }

    @Test func `A row that is lost on the way is noticed, and asked for again`() throws {
        try share()
        let link = try sync(door, office)
        for second in 1...3 {
            try count(1, in: door, at: second)
            try link.one.journalChanged()
            if second == 2 { link.loseOutput(of: link.one) } else { try link.run() }
        }
        try expectSame(door, office)
        #expect(link.other.notices.contains { $0.contains("are missing after") })
    }

    /// The line of a row of the location that is shared, the first one of its journal there.
    private func row(_ members: String) throws -> String {
        let time = #""2026-10-19T10:00:00Z""#
        return #"{"timestamp":\#(time),"locationId":"default","receivedAt":\#(time),"orderedAt":\#(time),"#
            + "\(members),\"world\":\"\(try world())\",\"follows\":0}\n"
    }

    @Test func `A row of a later version is kept, counts nothing, is told and passed on`() throws {
        let store = try journal("store")
        try share()
        try share(from: office, to: store)
        let link = try sync(door, office)
        try link.other.hear(row(#""type":"weather","wind":[1,2],"journal":"future","position":4"#))
        #expect(link.other.notices.contains { $0.contains("only later versions know: weather") })
        try sync(office, store)
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
        let link = try sync(door, office)
        try expectSame(door, office)
        #expect(link.one.notices == ["other lacked 3 rows of journal \(try door.id()) of 'default'"])
        #expect(link.other.notices.first?.contains("were missing here; one sends them again") == true)
        try expectNothingToSend(door, office)
    }

    // MARK: - Errors

    @Test func `A row that breaks a rule is named on both sides, and those after it are taken`() throws {
        try share()
        let link = try sync(door, office)
        let members = #""type":"in","deviceId":"x","source":"magic","journal":"strange","position":9"#
        try link.other.hear(row(members))
        try link.run()
        let name = "row 9 of journal strange of 'default'"
        #expect(
            link.other.notices.contains { $0.hasPrefix("\(name) is not taken: source") },
            "\(link.other.notices)")
        #expect(
            link.one.notices.contains { $0.hasPrefix("other does not take \(name): source") },
            "\(link.one.notices)")
        try count(2, in: door, at: 5)
        try link.pass(changesOf: link.one)
        #expect(try level(office) == 2)
    }

    // MARK: - What ends a connection

    @Test func `A side that does not read has few rows waiting, and is left`() throws {
        try share()
        try count(20_000, in: door)
        let opening = try Link(door, office)
        var time = MonotonicTime.now
        let session = try SyncSession(door, name: "door", join: nil) { (time, Self.noon) }
        try session.hear(opening.other.output)
        try opening.other.hear(session.output)
        try session.hear(opening.other.output)
        #expect(session.isLive && session.output.count < 1 << 20)
        time = time + .seconds(61)
        try session.hear("{\"type\":\"alive\",\"value\":0,\"timestamp\":\"2026-10-19T10:00:00Z\"}\n")
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
        let words = { (hours: Int) in try status.words(self.door, at: Self.noon + .seconds(hours * 3_600)) }
        #expect(try words(0) == "1 row not sent, office not reached yet")
        status.machine = "office"
        #expect(try words(0) == "1 row not sent, nothing synced with office yet")
        (status.isConnected, status.lastContact, status.acknowledged) = (
            true, Self.noon + .seconds(-3), Position(1)
        )
        #expect(try words(0) == "synced 3 s ago")
        #expect(try status.words(door, at: Self.noon, isBrief: true) == "synced")
        #expect(status.nextChange(door, after: Self.noon) == Self.noon + .seconds(57))
        try count(42, in: door)
        // They are on their way, for a few seconds.
        #expect(try words(0) == "synced 3 s ago")
        #expect(status.nextChange(door, after: Self.noon) == Self.noon + .seconds(5))
        #expect(try status.words(door, at: Self.noon + .seconds(5)) == "42 rows not sent to office")
        #expect(status.nextChange(door, after: Self.noon + .seconds(5)) == Self.noon + .seconds(57))
        (status.isConnected, status.why) = (false, "no route to host")
        #expect(try words(2) == "42 rows not sent, office unreachable for 2 h")
        #expect(status.nextChange(door, after: Self.noon) == Self.noon + .seconds(57))
        status.why = nil
        #expect(try words(2) == "42 rows not sent, office reached 2 h ago")
        #expect(
            try status.words(door, at: Self.noon, isBrief: true) == "42 rows not sent, office not connected")
    }

    @Test func `What is shared by one side only does not travel`() throws {
        try count(2, in: door)
        #expect(try door.setShared(true, door.existingLocation(named: "default"), at: Self.noon))
        let link = try Link(door, office)
        let error = #expect(throws: ProgramError.self) { try link.run() }
        #expect(error?.sentence.contains("no location is shared on both machines") == true)
        #expect(try level(office) == 0)
    }

    @Test func `A location that is left travels no more, and what was sent stays`() throws {
        try count(2, in: door)
        try share()
        let link = try sync(door, office)
        #expect(try door.setShared(false, door.existingLocation(named: "default"), at: Self.noon))
        #expect(throws: SyncRestart.self) { try link.one.journalChanged() }
        try count(1, in: door, at: 3)
        let next = try Link(door, office)
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
        let session = try SyncSession(door, name: "door", join: nil) { (.now, Self.noon) }
        let error = #expect(throws: ProgramError.self) { try session.hear(line) }
        #expect(error?.sentence.contains(message) == true, "\(error?.sentence ?? "")")
    }

    /// Each line is about a journal that nobody has: that the other side holds rows of it, or that one of its rows is missing here.
    @Test(arguments: [
        #""type":"holds""#,
        #""type":"in","follows":7,"timestamp":"2026-10-19T10:00:00Z","receivedAt":"2026-10-19T10:00:00Z""#,
    ])
    func `Who tells of journals without end is left, and few of them are kept`(members: String) throws {
        try share()
        let session = try sync(door, office).one
        let world = try world()
        let error = #expect(throws: ProgramError.self) {
            for start in stride(from: 0, to: 1_000_000, by: 10_000) {
                let lines = (start..<start + 10_000).map { number in
                    "{\(members),\"world\":\"\(world)\",\"journal\":\"\(number)\",\"position\":9}\n"
                }
                try session.hear(lines.joined())
                try session.sent(session.output.count)
            }
        }
        #expect(error?.sentence.contains("it names journals without end") == true)
        #expect(session.peerHeld.count < 210_000)
    }

    @Test func `Who asks for rows again without end is left`() throws {
        try count(2, in: door)
        try share()
        let session = try sync(door, office).one
        let stream = SyncStream(subject: .location(try world()), journal: try door.id())
        let error = #expect(throws: ProgramError.self) {
            for _ in 0..<1_000 {
                try session.hear("\(SyncLine.again(stream, .start).text)\n")
                #expect(String(decoding: session.output, as: UTF8.self).contains("\"follows\":0"))
                try session.sent(session.output.count)
            }
        }
        #expect(error?.sentence.contains("it asks for rows again without end") == true)
    }

    @Test
    func `What comes together is one transaction and one answer, and the devices of the last sign are noted`()
        throws
    {
        try share()
        let session = try sync(door, office).other
        let stream = SyncStream(subject: .location(try world()), journal: "another")
        let device = SyncDevice(world: try world(), id: "usb:1", name: "Clicker")
        let here = "\(SyncLine.present(device).text)\n" + alive(at: Link.time, asks: true)
        let lines = try (1...20).map { number in
            try row(
                #""type":"in","deviceId":"x","source":"hardware","journal":"strange","position":\#(number)"#)
                + "\(SyncLine.differs(stream, Position(Int64(number))).text)\n"
                + here + alive(at: Link.time, asks: true)
        }
        try session.hear(lines.joined() + here)
        let answers = String(decoding: session.output, as: UTF8.self).split(separator: "\n")
        for type in ["holds", "alive"] { #expect(answers.count { $0.contains("\"type\":\"\(type)\"") } == 1) }
        #expect(try level(office) == 20)
        #expect(session.notices.first?.hasPrefix("one does not take row 1 of journal another") == true)
        #expect(try RawDatabase(office.path).number("SELECT count(*) FROM presence") == 1)
        #expect(try office.devices(of: "default").contains { $0.id == "usb:1" && $0.isConnected })
    }

    @Test func `Clocks that are apart are told on both sides, until they are set right`() throws {
        try share()
        var ahead = Duration.seconds(7)
        let link = try Link(door, office, ahead: ahead)
        try link.run()
        #expect(link.one.notices.first?.contains("the clock of other is 7 s behind this one") == true)
        #expect(link.other.notices.first?.contains("the clock of one is 7 s ahead of this one") == true)
        #expect(link.both.map(\.secondsAhead) == [-7, 7])
        ahead = .zero
        for _ in 0..<4 { for session in link.both { try session.hear(alive(at: Link.time)) } }
        #expect(link.both.allSatisfy { $0.secondsAhead == 0 && $0.notices.isEmpty })
    }

    @Test func `A sign of life that a break of the network has kept is not taken for a clock that is behind`()
        throws
    {
        try share()
        let link = try sync(door, office)
        for seconds in [-30, -10] {
            try link.other.hear(alive(at: Link.time + .seconds(seconds)))
            #expect(link.other.secondsAhead == 0)
        }
        for _ in 0..<2 { try link.other.hear(alive(at: Link.time + .seconds(-8))) }
        #expect(link.other.secondsAhead == -8)
    }

    private func alive(at time: Timestamp, asks: Bool = false) -> String {
        "{\"type\":\"alive\",\"value\":0,\"timestamp\":\"\(time.iso8601)\"\(asks ? ",\"text\":\"answer\"" : "")}\n"
    }

    @Test(arguments: [true, false])
    func `A clock that is behind orders no rows of one that is kept right`(isRight: Bool) throws {
        try share()
        (door.isSynchronised, office.isSynchronised) = ({ isRight }, { false })
        try count(5, in: door)
        let link = Link(
            try SyncSession(door, name: "one", join: nil) { (.now, Self.noon) },
            try SyncSession(office, name: "other", join: { _, _ in }) {
                (.now, Self.noon - .seconds(864_000))
            })
        try link.run()
        #expect(link.other.secondsAhead == 864_000)
        for journal in [door, office] {
            let mends = try journal.feed(after: .start, limit: .max).filter {
                if case .clock = $0.row.content { true } else { false }
            }
            #expect(mends.isEmpty == isRight)
            #expect(try level(journal) == 5)
        }
    }

    /// The office calls the location by the id of its own first one.
    @Test func `A timer counts the same on both machines, and ends on both`() throws {
        _ = try door.add(Location(id: "entrance", name: "entrance", timezone: "UTC"), at: Self.noon)
        #expect(try door.setShared(true, door.existingLocation(named: "entrance"), at: Self.noon))
        try share(from: door, to: office)
        func counted() throws -> [Int] {
            try [door, office].map { journal in
                var board = TimerBoard()
                try journal.update(&board)
                let timer = try #require(board.all.first)
                return try journal.result(of: timer, at: Self.noon + .seconds(60)).totalIn
            }
        }
        var setup = TimerSettings().usual
        (setup.label, setup.locations) = ("Robins", .some(["entrance"]))
        let timer = try TimerService(door, userId: "ada").start(setup, at: TimerMoment(now: Self.noon))
        try sync(door, office)
        try count(3, in: office, at: 10)
        // The door's own location is another one.
        try count(4, in: door, at: 11)
        try sync(door, office)
        #expect(try counted() == [3, 3])
        let timers = TimerService(door, userId: "ada")
        try timers.update()
        _ = try timers.perform(.stop, on: timer.id, at: TimerMoment(now: Self.noon + .seconds(20)))
        try sync(door, office)
        var board = TimerBoard()
        try office.update(&board)
        #expect(board.all.map(\.stoppedAt) == [Self.noon + .seconds(20)])
    }

    @Test func `What is not sent is counted without what came from the other machine`() throws {
        try share()
        try count(5, in: office)
        try sync(door, office)
        var status = SyncStatus(directory: door.directory, peer: "office")
        (status.journal, status.lastContact) = (try office.id(), Self.noon)
        try count(2, in: door)
        status.acknowledged = Position(1)
        #expect(try status.words(door, at: Self.noon + .seconds(60)).hasPrefix("2 rows not sent"))
    }

    @Test func `A side that does not answer once the network has changed is left`() throws {
        try share()
        var time = MonotonicTime.now
        let link = try Link(door, office, at: time)
        let other = link.other
        try link.run()
        // Asked once, and answered.
        for _ in 0..<2 { try other.networkChanged() }
        let (question, answer) = (alive(at: Link.time, asks: true), alive(at: Link.time))
        #expect(String(decoding: other.output, as: UTF8.self) == question)
        #expect(try link.run() == question.utf8.count + answer.utf8.count)
        time = time + .seconds(11)
        try other.advance()
        // Asked again, and not.
        try other.networkChanged()
        #expect(other.deadline == time + .seconds(10))
        time = time + .seconds(10)
        let error = #expect(throws: ProgramError.self) { try other.advance() }
        #expect(error?.sentence.contains("not reached since the network has changed") == true)
    }

    @Test func `Rows that come in great number wait for more before their commit`() throws {
        try share()
        let link = try sync(door, office)
        try count(100, in: door)
        try link.one.journalChanged()
        let bytes = Array(link.one.output)
        try link.one.sent(bytes.count)
        try bytes.withUnsafeBytes { try link.other.receive($0, last: false) }
        #expect(link.other.isReceivingMany && link.other.output.isEmpty)
        #expect(try level(office) == 0)
        try link.other.settle()
        #expect(!link.other.isReceivingMany && !link.other.output.isEmpty)
        #expect(try level(office) == 100)
    }

    @Test func `What another machine shares is joined in one go, and each location once`() throws {
        for name in ["hall", "yard"] {
            _ = try door.add(Location(id: Identifier(name), name: name, timezone: "UTC"), at: Self.noon)
        }
        for location in try door.locations() { #expect(try door.setShared(true, location, at: Self.noon)) }
        let offers = try door.sharedLocations()
        #expect(offers.count == 3)
        #expect(try office.join([offers[1]], from: "door", at: Self.noon).map { $0?.name } == ["hall"])
        let joined = try office.join(offers + offers, from: "door", at: Self.noon)
        #expect(joined.map { $0?.name } == ["default", nil, "yard", nil, nil, nil])
        #expect(
            Set(try office.sharedLocations().map(\.sharing.worldId)) == Set(offers.map(\.sharing.worldId)))
        #expect(try office.verify().isEmpty)
    }

    @Test func `A clock 400 days ahead is told of, and orders nothing before what comes later`() throws {
        try share()
        let days = Duration.seconds(400 * 86_400)
        let reset = Request(locationId: "default", timestamp: Self.noon + days, .reset(Reset(to: 100)))
        _ = try door.append([reset], receivedAt: Self.noon + days)
        let link = try sync(door, office, ahead: days)
        #expect(link.other.notices.first?.hasPrefix("the clock of one is 400 days ahead of this one") == true)
        #expect(link.one.notices.first?.hasPrefix("the clock of other is 400 days behind this one") == true)
        // It stands at the present of the office, so the reset of a second later holds.
        let later = Timestamp(seconds: 1_792_404_601)
        let second = Request(locationId: "default", timestamp: later, .reset(Reset(to: 5)))
        _ = try office.append([second], receivedAt: later)
        try link.pass(changesOf: link.other)
        #expect(try [level(door), level(office)] == [5, 5])
        try expectSame(door, office)
    }

    @Test func `A side that says nothing is left`() throws {
        var time = MonotonicTime.now
        let session = try SyncSession(door, name: "door", join: nil) { (time, Self.noon) }
        time = time + .seconds(21)
        try session.advance()
        time = time + .seconds(40)
        #expect(throws: ProgramError.self) { try session.advance() }
    }
}
