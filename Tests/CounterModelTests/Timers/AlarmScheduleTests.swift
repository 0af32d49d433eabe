import Testing

@testable import CounterModel

@Suite struct AlarmScheduleTests {
    private let bench = Bench()

    @Test func alertsTwelveTimesThreeSecondsApart() throws {
        try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(60))
        var schedule = AlarmSchedule()
        var heard: [(Duration, AlarmAlert)] = []
        let end = bench.now
        for _ in 0..<200 {
            let alerts = schedule.update(bench.ringing, at: bench.now)
            heard += alerts.map { (bench.now - end, $0) }
            if let next = schedule.next { #expect(next > bench.now) }
            bench.pass(.milliseconds(500))
        }
        #expect(heard.map(\.0) == (0..<12).map { .seconds($0 * 3) })
        #expect(heard.map(\.1.index) == Array(0..<12))
        #expect(heard.map(\.1.insistence) == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
        #expect(schedule.next == nil)
    }

    @Test func aLateProgramLeavesOutWhatIsOver() throws {
        try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(70))
        var schedule = AlarmSchedule()
        #expect(schedule.update(bench.ringing, at: bench.now).map(\.index) == [3])
        #expect(schedule.next == bench.now + .seconds(2))
    }

    @Test func anEndOfLongAgoAlertsFromNowOn() throws {
        try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(780))
        var schedule = AlarmSchedule()
        #expect(schedule.update(bench.ringing, at: bench.now).map(\.index) == [0])
        #expect(schedule.next == bench.now + .seconds(3))
    }

    @Test func aClockSetBackDelaysNoAlert() throws {
        try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(60))
        var schedule = AlarmSchedule()
        let ringing = bench.ringing
        _ = schedule.update(ringing, at: bench.now)
        let earlier = Timestamp(microseconds: bench.now.microseconds - 3_600_000_000)
        #expect(schedule.update(ringing, at: earlier).isEmpty)
        #expect((schedule.next?.microseconds ?? 0) - earlier.microseconds <= 3_000_000)
    }
}

@Suite struct TimerRoundsTests {
    private let bench = Bench()
    private let setup = TimerSetup(
        seconds: 300, rounds: 3, pauseSeconds: 60, leadInSeconds: 3, announcesLastMinute: true)

    @Test func roundsCountAndPausesDoNot() throws {
        let id = try bench.start(setup)
        let begin = bench.now
        bench.pass(.seconds(3 + 300 + 60 + 10))
        #expect(try bench.timer(id).phase(at: bench.now).phase.kind == .round(2))
        #expect(try bench.timer(id).phase(at: bench.now).remainingSeconds == 290)
        bench.pass(.seconds(10_000))
        let windows = try bench.timer(id).windows(at: bench.now)
        #expect(windows.map(\.round) == [1, 2, 3])
        #expect(windows.map { ($0.from - begin).components.seconds } == [3, 363, 723])
        #expect(windows.map { ($0.to - begin).components.seconds } == [303, 663, 1023])
        #expect(try bench.timer(id).endDate == begin + .seconds(1023))
    }

    @Test func signalsOfRounds() throws {
        let id = try bench.start(setup)
        let begin = bench.now
        let signals = try bench.timer(id).signals(after: bench.now)
        #expect(
            signals.map { ($0.time - begin).components.seconds } == [
                3, 243, 303, 363, 603, 663, 723, 963, 1023,
            ])
        #expect(
            signals.map(\.kind) == [
                .roundBegan(1), .lastMinute, .roundEnded(1), .roundBegan(2), .lastMinute, .roundEnded(2),
                .roundBegan(3), .lastMinute, .ended,
            ])
        bench.pass(.seconds(700))
        #expect(
            try bench.timer(id).signals(after: bench.now).map(\.kind) == [
                .roundBegan(3), .lastMinute, .ended,
            ])
        bench.perform(.pause, id)
        #expect(try bench.timer(id).signals(after: bench.now).isEmpty)
    }

    @Test func aPauseOfTheUserWithinARound() throws {
        let id = try bench.start(setup)
        bench.pass(.seconds(100))
        bench.perform(.pause, id)
        bench.pass(.seconds(1000))
        #expect(try bench.timer(id).phase(at: bench.now).remainingSeconds == 203)
        bench.perform(.resume, id)
        bench.pass(.seconds(10_000))
        #expect(try bench.timer(id).windows(at: bench.now).map(\.round) == [1, 1, 2, 3])
    }
}
