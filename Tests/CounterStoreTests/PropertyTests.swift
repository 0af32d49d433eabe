import CounterModel
import Linux
import TestSupport
import Testing

@testable import CounterStore

/// Random scripts, the same for the same seed.
@Suite struct PropertyTests {
    private static let locations: [Identifier] = ["default", "door"]
    let directory = TemporaryDirectory()

    @Test(arguments: Volume.of(sample: 6, full: UInt64(1)...24))
    func theDerivedStateIsTheFold(seed: UInt64) throws {
        let journal = try makeJournal()
        var script = Script(seed: seed, isExtreme: seed > 16)
        var model = BruteForce(receivedAt: 500_000_000, after: try journal.lastPosition())
        var past: [(end: Position, levels: [Int])] = []
        let other = try SQLiteJournal(in: directory)
        for number in 0..<60 {
            let requests = script.batch(upTo: model.position)
            // What a writer remembers of its last transaction holds until the other one writes.
            let writer = number % 3 == 2 ? other : journal
            let answers = try writer.append(requests, receivedAt: Timestamp(microseconds: 500_000_000))
            for (request, answer) in zip(requests, answers) {
                #expect(model.apply(request) == answer.outcome.isAccepted, "\(request) \(answer)")
                #expect(answer.level == model.level(request.row.location))
            }
            for location in Self.locations {
                #expect(try journal.level(location) == model.level(location))
            }
            past.append((try journal.lastPosition(), Self.locations.map(model.level)))
        }
        try expectStatesOfThePast(journal, past)
        try expectConsistent(journal)
        // At the ends of Int an entry may have fitted only because of another that is void now.
        if seed <= 16 { try expectExportReproduces(journal) }
        try expectUndoReachesTheLastEnd(journal, &model, isExtreme: seed > 16)
    }

    /// Each row's states are those that the journal had then, wherever the reading starts.
    private func expectStatesOfThePast(_ journal: SQLiteJournal, _ past: [(end: Position, levels: [Int])])
        throws
    {
        var reader = StateChanges(journal, after: .start)
        let all = try reader.next()
        var levels = Dictionary(uniqueKeysWithValues: Self.locations.map { ($0, 0) })
        var rows = all[...]
        for (end, expected) in past {
            while let row = rows.first, row.position <= end {
                #expect(row.before.level == levels[row.before.locationId])
                levels[row.after.locationId] = row.after.level
                rows.removeFirst()
            }
            #expect(Self.locations.map { levels[$0] } == expected, "at \(end)")
        }
        for start in stride(from: 0, to: all.count, by: 17) {
            var later = StateChanges(journal, after: start == 0 ? .start : all[start - 1].position)
            #expect(
                try later.next().elementsEqual(all[start...]) {
                    $0.before.level == $1.before.level && $0.after == $1.after
                })
        }
    }

    private func makeJournal() throws -> SQLiteJournal {
        let journal = try SQLiteJournal(in: directory)
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        return journal
    }

    private func expectConsistent(_ journal: SQLiteJournal) throws {
        #expect(try journal.verify() == [])
        let before = try Self.locations.map { try journal.state(of: $0) }
        try journal.rebuild()
        #expect(try Self.locations.map { try journal.state(of: $0) } == before)
        #expect(try journal.verify() == [])
    }

    private func expectExportReproduces(_ journal: SQLiteJournal) throws {
        let copy = try SQLiteJournal(in: directory, "copy")
        _ = try copy.add(Location(id: "door", name: "door", timezone: "UTC"))
        let lines = try journal.asImport(fileHash: "export")
        // Cut twice, then to its end, and once more.
        var taken = 0
        for count in [lines.count / 3, lines.count * 2 / 3, lines.count, lines.count] {
            let summary = try copy.import(
                lines.prefix(count).lazy.map { .row($0.row) },
                receivedAt: Timestamp(microseconds: 900_000_000), groupSize: 7)
            #expect(summary.accepted == count - taken)
            #expect(summary.duplicate == taken)
            taken = count
        }
        for location in Self.locations {
            #expect(try copy.level(location) == journal.level(location))
            #expect(try copy.summary(of: location) == journal.summary(of: location))
        }
        #expect(try copy.verify() == [])
    }

    private func expectUndoReachesTheLastEnd(
        _ journal: SQLiteJournal, _ model: inout BruteForce, isExtreme: Bool
    ) throws {
        for location in Self.locations {
            var isLeft = true
            while isLeft {
                let outcome = try #require(try journal.ask(Ask.undo(location)).first)
                isLeft = model.apply(Ask.undo(location))
                #expect(outcome.isAccepted == isLeft)
                #expect(try journal.level(location) == model.level(location))
            }
            // At the ends of Int what others did may be in the way.
            if !isExtreme { #expect(model.ownCount(location) == 0) }
            if model.effectiveCount(location) == 0 {
                #expect(try journal.level(location) == 0)
            }
        }
        #expect(try journal.verify() == [])
    }
}

/// A random script.
private struct Script {
    private var random: SplitMix64
    private let values: [Int]
    private let isExtreme: Bool
    private var number = 0
    private var serial: Int64 = 0

    /// An extreme script resets to the ends of `Int` and next to them.
    init(seed: UInt64, isExtreme: Bool) {
        random = SplitMix64(seed: seed)
        self.isExtreme = isExtreme
        values = isExtreme ? [Int.max, Int.min, Int.max - 1, Int.min + 2] : [0, 0, 5, -3, 1_000]
    }

    /// Up to five requests, some of which void a position up to the given one.
    mutating func batch(upTo position: Int64) -> [Request] {
        (0...Int.random(in: 0..<5, using: &random)).map { _ in request(upTo: position) }
    }

    private mutating func request(upTo position: Int64) -> Request {
        let location: Identifier = Bool.random(using: &random) ? "default" : "door"
        // Within some minutes, each another, so that late entries meet earlier rows.
        serial += 1
        let time = Int64.random(in: 0..<1_000, using: &random) * (isExtreme ? 1_000 : 499_000) + serial
        switch Int.random(in: 0..<27, using: &random) {
        case 0...1: return Ask.reset(value(), at: time, location)
        case 2...4: return Ask.void(Int64.random(in: 0...position + 1, using: &random), location)
        case 5...7: return Ask.undo(location, at: time)
        case 16: return Ask.correction(amount(), at: time, location)
        case 17: return Ask.correction(amount(), at: time, location, user: "ben")
        case 18: return Ask.count(type(), at: time, location, device: "stranger")
        case 20: return Ask.press(type(), at: time, location, times: Int.random(in: 2...5, using: &random))
        case 21:
            let first = Int64.random(in: 1...position + 1, using: &random)
            return Ask.void(first...first + Int64.random(in: 0..<5, using: &random), location)
        case 22: return Ask.endOfDay(at: time, location)
        case 23...25: return Ask.redo(location, at: time)
        case 26:
            let position = Int64.random(in: 1...position + 1, using: &random)
            return Ask.void(position, at: time, location, user: Ask.me)
        case 8...10:
            number += 1
            return Ask.count(type(), at: time, location, device: "far", number: number)
        default:
            let device = Bool.random(using: &random) ? "a" : "b"
            let continues = Int.random(in: 0..<3, using: &random) > 0
            // One device per location: a hold that changes its location is tested elsewhere, by a table of cases.
            return Ask.count(type(), at: time, location, device: "\(location)\(device)", continues: continues)
        }
    }

    private mutating func amount() -> Correction.Amount {
        let number = Int.random(in: -4...4, using: &random)
        return Bool.random(using: &random) ? .to(isExtreme ? value() : number) : .by(number == 0 ? 5 : number)
    }

    private mutating func type() -> EntryType {
        Bool.random(using: &random) ? .in : .out
    }

    private mutating func value() -> Int {
        values.randomElement(using: &random) ?? 0
    }
}

extension SQLiteJournal {
    /// All rows that are not void, as lines of a file.
    func asImport(fileHash: String) throws -> [Request] {
        var requests: [Request] = []
        try forEachRow { row in
            let line = ImportLine(fileHash: fileHash, number: requests.count + 1)
            let (time, location) = (row.timestamp.microseconds, row.location)
            switch row.content {
            case .entry(let entry):
                requests.append(
                    Ask.count(
                        entry.type, at: time, location, device: entry.deviceId, source: .import,
                        number: entry.sequenceNumber, continues: entry.continuesHold, line: line))
            case .correction(let correction):
                requests.append(Ask.correction(.by(correction.difference), at: time, location, line: line))
            case .reset(let reset): requests.append(Ask.reset(reset.value, at: time, location, line: line))
            case .endOfDay: requests.append(Ask.reset(0, at: time, location, line: line))
            default:
                Issue.record("not a row of the level")
            }
        }
        return requests
    }
}
