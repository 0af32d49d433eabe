import TestSupport
import Testing

@testable import CounterModel
@testable import CounterStore

/// What timers count while the clock is set, forwards and back, in any order with counts, starts and pauses.
@Suite struct TimerClockTests {
    let directory = TemporaryDirectory()

    /// An entry counts in a timer if it was made while the timer ran, whatever the clock said.
    @Test(arguments: 0..<Volume.of(sample: 60, full: 3_000))
    func whatIsCountedWhileATimerRunsIsItsResult(seed: Int) throws {
        let world = try World(directory, seed: UInt64(seed))
        for _ in 0..<60 { try world.step() }
        try world.check("seed \(seed)")
        #expect(try world.journal.verify() == [])
    }

    @Test(arguments: [3600, -3600])
    func aCountBetweenTheSettingAndTheFirstLookIsIn(shift: Int64) throws {
        let world = try World(directory, seed: 0)
        let id = try world.start(seconds: 300)
        try world.count()
        try world.count()
        world.pass(250)
        world.setClock(by: shift)
        #expect(try world.result(id) == 2)
        #expect(try world.board.timer(id)?.remainingSeconds(at: world.now) == 300)
        try world.count()
        #expect(try world.result(id) == 3)
        world.pass(250)
        try world.perform { try $0.perform(.pause, on: id, at: $1) }
        #expect(try world.result(id) == 3)
        #expect(try world.board.timer(id)?.remainingSeconds(at: world.now) == 299)
    }

    /// What was typed before the clock was set, and waited for a disk that was full.
    @Test(arguments: [3600, -3600])
    func aCountThatWaitedWhileTheClockWasSetIsIn(shift: Int64) throws {
        let world = try World(directory, seed: 0)
        let id = try world.start(seconds: 300)
        world.pass(5_000)
        let typed = world.now
        world.pass(5_000)
        world.setClock(by: shift)
        _ = try world.journal.append([Ask.count(at: typed.microseconds)], receivedAt: world.now)
        world.pass(1_000)
        #expect(try world.result(id) == 1)
    }

    /// Steps that are not noticed each, in any order with counts, pauses, other timers and reboots.
    @Test(arguments: 0..<Volume.of(sample: 40, full: 3_000))
    func noStepOfAClockLosesACount(seed: Int) throws {
        let world = try World(directory, seed: UInt64(seed))
        var random = SplitMix64(seed: UInt64(seed))
        var (expected, runs) = (0, true)
        let id = try world.start(label: "Long", seconds: 300_000)
        for _ in 0..<50 {
            world.pass(random.below(400))
            switch random.below(9) {
            case 0...3:
                try world.count()
                expected += runs ? 1 : 0
            case 4, 5: world.setClock(byMilliseconds: Int64(random.below(2_000)) - 1_000)
            case 6: try world.perform { try $0.start(TimerSetup(seconds: 1), at: $1) }
            case 7: world.reboot()
            default:
                let action = runs ? TimerAction.pause : .resume
                if try world.perform({ try $0.perform(action, on: id, at: $1) }) != nil { runs.toggle() }
            }
            let result = try world.result(id)
            #expect(result >= expected, "seed \(seed)")
        }
    }

    @Test(arguments: [-900, 900])
    func smallStepsThatAddUpLoseNoCount(step: Int64) throws {
        let world = try World(directory, seed: 0)
        let id = try world.start(label: "Long", seconds: 3_000)
        for number in 1...8 {
            world.setClock(byMilliseconds: step)
            try world.perform { try $0.start(TimerSetup(label: "\(number)", seconds: 1), at: $1) }
            try world.count()
            #expect(try world.result(id) == number)
        }
    }

    @Test func aPauseAtATimeBeforeACountLosesNothing() throws {
        let world = try World(directory, seed: 0)
        let id = try world.start(seconds: 300)
        try world.count()
        world.setClock(byMilliseconds: -800)
        try world.count()
        #expect(try world.result(id) == 2)
        for action in [TimerAction.pause, .resume] {
            try world.perform { try $0.perform(action, on: id, at: $1) }
            #expect(try world.result(id) == 2)
        }
        try world.count()
        #expect(try world.result(id) == 3)
    }

    /// NTP moves the clock by 500 ppm at most.
    @Test(arguments: [-1, 1])
    func aSlowClockNeedsFewRows(direction: Int64) throws {
        let world = try World(directory, seed: 0)
        let id = try world.start(seconds: 90_000)
        for number in 1...1_000 {
            try world.count()
            world.pass(29_750)
            world.setClock(byMilliseconds: 15 * direction)
            if number % 50 == 0 { #expect(try world.result(id) == number) }
        }
        #expect(try world.timerRows < 20, "of 15 s")
    }

    @Test(arguments: [3_600, -3_600])
    func aClockThatIsSetAfterARebootIsNoticed(shift: Int64) throws {
        let world = try World(directory, seed: 0)
        let id = try world.start(seconds: 300)
        try world.count()
        world.reboot()
        world.pass(10_000)
        try world.count()
        #expect(try world.timerRows == 2)
        world.setClock(by: shift)
        for number in 3...10 {
            try world.count()
            #expect(try world.result(id) == number)
        }
        #expect(try world.timerRows == 3)
        #expect(try world.board.timer(id)?.state(at: world.now) == .running)
    }

    /// The machine has no clock that goes on while it is off.
    @Test func aRebootIntoThePastLosesNothing() throws {
        let world = try World(directory, seed: 0)
        let id = try world.start(seconds: 300)
        try world.count()
        world.reboot()
        world.setClock(by: -86_400)
        try world.count()
        #expect(try world.result(id) == 2)
        world.setClock(by: 86_400)
        try world.count()
        #expect(try world.result(id) == 3)
    }

    @Test func afterARebootNoRowIsWrittenWhereNoTimerRuns() throws {
        let world = try World(directory, seed: 0)
        let id = try world.start(seconds: 300)
        try world.perform { try $0.perform(.pause, on: id, at: $1) }
        world.reboot()
        for _ in 0..<3 { try world.count() }
        #expect(try world.timerRows == 2)
    }

    /// What was taken over runs on here, by the clock of this machine.
    @Test(arguments: [3_600, -3_600])
    func aTimerOfAnotherJournalFollowsTheClockHere(shift: Int64) throws {
        let other = try World(directory, seed: 0)
        let id = try other.start(seconds: 300)
        try other.count()
        let folder = TemporaryDirectory()
        let world = try World(folder, seed: 0)
        world.reboot()
        world.pass(10_000)
        try world.journal.takeOver(other.journal, at: world.now)
        #expect(try world.result(id) == 1)
        try world.count()
        world.setClock(by: shift)
        #expect(try world.board.timer(id)?.remainingSeconds(at: world.now) == 290)
        for number in 3...5 {
            try world.count()
            #expect(try world.result(id) == number)
        }
        #expect(try world.board.timer(id)?.remainingSeconds(at: world.now) == 290)
    }

    @Test func aCopyOfTheJournalHasTheSameResults() throws {
        let world = try World(directory, seed: 7)
        for _ in 0..<80 { try world.step() }
        let copyDirectory = TemporaryDirectory()
        let copy = try SQLiteJournal(in: copyDirectory)
        for location in try world.journal.locations() where location.id != Location.defaultId {
            _ = try copy.add(location)
        }
        try copy.takeOver(world.journal, at: world.now + .seconds(86_400))
        let timers = TimerService(copy, userId: Ask.me)
        try timers.update()
        let taken = timers.board(at: TimerMoment(now: world.now))
        for timer in try world.board.all {
            let other = try #require(taken.timer(timer.id))
            #expect(
                try copy.result(of: other, at: world.now) == world.journal.result(of: timer, at: world.now))
        }
    }
}

/// A journal, a clock that is set, and what really happened.
private final class World {
    let journal: SQLiteJournal
    private var random: SplitMix64
    /// In milliseconds: what a clock would say that nobody sets, and how far the wall clock is from it.
    private var real: Int64 = 1_800_000_000_000
    private let machine: Machine
    /// When each entry was made.
    private var entries: [Int64] = []
    private var timers: [UniqueId: Truth] = [:]

    final class Machine {
        var shift: Int64 = 0
        var boot = 1
    }

    /// When a timer really ran.
    private struct Truth {
        var ran: [Range<Int64>] = []
        var since: Int64?
        var left: Int64

        func intervals(at real: Int64) -> [Range<Int64>] {
            ran + [since.map { $0..<min(real + 1, $0 + left) }].compactMap(\.self)
        }

        mutating func halt(at real: Int64) {
            guard let since else { return }
            let end = min(real, since + left)
            (ran, left) = (ran + [since..<end], left - (end - since))
            self.since = nil
        }
    }

    init(_ directory: TemporaryDirectory, seed: UInt64) throws {
        journal = try SQLiteJournal(in: directory)
        random = SplitMix64(seed: seed)
        let machine = Machine()
        self.machine = machine
        journal.clock = { ClockReference(bootId: "boot \(machine.boot)", offset: machine.shift * 1_000) }
    }

    var now: Timestamp { Timestamp(microseconds: (real + machine.shift) * 1_000) }

    private var moment: TimerMoment { TimerMoment(now: now, clock: journal.clock()) }

    /// What a program sees that only reads.
    var board: TimerBoard {
        get throws {
            let service = TimerService(journal, userId: Ask.me)
            try service.update()
            return service.board(at: moment)
        }
    }

    func pass(_ milliseconds: Int) { real += Int64(milliseconds) }

    func setClock(by seconds: Int64) { setClock(byMilliseconds: seconds * 1_000) }

    func setClock(byMilliseconds shift: Int64) { machine.shift += shift }

    func reboot() { machine.boot += 1 }

    /// How many rows of timers there are.
    var timerRows: Int {
        get throws {
            try journal.feed(after: .start, limit: 100_000).count { row in
                if case .timerEvent = row.row.content { true } else { false }
            }
        }
    }

    func count() throws {
        try journal.append(Ask.count(at: now.microseconds), at: now)
        entries.append(real)
        pass(250)
    }

    /// Another program each time. No entry is made at the same time.
    @discardableResult
    func perform(
        _ change: (TimerService<SQLiteJournal>, TimerMoment) throws -> TimerData
    ) throws -> TimerData? {
        pass(125)
        defer { pass(125) }
        return try? change(TimerService(journal, userId: Ask.me), moment)
    }

    func start(label: String = "", seconds: Int) throws -> UniqueId {
        let timer = try perform { try $0.start(TimerSetup(label: label, seconds: seconds), at: $1) }
        return try #require(timer).id
    }

    func result(_ id: UniqueId) throws -> Int {
        let timer = try #require(try board.timer(id))
        return try journal.result(of: timer, at: now).totalIn
    }

    func step() throws {
        pass(250 * random.below(40))
        switch random.below(10) {
        case 0...4: try count()
        case 5:
            setClock(by: Int64(2 + random.below(300)) * (random.below(2) == 0 ? 1 : -1))
        case 6:
            let seconds = 1 + random.below(120)
            let begin = real + 125
            if let timer = try perform({ try $0.start(TimerSetup(seconds: seconds), at: $1) }) {
                timers[timer.id] = Truth(since: begin, left: Int64(seconds) * 1_000)
            }
        case 7: try check("within")
        default: try act()
        }
    }

    private func act() throws {
        guard !timers.isEmpty else { return }
        let id = random.element(of: timers.keys.sorted { $0.description < $1.description })
        let action = random.element(of: [TimerAction.pause, .resume, .stop])
        let moment = real + 125
        guard try perform({ try $0.perform(action, on: id, at: $1) }) != nil else { return }
        if action == .resume { timers[id]?.since = moment } else { timers[id]?.halt(at: moment) }
    }

    func check(_ what: String) throws {
        let board = try board
        for (id, truth) in timers {
            let timer = try #require(board.timer(id))
            let expected = entries.count { entry in truth.intervals(at: real).contains { $0.contains(entry) }
            }
            #expect(try journal.result(of: timer, at: now).totalIn == expected, "\(what), \(timer.number)")
        }
    }
}
