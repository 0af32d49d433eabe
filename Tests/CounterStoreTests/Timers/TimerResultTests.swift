import Linux
import TestSupport
import Testing

@testable import CounterModel
@testable import CounterStore

/// What timers count, against one pass over all rows of the journal.
@Suite final class TimerResultTests: NewJournal {
    /// How long a history is, in microseconds.
    private static let length: Int64 = 1_000_000_000

    @Test func resultsAreThoseOfOnePassOverTheEntries() throws {
        for seed in 0..<Volume.of(sample: 1_000, full: 10_000) {
            var random = SplitMix64(seed: UInt64(seed))
            let locations: [Identifier] = ["a\(seed)", "b\(seed)", "c\(seed)"]
            for id in locations { _ = try journal.add(Location(id: id, name: id.text, timezone: "UTC")) }
            let first = try journal.lastPosition()
            _ = try journal.append(
                Self.history(&random, locations, after: first),
                receivedAt: Timestamp(microseconds: Self.length))
            // Undo and late rows, after everything else.
            _ = try journal.append(
                [
                    Ask.undo(locations[0]), Ask.undo(locations[1]),
                    Ask.count(at: 7_000_000, locations[0], device: "late"),
                ],
                receivedAt: Timestamp(microseconds: Self.length + 1))
            let timer = try Self.timer(
                &random, locations: .some(Array(locations.prefix(1 + random.below(3)))), after: first)
            let now = Timestamp(microseconds: Self.length + 5_000_000)
            let result = try journal.result(of: timer, at: now)
            let expected = try Self.onePass(journal, after: first, timer, at: now)
            #expect(result == expected, "seed \(seed)")
        }
        #expect(try journal.verify() == [])
    }

    @Test func allLocationsAreCounted() throws {
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        let timers = TimerService(journal, userId: Ask.me)
        let start = Timestamp(microseconds: 1_000_000)
        let timer = try timers.start(TimerSetup(seconds: 10), at: TimerMoment(now: start))
        try journal.ask(
            Ask.count(at: 999_999), Ask.count(at: 1_000_000), Ask.count(.out, at: 5_000_000, "door"),
            Ask.correction(.by(5), at: 5_000_000), Ask.count(at: 11_000_000))
        // The tests append at 10 s; nothing counts later than it was received.
        let result = try journal.result(of: timer, at: Timestamp(microseconds: 20_000_000))
        #expect(result.totalIn == 2 && result.totalOut == 1 && result.net == 1)
        #expect(result.locations.map(\.locationId) == ["default", "door"])
    }

    private static func history(_ random: inout SplitMix64, _ locations: [Identifier], after: Position)
        -> [Request]
    {
        (0..<40).map { index in
            let (location, time) = (random.element(of: locations), Int64(random.below(Int(length))))
            let earlier = after.number + 1 + Int64(random.below(max(1, index)))
            return switch random.below(10) {
            case 0: Ask.void(earlier, location)
            case 1: Ask.undo(location, at: time)
            case 2: Ask.correction(.by(1 + random.below(5)), at: time, location)
            case 3: Ask.reset(random.below(9), at: time, location)
            case 4: Ask.entries(1 + random.below(3), at: time, location)
            default:
                Ask.count(
                    random.below(3) == 0 ? .out : .in, at: time, location,
                    device: random.element(of: ["a", "b"]), number: random.below(4) == 0 ? index : nil)
            }
        }
    }

    /// A timer with rounds, pauses and clocks that were set.
    private static func timer(
        _ random: inout SplitMix64, locations: TimerLocations, after first: Position
    ) throws -> TimerData {
        var board = TimerBoard()
        let id = UniqueId()
        var (time, offset, position) = (Int64(random.below(200_000_000)), Int64(0), first.number)
        func apply(_ event: TimerEvent) {
            position += 5
            board.apply(
                TimerRow(
                    position: Position(position), timestamp: Timestamp(microseconds: time), userId: nil,
                    content: TimerRowContent(event, clock: ClockReference(bootId: "x", offset: offset))))
        }
        let setup = TimerSetup(
            seconds: 1 + random.below(300), locations: locations, rounds: 1 + random.below(3),
            pauseSeconds: random.below(40), leadInSeconds: random.below(4))
        apply(.started(id, setup))
        for _ in 0..<random.below(6) {
            time += Int64(random.below(80_000_000))
            switch random.below(3) {
            case 0:
                let shift = Int64(random.below(200_000_000)) - 100_000_000
                (time, offset) = (time + shift, offset + shift)
                apply(.clockSet)
            case 1: apply(.action(id, .pause))
            default: apply(.action(id, .resume))
            }
        }
        if random.below(2) == 0 { apply(.action(id, .stop)) }
        return try #require(board.timer(id))
    }

    private static func onePass(
        _ journal: SQLiteJournal, after: Position, _ timer: TimerData, at now: Timestamp
    ) throws -> TimerResult {
        let rows = try journal.feed(after: after, limit: 1_000)
        let void = Set(
            rows.compactMap { row -> Int64? in
                guard case .void(let target, _) = row.row.content else { return nil }
                return target.number
            })
        let windows = timer.countedWindows(at: now)
        let counts = windows.map { window in
            var found: [Identifier: TimerCount] = [:]
            for row in rows where !void.contains(row.row.id.number) {
                guard case .entry(let entry) = row.row.content,
                    timer.locations.contains(row.row.location)
                else { continue }
                let time = row.row.countedAt
                let isIn = window.parts.contains { part in
                    part.from <= time && time < part.to && part.after < row.row.id
                        && part.before.map { row.row.id < $0 } ?? true
                        && part.receivedBefore.map { row.row.receivedAt < $0 } ?? true
                }
                guard isIn else { continue }
                let id = row.row.location
                var count = found[id] ?? TimerCount(locationId: id, totalIn: 0, totalOut: 0)
                if entry.type == .in { count.totalIn += 1 } else { count.totalOut += 1 }
                found[id] = count
            }
            return Array(found.values)
        }
        return TimerResult(windows, counts)
    }
}
