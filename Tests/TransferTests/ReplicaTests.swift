import CounterModel
import CounterStore
import Linux
import TestSupport
import Testing

@testable import Transfer

/// What a journal has stored, other journals take over, and then show the same figures: random journals on machines whose
/// clocks are set by seconds to days, both ways, while they count.
///
/// Alpha counts and is fed into beta, which counts too; both are exported and imported.
/// Clocks of the process's zone are shared, therefore one at a time.
@Suite(.serialized) final class ReplicaTests: SyncPlace {
    @Test(arguments: Volume.of(sample: 24, full: UInt64(1)...3_000))
    func `A journal is accepted by every other, and the figures are the same`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let alpha = try Machine(folder.path(of: "alpha"), 0, random: random.next())
        let beta = try Machine(folder.path(of: "beta"), 1, random: random.next())
        var fed = Position.start
        var heard: [Request] = []
        for _ in 0..<(4 + random.below(12)) {
            try work(alpha, &random, &heard)
            if random.below(2) == 0 { try work(beta, &random, &heard) }
            if random.below(3) == 0 {
                fed = try feed(alpha.journal, after: fed, into: beta.journal, at: Self.late)
            }
        }
        _ = try feed(alpha.journal, after: fed, into: beta.journal, at: Self.late)
        for (machine, name) in [(alpha, "alpha"), (beta, "beta")] {
            let copy = try imported(machine.journal, as: "copy of \(name)", seed)
            try expectEqual(machine.journal, copy, "\(name) imported, seed \(seed)")
        }
    }

    /// What machines do, and besides imports of days with their ends, and what undo has taken back.
    private func work(
        _ machine: Machine, _ random: inout SplitMix64, _ heard: inout [Request]
    ) throws {
        for _ in 0...random.below(8) {
            let location: Identifier = random.below(2) == 0 ? "default" : "hall"
            switch random.below(18) {
            case 0: try importDay(of: location, on: machine, &random)
            case 1:
                let request = Request(
                    locationId: location, userId: "ada", timestamp: machine.now, .voidByWork,
                    .redo(machine.scope))
                _ = try machine.journal.append([request], receivedAt: machine.now)
            default: try machine.work(&heard)
            }
        }
    }

    /// Imports counts of a day, mostly of the past, and ends it.
    private func importDay(of id: Identifier, on machine: Machine, _ random: inout SplitMix64) throws {
        guard let location = try machine.journal.locations().first(where: { $0.id == id }) else { return }
        let time = machine.now - .seconds(86_400 * random.below(5))
        let day = location.calendar(about: time).day(containing: time)
        let hash = "file \(random.next())"
        let rows = (1...random.below(5) + 1).map { number in
            let time = day.start + .seconds(random.below(82_800))
            let entry = Entry(random.below(3) == 0 ? .out : .in, deviceId: "import", source: .import)
            return ImportItem.row(
                JournalRow(
                    origin: .line(ImportLine(fileHash: hash, number: number)), locationId: id,
                    timestamp: time, receivedAt: time, .entry(entry)))
        }
        let end = ImportItem.endOfDay(FileDay(day, of: id, inFile: hash))
        _ = try machine.journal.import(rows + [end], receivedAt: machine.now)
    }

    @Test func `A day that was counted by a clock ahead and ended by the right one is restored`() throws {
        let source = try journal("alpha")
        try count(3, in: source, at: 7_200)
        try endDay(of: source, at: 0)
        try count(1, in: source, at: 10)
        let copy = try imported(source, as: "copy", 0)
        #expect(try copy.state(of: "default")?.level == 1)
        try expectEqual(source, copy, "imported")
    }

    @Test func `A day that another journal ended at a lower level goes on to a third`() throws {
        let (alpha, beta, gamma) = (try journal("alpha"), try journal("beta"), try journal("gamma"))
        try count(3, in: alpha, at: 0)
        try endDay(of: alpha, at: 10)
        try count(1, in: alpha, at: 20)
        try count(10, in: beta, at: 5)
        _ = try feed(alpha, after: .start, into: beta, at: Self.late)
        _ = try feed(beta, after: .start, into: gamma, at: Self.late)
        #expect(try [beta, gamma].map { try $0.state(of: "default")?.level } == [1, 1])
        #expect(try gamma.endedDays(of: "default").map(\.snapshot.finalLevel) == [3])
        try expectEqual(beta, gamma, "fed")
    }

    @Test func `A row of another journal says where it was made, by that journal's last name`() throws {
        let (alpha, beta, gamma) = (try journal("alpha"), try journal("beta"), try journal("gamma"))
        func actors(_ journal: SQLiteJournal) throws -> [String?] {
            try journal.history(of: "default", .all).flatMap { [$0.actor, $0.void?.actor] }
        }
        func change(_ content: RowContent, by user: String?) throws {
            let request = Request(locationId: "default", userId: user, timestamp: Self.noon, content)
            _ = try alpha.append([request], receivedAt: Self.noon)
        }
        try change(.entry(Entry(.in, deviceId: "terminal", source: .manual)), by: "ada")
        var fed = try feed(alpha, after: .start, into: beta, at: Self.noon)
        #expect(try actors(beta) == ["ada on \(alpha.id().prefix(8))", nil])
        try alpha.rename(ifNamelessTo: "door-3", at: Self.noon)
        try alpha.rename(ifNamelessTo: "another", at: Self.noon)
        try change(.void(Position(1)), by: "eve")
        try change(.entry(Entry(.in, deviceId: "gate", source: .hardware)), by: nil)
        fed = try feed(alpha, after: fed, into: beta, at: Self.noon)
        #expect(try actors(beta) == ["ada on door-3", "by eve on door-3", "on door-3", nil])
        try alpha.rename(to: "Door 4", at: Self.noon)
        _ = try feed(alpha, after: fed, into: beta, at: Self.noon)
        _ = try feed(beta, after: .start, into: gamma, at: Self.noon)
        let named = ["ada on Door 4", "by eve on Door 4", "on Door 4", nil]
        #expect(try [actors(beta), actors(gamma)] == [named, named])
        #expect(try actors(alpha) == ["ada", "by eve", nil, nil])
        #expect(
            try gamma.journals().map { "\($0.name ?? "-") \($0.isOwn) \($0.rows)" } == [
                "- true 0", "Door 4 false 5",
            ])
        try expectEqual(beta, gamma, "fed")
        _ = try feed(beta, after: .start, into: alpha, at: Self.noon)
        #expect(try alpha.journals().map(\.name) == ["Door 4"])
    }

    // MARK: - Clocks that were wrong

    @Test func `What a clock ahead has ordered counts when it is heard of, until that is taken back`() throws
    {
        let (alpha, beta) = (try journal("alpha"), try journal("beta"))
        try count(3, in: alpha, at: 86_400)
        _ = try feed(alpha, after: .start, into: beta, at: Self.noon)
        let clock = try #require(try beta.feed(after: Position(3), limit: .max).last)
        let mend = ClockMend(journalId: try alpha.id(), rows: Position(1)...Position(3), .latest(Self.noon))
        #expect(clock.row.content == .clock(mend))
        #expect(try times(beta) == [0, 0, 0, 0])
        try ask(.reset(Reset(to: 0)), of: beta, at: 5)
        #expect(try beta.state(of: "default")?.level == 0)
        _ = try feed(beta, after: .start, into: alpha, at: Self.noon + .seconds(5))
        try expectEqual(beta, alpha, "mended")
        // Now the three are after the reset again.
        try ask(.void(clock.row.id), of: beta, at: 10)
        #expect(try beta.state(of: "default")?.level == 3)
        #expect(try times(beta) == [0, 5, 86_400, 86_400, 86_400])
        _ = try feed(beta, after: .start, into: alpha, at: Self.noon + .seconds(10))
        try expectEqual(beta, alpha, "taken back")
    }

    @Test func `A clock that is ahead by a second is not mended`() throws {
        let (alpha, beta) = (try journal("alpha"), try journal("beta"))
        try count(1, in: alpha, at: 1)
        _ = try feed(alpha, after: .start, into: beta, at: Self.noon)
        #expect(try beta.lastPosition() == Position(1))
    }

    @Test func `What was counted before the clock was set moves with it, until that is taken back`() throws {
        let (alpha, beta) = (try journal("alpha"), try journal("beta"))
        try count(1, in: beta, at: -3_600)
        try ask(.reset(Reset(to: 5)), of: beta, at: -3_000)
        _ = try feed(beta, after: .start, into: alpha, at: Self.noon)
        // A machine that booted with a clock two hours behind.
        let day = Request(
            locationId: "default", timestamp: Self.noon - .seconds(7_200),
            .entry(Entry(.in, deviceId: "door", source: .hardware)), order: .ownTime)
        _ = try alpha.append([day], receivedAt: Self.noon - .seconds(7_200))
        #expect(try alpha.state(of: "default")?.level == 5)
        let rows = Position(3)...Position(3)
        try ask(.clock(ClockMend(journalId: alpha.id(), rows: rows, .by(.seconds(7_200)))), of: alpha, at: 60)
        #expect(try alpha.state(of: "default")?.level == 6)
        #expect(try times(alpha) == [-3_600, -3_000, 0, 60])
        _ = try feed(alpha, after: .start, into: beta, at: Self.noon + .seconds(60))
        try expectEqual(alpha, beta, "moved")
        try ask(.void(Position(4)), of: alpha, at: 70)
        #expect(try alpha.state(of: "default")?.level == 5)
        #expect(try times(alpha) == [-7_200, -3_600, -3_000, 60])
        _ = try feed(alpha, after: .start, into: beta, at: Self.noon + .seconds(70))
        try expectEqual(alpha, beta, "taken back")
    }

    @Test func `A rebuild moves the rows again that the clock rows name`() throws {
        let alpha = try journal("alpha")
        try count(2, in: alpha, at: 0)
        let mend = ClockMend(journalId: try alpha.id(), rows: Position(1)...Position(2), .by(.seconds(-60)))
        try ask(.clock(mend), of: alpha, at: 60)
        try RawDatabase(alpha.path).execute("UPDATE journal SET movedBy = NULL, latestAt = NULL")
        #expect(try alpha.verify().count > 2)
        try alpha.rebuild()
        #expect(try alpha.verify() == [])
        #expect(try times(alpha) == [-60, -60, 60])
    }

    private func ask(_ content: RowContent, of journal: SQLiteJournal, at seconds: Int) throws {
        let now = Self.noon + .seconds(seconds)
        let request = Request(locationId: "default", userId: "ada", timestamp: now, content)
        let answers = try journal.append([request], receivedAt: now)
        #expect(answers.allSatisfy { if case .refused = $0.outcome { false } else { true } })
    }

    /// When the rows of the history count, in seconds from noon.
    private func times(_ journal: SQLiteJournal) throws -> [Int] {
        try journal.history(of: "default", .all).map { Int($0.countedAt.seconds - Self.noon.seconds) }
    }

    /// After all times of these journals, so that no clock of theirs is ahead.
    private static let late = Timestamp(seconds: 1_900_000_000)

    private func endDay(of journal: SQLiteJournal, at seconds: Int) throws {
        let location = try #require(try journal.locations().first)
        let now = Timestamp(seconds: Self.noon.seconds + seconds)
        _ = try DayEnd(of: location, in: journal, now: now).end(at: now)
    }

    // Sends the rows after a position as lines; the position of the last one.
    private func feed(
        _ source: SQLiteJournal, after position: Position, into target: SQLiteJournal, at now: Timestamp
    ) throws -> Position {
        let rows = try source.feed(after: position, limit: .max)
        let requests = try rows.map { Request(try LineFields(json: Array($0.line.utf8)[...]).row()) }
        let answers = try target.append(requests, receivedAt: now)
        for (row, answer) in zip(rows, answers) {
            if case .refused(let why) = answer.outcome { Issue.record("\(why): \(row)") }
        }
        return rows.last?.row.id ?? position
    }

    private func imported(_ journal: SQLiteJournal, as name: String, _ seed: UInt64) throws
        -> SQLiteJournal
    {
        try folder.write("export.jsonl", journal.exported().joined(separator: "\n"))
        let copy = try self.journal(name)
        let file = try ImportFile(path: folder.path(of: "export.jsonl"), format: nil)
        var problems: [String] = []
        let report = try ImportReport("", into: copy, now: Self.late) { problems.append($0.message) }
        let items = try ImportItems(
            ImportReader(file), hash: file.hash, location: "default", report: report)
        _ = try copy.import(items, receivedAt: Self.late) { report.note($0, progress: items.progress) }
        report.finish()
        #expect(report.refused == 0, "seed \(seed): \(problems)")
        return copy
    }

    private func expectEqual(_ source: SQLiteJournal, _ copy: SQLiteJournal, _ what: Comment) throws {
        #expect(try source.verify() == [], what)
        #expect(try copy.verify() == [], what)
        #expect(try copy.locations() == source.locations(), what)
        for location in try source.locations() {
            #expect(try copy.state(of: location.id) == source.state(of: location.id), what)
            let rows = try source.history(of: location.id, .all).map(\.unnamed)
            #expect(try copy.history(of: location.id, .all).map(\.unnamed) == rows, what)
            #expect(try copy.endedDays(of: location.id) == source.endedDays(of: location.id), what)
            guard let first = rows.first?.countedAt, let last = rows.last?.countedAt else { continue }
            let hours = location.calendar(for: first...last)
                .hourStarts(in: first.startOfMinute..<Timestamp(microseconds: last.microseconds + 1))
            func kpis(_ journal: SQLiteJournal) throws -> KPIs {
                try journal.kpis(of: location, hours: hours, end: last, now: last, silence: .max)
            }
            #expect(try kpis(copy) == kpis(source), what)
        }
    }
}

extension HistoryRow {
    /// Without the names of journals, which a journal does not give its own rows.
    fileprivate var unnamed: HistoryRow {
        HistoryRow(row, void: void.map { VoidMark(userId: $0.userId, time: $0.time) }, countedAt: countedAt)
    }
}
