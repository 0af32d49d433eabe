import TestSupport
import Testing

@testable import CounterModel

/// Time as data: what happens to a timer while clocks are set, machines sleep and programs die.
@Suite struct TimerTimeTests {
    private let bench = Bench()

    /// The time it ran must be its duration, whatever happened meanwhile: pauses, clocks set forwards and back, another
    /// program at any moment.
    @Test func theSumOfRunningTimeIsTheDuration() throws {
        for seed in 0..<UInt64(Volume.of(sample: 300, full: 10_000)) {
            var random = SplitMix64(seed: seed)
            let bench = Bench()
            let seconds = 1 + random.below(600)
            let id = try bench.start(TimerSetup(seconds: seconds))
            var (ran, last) = (Duration.zero, Duration.zero)
            while try [.running, .paused].contains(bench.state(id)), ran < .seconds(100_000) {
                let step = Duration.milliseconds(random.below(40_000))
                last = try bench.state(id) == .running ? step : .zero
                ran += last
                bench.pass(step)
                switch random.below(6) {
                case 0: bench.perform(.pause, id)
                case 1, 2: bench.perform(.resume, id)
                case 3:
                    // Forwards or back, by more than two clocks differ that are read one after the other.
                    let shift = 2 + random.below(5_000)
                    bench.setClock(by: .seconds(random.below(2) == 0 ? shift : -shift))
                    if random.below(2) == 0 { bench.restart() }
                    // Noticed at once, or with the next row.
                    if random.below(2) == 0 { bench.perform(.pause, id) }
                    bench.followClock()
                case 4: bench.restart()
                default: break
                }
            }
            let timer = try bench.timer(id)
            let windows = timer.windows(at: bench.now)
            let sum = windows.reduce(Duration.zero) { $0 + ($1.to - $1.from) }
            #expect(sum == .seconds(seconds), "seed \(seed)")
            #expect(ran >= .seconds(seconds) && ran - last < .seconds(seconds), "seed \(seed)")
            #expect(windows.allSatisfy { $0.from < $0.to })
        }
    }

    @Test(arguments: [Duration.seconds(3600), .seconds(-3600), .seconds(90), .seconds(-2)])
    func aClockThatIsSetKeepsTheRemainingSeconds(shift: Duration) throws {
        let id = try bench.start(TimerSetup(seconds: 300))
        bench.pass(.seconds(100))
        bench.setClock(by: shift)
        bench.followClock()
        #expect(try bench.remaining(id) == 200)
        let windows = try bench.timer(id).windows(at: bench.now)
        #expect(windows.map { $0.to - $0.from } == [.seconds(100)])
        bench.pass(.seconds(200))
        #expect(try bench.state(id) == .ringing)
        #expect(try bench.timer(id).endDate == bench.now)
        #expect(try bench.timer(id).windows(at: bench.now).count == 2)
    }

    /// Who may not write sees it all the same, and leaves the rows alone.
    @Test(arguments: [Duration.seconds(3600), .seconds(-3600)])
    func whoOnlyReadsSeesThatTheClockWasSet(shift: Duration) throws {
        let id = try bench.start(TimerSetup(seconds: 300))
        bench.pass(.seconds(100))
        bench.setClock(by: shift)
        #expect(try bench.remaining(id) == 200)
        #expect(try bench.state(id) == .running)
        bench.pass(.seconds(200))
        #expect(try bench.state(id) == .ringing)
        #expect(bench.repository.rows.count == 1)
    }

    @Test func aClockSetBackLeavesATimerThatWasReplacedReplaced() throws {
        let id = try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(90))
        bench.perform(.again, id)
        bench.setClock(by: .seconds(-3600))
        #expect(bench.listed.count == 1)
    }

    @Test func twoProgramsNoticeAClockOnce() throws {
        let id = try bench.start(TimerSetup(seconds: 300))
        let other = TimerService(bench.repository, userId: "bob")
        other.update()
        bench.pass(.seconds(10))
        bench.setClock(by: .seconds(50))
        bench.followClock()
        other.followClock(at: bench.moment)
        #expect(bench.repository.rows.count == 2)
        other.update()
        #expect(other.board(at: bench.moment).timer(id)?.remainingSeconds(at: bench.now) == 290)
    }

    @Test func aTimerThatEndedBeforeTheClockWasSetHasEnded() throws {
        let id = try bench.start(TimerSetup(seconds: 60))
        let end = bench.now + .seconds(60)
        bench.pass(.seconds(100))
        bench.setClock(by: .seconds(-5000))
        bench.restart()
        bench.followClock()
        #expect(try bench.timer(id).endDate == end)
        #expect(try bench.state(id) == .ringing)
    }

    @Test func aMachineThatSleptOrBootedAnewCompletesAtTheEnd() throws {
        let id = try bench.start(TimerSetup(seconds: 60))
        let end = bench.now + .seconds(60)
        // The wall clock went on; CLOCK_BOOTTIME did too, or began anew.
        bench.pass(.seconds(720))
        bench.bootId = "another boot"
        bench.restart()
        bench.followClock()
        #expect(bench.repository.rows.count == 1)
        #expect(bench.ringing.map(\.endDate) == [end])
        bench.perform(.acknowledge, id)
        #expect(try bench.timer(id).endDate == end)
        #expect(bench.ringing.isEmpty)
    }

    /// A restart at every moment: what is known is the fold of the rows, nothing else.
    @Test func theFoldOfTheRowsIsWhatARunningProgramKnows() throws {
        for seed in 0..<UInt64(Volume.of(sample: 100, full: 3_000)) {
            var random = SplitMix64(seed: seed)
            let bench = Bench()
            for _ in 0..<60 {
                step(bench, &random)
                var fold = TimerBoard()
                bench.repository.update(&fold)
                #expect(fold.all == bench.board.all, "seed \(seed)")
                #expect(fold.timers(at: bench.now) == bench.listed, "seed \(seed)")
                #expect(fold.allPresets == bench.board.allPresets)
                let listed = fold.timers(at: bench.now)
                #expect(Set(listed.map(\.number)).count == listed.count, "seed \(seed)")
                #expect(fold.active(at: bench.now).count <= 5)
                for timer in fold.all {
                    let sum = timer.windows(at: bench.now).reduce(Duration.zero) { $0 + ($1.to - $1.from) }
                    #expect(.seconds(timer.countedSeconds(at: bench.now)) == sum, "seed \(seed)")
                }
            }
        }
    }

    private func step(_ bench: Bench, _ random: inout SplitMix64) {
        bench.pass(.seconds(random.below(400)))
        let known = bench.listed
        switch random.below(5) {
        case 0:
            let setup = TimerSetup(
                seconds: 1 + random.below(300), endAction: random.element(of: EndAction.allCases),
                rounds: 1 + random.below(3), pauseSeconds: random.below(30))
            _ = bench.tryToStart(setup)
        case 1:
            bench.setClock(by: .seconds(random.below(200) - 100))
            bench.followClock()
        case 2:
            if let id = known.first?.id { _ = bench.extend(id, seconds: 60) }
        default:
            if !known.isEmpty {
                bench.perform(random.element(of: TimerAction.allCases), random.element(of: known).id)
            }
        }
    }

    @Test func fiveEndTogether() throws {
        let ids = try (0..<5).map { _ in try bench.start(TimerSetup(seconds: 60)) }
        bench.pass(.seconds(60))
        var schedule = AlarmSchedule()
        let ringing = bench.ringing
        #expect(ringing.map(\.id) == ids)
        #expect(schedule.update(ringing, at: bench.now).map(\.timer.id) == ids)
        #expect(bench.service.acknowledgeAll(at: bench.moment) == 5)
        #expect(schedule.update(bench.ringing, at: bench.now).isEmpty)
        #expect(schedule.next == nil)
    }
}
