import Foundation
import Linux
import TestSupport
import Testing

@testable import CounterModel
@testable import CounterStore
@testable import Transfer

/// Machines that count, hear of one another, are copied and put back.
final class Machines {
    private(set) var all: [Machine] = []
    private var random: SplitMix64
    private let folder: ScratchFolder
    /// How far each has read of each other.
    private var read: [[Position]]
    /// What each has sent, by its positions.
    private var sent: [[Position: Request]]
    /// What devices that two machines hear have sent.
    private var heard: [Request] = []
    /// One that is copied to another machine once, and one that is put back to an earlier copy.
    private var (cloned, restored): (Int?, Int?)

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        folder = try ScratchFolder()
        let count = 2 + random.element(of: [0, 0, 0, 0, 0, 1, 1, 2])
        cloned = random.below(3) == 0 ? random.below(count) : nil
        restored = random.below(3) == 0 ? random.below(count) : nil
        read = Array(repeating: Array(repeating: .start, count: count), count: count)
        sent = Array(repeating: [:], count: count)
        for number in 0..<count {
            all.append(try Machine(folder.path(of: "\(number)"), number, random: random.next()))
        }
    }

    func run() throws {
        for _ in 0..<(3 + random.below(12)) {
            let machine = all[random.below(all.count)]
            for _ in 0...random.below(5) { try machine.work(&heard) }
            if random.below(6) == 0 { try machine.restart() }
            if let number = cloned, random.below(6) == 0 { try clone(number) }
            if let number = restored, random.below(6) == 0 { try restore(number) }
            for _ in 0..<random.below(3) {
                try deliver(from: random.below(all.count), to: random.below(all.count), isWhole: false)
            }
        }
        try exchange()
    }

    /// A machine's files are copied to another machine, and both count on.
    private func clone(_ number: Int) throws {
        cloned = nil
        let directory = folder.path(of: "\(all.count)")
        try all[number].copy(to: directory)
        all.append(try Machine(clone: all[number], directory, all.count, random: random.next()))
        for index in read.indices { read[index].append(read[index][number]) }
        read.append(read[number])
        read[all.count - 1][number] = try all[number].journal.lastPosition()
        sent.append(sent[number])
    }

    /// A machine is put back to an earlier copy, counts on, and then hears what it has lost. Where others hold other rows than it has
    /// written since, it continues under another id.
    private func restore(_ number: Int) throws {
        let machine = all[number]
        if try !machine.restore(from: folder.path(of: "copy of \(number)")) { return }
        restored = nil
        let last = try machine.journal.lastPosition()
        for _ in 0..<random.below(4) { try machine.work(&heard) }
        sent[number] = [:]
        for other in all.indices {
            (read[number][other], read[other][number]) = (.start, min(read[other][number], last))
        }
        for from in all.indices { try deliver(from: from, to: number, isWhole: true) }
    }

    /// Everybody hears all, also the clock rows that what was heard has caused.
    func exchange() throws {
        var before: [Position] = []
        while case let positions = try all.map({ try $0.journal.lastPosition() }), positions != before {
            before = positions
            for from in all.indices {
                for to in all.indices { try deliver(from: from, to: to, isWhole: true) }
            }
        }
    }

    /// Sends rows after what was read, or some of before again; all, or a piece.
    private func deliver(from: Int, to: Int, isWhole: Bool) throws {
        if from == to { return }
        let start = max(0, read[to][from].number - Int64(isWhole ? 0 : random.below(5)))
        let limit = isWhole ? .max : 1 + random.below(20)
        let rows = try all[from].journal.feed(after: Position(start), limit: limit)
        let requests = try rows.map { try request($0, from: from) }
        let answers = try all[to].journal.append(requests, receivedAt: all[to].now)
        let refused = zip(requests, answers).filter {
            if case .refused = $0.1.outcome { true } else { false }
        }
        let ids = try all[to].journal.ids()
        if let fork = refused.compactMap({ $0.0.row.origin?.identity }).filter(ids.areHere).map(\.position)
            .min()
        {
            _ = try all[to].journal.fork(at: fork, now: all[to].now)
            return try deliver(from: from, to: to, isWhole: isWhole)
        }
        for (request, answer) in refused { Issue.record("\(answer.outcome): \(request.row)") }
        read[to][from] = max(read[to][from], rows.last?.row.id ?? .start)
    }

    /// A row as it comes out of the line that a machine sends: the same to all.
    private func request(_ row: FeedRow, from: Int) throws -> Request {
        if let known = sent[from][row.row.id] { return known }
        let request = Request(try LineFields(json: Array(row.line.utf8)[...]).row())
        sent[from][row.row.id] = request
        return request
    }
}

/// A journal with its clock, its keys and devices, that does something at random.
final class Machine {
    private(set) var journal: SQLiteJournal
    private(set) var database: RawDatabase
    private(set) var now = Timestamp(seconds: 1_792_360_800)
    private let id: String
    private let device: Identifier
    /// What its user takes back.
    var scope: UndoScope { UndoScope(userId: "ada", deviceIds: [device]) }
    private var number = 0
    private var line = 0
    private var random: SplitMix64

    init(_ path: String, _ number: Int, random seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        id = String(random.next(), radix: 16)
        device = Identifier("keys-α-\(number)")
        journal = try Self.open(path, on: id)
        database = try RawDatabase(journal.path)
        // The same for the same seed.
        try database.execute("UPDATE identity SET id = '\(id)'")
        _ = try journal.add(Location(id: "hall", name: "Hall", timezone: "UTC"))
        if random.below(3) == 0 { pass(seconds: random.element(of: [-400_000, -3_600, 5, 90_000])) }
    }

    /// One whose files are a copy of another one's.
    init(clone other: Machine, _ path: String, _ number: Int, random seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        id = String(random.next(), radix: 16)
        device = Identifier("keys-α-\(number)")
        now = other.now
        journal = try Self.open(path, on: id)
        database = try RawDatabase(journal.path)
        try journal.followMachine()
        #expect(try journal.takeNewId() == .copied && journal.id() != other.journal.id())
        try database.execute(
            "UPDATE identity SET id = '\(id)' WHERE since = (SELECT max(since) FROM identity)")
    }

    private static func open(_ directory: String, on machine: String) throws -> SQLiteJournal {
        let journal = try SQLiteJournal(directory: directory, timezone: "UTC")
        try journal.access { try $0.execute("PRAGMA synchronous = OFF") }
        journal.clock = { nil }
        journal.machine = { machine }
        return journal
    }

    func restart() throws { journal = try Self.open(journal.directory, on: id) }

    func copy(to directory: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try database.execute("VACUUM INTO '\(directory)/journal.sqlite'")
        chmod(directory + "/journal.sqlite", 0o600)
    }

    /// Puts the copy that was made before in the journal's place; makes one where there is none yet, and returns false.
    func restore(from directory: String) throws -> Bool {
        guard access(directory, F_OK) == 0 else {
            try copy(to: directory)
            return false
        }
        database.close()
        journal = try Self.open(directory, on: id)
        database = try RawDatabase(journal.path)
        return true
    }

    private func pass(seconds: Int) {
        now = Timestamp(
            microseconds: now.microseconds + Int64(seconds) * 1_000_000 + Int64(random.below(999_983)))
    }

    func work(_ heard: inout [Request]) throws {
        pass(seconds: random.element(of: [0, 1, 20, 700, 4_000, 30_000]))
        if random.below(8) == 0 { pass(seconds: random.element(of: [60, 7_200, 90_000, 400_000])) }
        if random.below(7) == 0 { pass(seconds: -random.element(of: [2, 60, 3_600, 90_000, 400_000])) }
        let location: Identifier = random.below(2) == 0 ? "default" : "hall"
        switch random.below(12) {
        case 0: try endDay(of: location)
        case 1: _ = try journal.endDueDays(now: now)
        case 2: try importFile(location)
        case 3 where random.below(2) == 0: try useTimer()
        default: try append(location, &heard)
        }
    }

    private func endDay(of id: Identifier) throws {
        guard let location = try journal.locations().first(where: { $0.id == id }) else { return }
        let overdue = random.below(2) == 0 ? try journal.overdueDay(of: location, now: now)?.day : nil
        _ = try DayEnd(of: location, in: journal, now: now, overdue: overdue).end(at: now)
    }

    private func useTimer() throws {
        let service = TimerService(journal, userId: "ada")
        let moment = TimerMoment(now: now)
        try service.update()
        let timers = service.board(at: moment).timers(at: now)
        do {
            if timers.isEmpty || random.below(3) == 0 {
                _ = try service.start(TimerSetup(label: "eggs", seconds: 5_000), at: moment)
            } else {
                let action = random.element(of: [
                    TimerAction.pause, .resume, .stop, .acknowledge, .again, .remove,
                ])
                _ = try service.perform(action, on: random.element(of: timers).id, at: moment)
            }
        } catch is TimerRefusal {}
    }

    private func importFile(_ location: Identifier) throws {
        line += 100
        let items = (0..<random.below(6)).map { index -> ImportItem in
            let time = now + .seconds(random.below(90_000) - 80_000)
            let content: RowContent =
                random.below(5) == 0
                ? .reset(Reset(to: random.below(4)))
                : .entry(Entry(type(), deviceId: "file", source: .import))
            return .row(
                JournalRow(
                    origin: .line(ImportLine(fileHash: "file \(device)", number: line + index)),
                    locationId: location, timestamp: time, receivedAt: time, content))
        }
        _ = try journal.import(items, receivedAt: now)
    }

    private func append(_ location: Identifier, _ heard: inout [Request]) throws {
        var (change, work, order): (RowContent, Request.Work, Request.Order) = (.voidByWork, .append, .now)
        var time = now
        switch random.below(23) {
        case 22:
            let first = max(1, try journal.lastPosition().number - Int64(random.below(30)))
            let rows = Position(first)...Position(first + Int64(random.below(20)))
            let id = try random.element(of: [journal.id(), journal.id(), "f00d"])
            let step = Duration.seconds(random.element(of: [-400_000, -3_600, 61, 7_200, 400_000]))
            let limit = now + .seconds(random.element(of: [-90_000, -60, 0]))
            change = .clock(
                ClockMend(journalId: id, rows: rows, random.below(3) == 0 ? .latest(limit) : .by(step)))
        case 0:
            let amount = Correction.Amount.to(random.below(9))
            (change, work) = amount.correction(deviceId: "terminal", reason: "counted")
        case 1: change = .correction(Correction(by: random.below(9) + 1, deviceId: "terminal", reason: nil))
        case 2...3: change = .reset(Reset(to: random.below(5), deviceId: device))
        case 4: change = .setting(.capacity(random.below(2) == 0 ? nil : 5))
        case 5: change = .setting(.endsDaysAutomatically(random.below(3) > 0))
        case 6...7:
            change = .void(Position(max(1, try journal.lastPosition().number - Int64(random.below(40)))))
        case 8: work = .undo(scope)
        case 9...11:
            // A device with numbers and a clock of its own, which seldom starts them again.
            number = random.below(12) == 0 ? random.below(3) : number + random.below(3)
            time = now + .seconds(random.element(of: [0, -1, -60, -4_000, -90_000, 30]))
            (change, order) = (.entry(entry(.hardware, "\(device)-numbered", number: number)), .ownTime)
        case 12 where !heard.isEmpty:
            // Another machine has heard the same device.
            let request = random.element(of: heard)
            _ = try journal.append([request], receivedAt: now)
            return
        case 12...13:
            time = now + .seconds(random.element(of: [0, -1, -700]))
            (change, order) = (.entry(entry(.hardware, "shared", number: random.below(40))), .ownTime)
            heard.append(
                Request(locationId: location, timestamp: time, change, order: .ownTime))
        case 14: (change, order) = (.entry(entry(.hardware, "no-numbers")), .ownTime)
        case 15: change = .entry(entry(.manual, device))
        case 16: (change, work) = (.entry(entry(.hardware, device)), .times(1 + random.below(3)))
        default: change = .entry(entry(.hardware, device))
        }
        _ = try journal.append(
            [Request(locationId: location, userId: "ada", timestamp: time, change, work, order: order)],
            receivedAt: now)
    }

    private func type() -> EntryType { random.below(3) == 0 ? .out : .in }

    private func entry(_ source: EventSource, _ device: Identifier, number: Int? = nil) -> Entry {
        Entry(
            type(), deviceId: device, source: source, sequenceNumber: number,
            continuesHold: number == nil && random.below(3) == 0)
    }
}

// MARK: - What a machine says

extension Machine {
    func rows(inOrderOfArrival: Bool = false) throws -> [[String]] {
        let identity = """
            CASE WHEN sequenceNumber IS NOT NULL
                THEN 'number ' || deviceKey.id || sequenceNumber || ' ' || timestamp || ' ' || delta
                WHEN (SELECT isAutomatic FROM snapshot WHERE snapshot.position = row.position) = 1
                THEN 'end' ELSE '' END
            """
        return try database.rows(
            """
            SELECT orderedAt, (SELECT place FROM journalRow WHERE position = row.position) AS place, location.id, kind.name,
                min(timestamp, receivedAt), coalesce(delta, value),
                \(identity), (SELECT place FROM journalRow WHERE position = row.target), setting.name, text,
                journalId || printf(':%019d', first), journalId || printf(':%019d', last), clock.movedBy, clock.latestAt,
                deviceKey.id, userId, timestamp, receivedAt, levelBefore
            FROM journal AS row JOIN location ON location.key = row.locationKey JOIN kind ON kind.key = row.kind
            LEFT JOIN device AS deviceKey ON deviceKey.key = row.deviceKey
            LEFT JOIN setting ON setting.key = row.setting LEFT JOIN clock ON clock.position = row.position
            ORDER BY \(inOrderOfArrival ? "row.position" : "orderedAt, place")
            """
        ).map { $0.map { $0 ?? "" } }
    }

    /// All projections, with rows named as in every journal.
    func tables() throws -> [String: [String]] {
        func place(_ column: String) -> String { "(SELECT place FROM journalRow WHERE position = \(column))" }
        let location = "(SELECT id FROM location WHERE key = locationKey)"
        let device = "(SELECT id FROM device WHERE key = deviceKey)"
        let columns = [
            "segment": "\(location), begin, \(place("reset")), start, sum",
            "counterState":
                "\(location), level, lastUpdated, updateOrder, lastEventAt, eventOrder, latest",
            "rollup":
                "\(location), \(place("reset")), \(MinuteTable.columns.dropFirst(2).joined(separator: ", "))",
            "epoch": "\(device), epoch, \(place("openedBy")), lowest, highest, \(place("last"))",
            "gap": "\(device), epoch, first, last, \(place("noticedBy"))",
            "copy": "\(place("copy.position")), \(place("first"))",
        ]
        return try columns.reduce(into: [:]) { tables, table in
            tables[table.key] = try database.texts(
                "SELECT json_array(\(table.value)) FROM \(table.key)"
            ).sorted()
        }
    }

    /// What the screens show, without positions.
    struct Shown: Equatable {
        struct Row: Hashable {
            let countedAt: Timestamp
            let isVoid: Bool
            let content: RowContent
            let userId: String?
        }

        let timers: [String]
        var locations: [Location] = []
        var days: [String] = []
        /// Of rows with the same time and `orderedAt` a list may have any first.
        var rows: [Row: Int] = [:]
    }

    func shown() throws -> Shown {
        var board = TimerBoard()
        try journal.update(&board)
        let end = Timestamp(seconds: 1_900_000_000)
        var shown = Shown(
            timers: try board.all.map { timer in
                "\(timer.id) \(timer.number) \(timer.state(at: end)) \(try journal.result(of: timer, at: end))"
            })
        for location in try journal.locations() {
            shown.locations.append(location)
            shown.days += try journal.endedDays(of: location.id).map { "\($0.userId ?? "") \($0.snapshot)" }
            for row in try journal.history(of: location.id, .all) {
                let row = Shown.Row(
                    countedAt: row.countedAt, isVoid: row.isVoid, content: row.row.content,
                    userId: row.row.userId)
                shown.rows[row, default: 0] += 1
            }
        }
        return shown
    }

    /// What who watches row by row has seen last, as the rows came.
    func lastLevel(of location: Location) throws -> Int {
        var changes = StateChanges(journal, after: .start)
        var level = 0
        while case let page = try changes.next(), !page.isEmpty {
            level = page.last { $0.after.locationId == location.id }?.after.level ?? level
        }
        return level
    }

    func figures(of location: Location) throws -> SetOfRows.Figures {
        let state = try #require(try journal.state(of: location.id))
        var figures = SetOfRows.Figures(
            level: state.level, capacity: state.maxCapacity.map { "\($0)" })
        figures.resets = try database.texts(
            """
            SELECT begin || ' ' || place || ' ' || (SELECT start + sum FROM segment AS before
                WHERE before.locationKey = segment.locationKey
                AND (before.begin < segment.begin OR before.begin = segment.begin AND coalesce(
                    (SELECT place FROM journalRow WHERE position = before.reset), '') < place)
                ORDER BY before.begin DESC, coalesce((SELECT place FROM journalRow WHERE position = before.reset), '') DESC)
            FROM segment JOIN journalRow ON position = segment.reset
            WHERE segment.locationKey = (SELECT key FROM location WHERE id = '\(location.id)') ORDER BY begin, place
            """)
        let all = HistoryPage(
            range: Timestamp(microseconds: 0)..<Timestamp(microseconds: .max), isBackward: false, limit: .max)
        let times = try journal.history(of: location.id, all).filter {
            switch $0.row.content {
            case .setting, .clock: false
            default: !$0.isVoid
            }
        }.map { Int($0.countedAt.microseconds / 3_600_000_000) }
        for hour in Set(times) {
            let (from, to) = (Timestamp(seconds: hour * 3600), Timestamp(seconds: hour * 3600 + 3600))
            let kpis = try journal.kpis(of: location, hours: [from], end: to, now: to, silence: .max)
            figures.hours[hour] = [kpis.totalIn, kpis.totalOut, kpis.closingLevel]
        }
        return figures
    }
}
