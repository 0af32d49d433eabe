import CounterModel
import Linux
import TestSupport
import Testing

@testable import CounterStore
@testable import Transfer

/// Several machines count the same places, with clocks that are wrong and set, and hear of one another in any order, in pieces and
/// twice. Journals are copied to other machines, and put back to earlier copies. In the end all hold the same rows, and then all of them show what a fold of the set of these rows says.
///
/// A seed is four programs: 600 of them in the sample, 100,000 at full volume. Clocks of the process's zone are shared, therefore one
/// at a time.
@Suite(.serialized) struct AgreementTests {
    @Test(arguments: Volume.of(sample: 150, full: UInt64(1)...25_000))
    func `Journals that hold the same rows agree, whatever came first`(seed: UInt64) throws {
        let machines = try Machines(seed: seed)
        // Four programs, each on what the one before has left.
        for number in 1...4 {
            try machines.run()
            let comment: Comment = "seed \(seed), program \(number)"
            let rows = try machines.all[0].rows()
            let expected = try (tables: machines.all[0].tables(), shown: machines.all[0].shown())
            for machine in machines.all {
                let verified = try machine.journal.verify()
                #expect(verified == [], "seed \(seed), program \(number): \(verified)")
                #expect(try machine.rows() == rows, comment)
                let tables = try machine.tables()
                for (table, content) in expected.tables { #expect(tables[table] == content, comment) }
                #expect(try machine.shown() == expected.shown, comment)
            }
            // All tables are the same, so one machine shows for all what they say.
            let machine = machines.all[(Int(seed) + number) % machines.all.count]
            for location in try machine.journal.locations() {
                let (figures, fold) = (
                    try machine.figures(of: location), SetOfRows(rows, in: location.id).fold()
                )
                #expect(figures == fold, comment)
                #expect(try machine.lastLevel(of: location) == fold.level, comment)
            }
        }
    }

    @Test func `A level that two journals lead out of the range of Int stays at its end`() throws {
        let machines = try Machines(seed: 1)
        let (one, other) = (machines.all[0], machines.all[1])
        func ask(_ machine: Machine, _ content: RowContent, at seconds: Int) throws {
            let time = Timestamp(seconds: 1_790_000_000 + seconds)
            _ = try machine.journal.append(
                [Request(locationId: "hall", timestamp: time, content)], receivedAt: time)
        }
        let entry = Entry(.in, deviceId: "key", source: .hardware)
        try ask(one, .reset(Reset(to: .max)), at: 0)
        try ask(other, .entry(entry), at: 60)
        try ask(other, .entry(entry), at: 180)
        try machines.exchange()
        for machine in machines.all {
            let hall = try #require(try machine.journal.locations().last)
            #expect(try machine.journal.state(of: "hall")?.level == .max)
            #expect(try machine.journal.verify() == [])
            let (from, to) = (Timestamp(seconds: 1_790_000_030), Timestamp(seconds: 1_790_000_120))
            let kpis = try machine.journal.kpis(of: hall, hours: [from], end: to, now: to, silence: .max)
            #expect((kpis.totalIn, kpis.closingLevel) == (1, .max))
            var changes = StateChanges(machine.journal, after: .start)
            #expect(try changes.next().last?.after.level == .max)
        }
        // What was forced in is still refused to hands.
        let time = Timestamp(seconds: 1_790_001_000)
        let refused = try one.journal.append(
            [Request(locationId: "hall", timestamp: time, .entry(entry))], receivedAt: time)
        #expect(refused.map(\.outcome) == [.refused(.overflow)])
    }

    @Test func `In the order of arrival they would not agree`() throws {
        var differences = 0
        for seed: UInt64 in 1...20 {
            let machines = try Machines(seed: seed)
            try machines.run()
            for machine in machines.all {
                for location in try machine.journal.locations() {
                    let rows = SetOfRows(try machine.rows(inOrderOfArrival: true), in: location.id)
                    if try machine.figures(of: location) != rows.fold(isSorted: true) { differences += 1 }
                }
            }
        }
        #expect(differences > 20, "\(differences)")
    }
}

// MARK: - The fold

/// The rows of a location as text, and what they add up to: one list, sorted, and gone through.
struct SetOfRows {
    struct Figures: Equatable {
        var level = 0
        var capacity: String?
        /// The level at each reset, with the row.
        var resets: [String] = []
        /// By the hours since 1970: entries in and out, and the level at the end of an hour in which something counted.
        var hours: [Int: [Int]] = [:]
    }

    private let rows: [[String]]

    /// Each row: `orderedAt`, place, location, kind, when it counts, difference or value, what identifies the event, target, setting,
    /// text; of a clock row the first and the last place that it names, by how much it moves them, and their latest time.
    init(_ rows: [[String]], in location: Identifier) { self.rows = rows.filter { $0[2] == location.text } }

    func fold(isSorted: Bool = false) -> Figures {
        let targets = Set(rows.map { $0[7] })
        let clocks = rows.filter { $0[3] == "clock" && !targets.contains($0[1]) }
        let moved = rows.map { Self.moved($0, by: clocks) }
        // Automatic ends are the same where they are at the same place in the order.
        let identities = moved.map {
            ($0[1], $0[6].isEmpty ? $0[1] : $0[6] == "end" ? "end \($0[0])" : $0[6])
        }
        let identity = Dictionary(uniqueKeysWithValues: identities)
        let voids = Set(targets.map { identity[$0] ?? "" })
        let sorted = isSorted ? moved : moved.sorted { (Int($0[0]) ?? 0, $0[1]) < (Int($1[0]) ?? 0, $1[1]) }
        // The first of the rows that say the same counts, and is void if any of them is.
        var first: [String: String] = [:]
        for row in sorted { first[identity[row[1]] ?? ""] = first[identity[row[1]] ?? ""] ?? row[1] }
        var (figures, begin) = (Figures(), Int.min)
        var steps: [(time: Int, difference: Int, isEntry: Bool, level: Int?)] = []
        for row in sorted {
            let (order, time, value) = (Int(row[0]) ?? 0, Int(row[4]) ?? 0, Int(row[5]) ?? 0)
            if row[3] == "setting", row[8] == "capacity" { figures.capacity = row[9].isEmpty ? nil : row[9] }
            let event = identity[row[1]] ?? ""
            guard first[event] == row[1], !voids.contains(event) else { continue }
            switch row[3] {
            case "entry", "correction":
                figures.level += value
                steps.append((max(time, begin), value, row[3] == "entry", nil))
            case "reset":
                figures.resets.append("\(order) \(row[1]) \(figures.level)")
                (figures.level, begin) = (value, order)
                steps.append((order, 0, false, value))
            default: break
            }
        }
        figures.hours = Self.hours(steps)
        return figures
    }

    /// A row with the times that clock rows give it: moved by all steps, and at the earliest limit at the latest. What is moved
    /// stands where it counts.
    private static func moved(_ row: [String], by clocks: [[String]]) -> [String] {
        var row = row
        let own = clocks.filter { $0[10] <= row[1] && row[1] <= $0[11] }
        let step = own.reduce(0) { $0 + (Int($1[12]) ?? 0) }
        let latest = own.reduce(Int.max) { min($0, Int($1[13]) ?? .max) }
        let time = (Int(row[4]) ?? 0) + step
        row[0] = "\(min(step == 0 ? Int(row[0]) ?? 0 : time, latest))"
        row[4] = "\(min(time, latest))"
        return row
    }

    /// Within a segment the steps come in the order of time.
    private static func hours(_ steps: [(time: Int, difference: Int, isEntry: Bool, level: Int?)]) -> [Int:
        [Int]]
    {
        var (hours, level): ([Int: [Int]], Int) = ([:], 0)
        let inTime = steps.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        for (_, step) in inTime {
            level = step.level ?? level + step.difference
            let hour = step.time >= 0 ? step.time / 3_600_000_000 : -1
            var known = hours[hour] ?? [0, 0, 0]
            if step.isEntry { known[step.difference > 0 ? 0 : 1] += 1 }
            known[2] = level
            hours[hour] = known
        }
        return hours
    }
}
