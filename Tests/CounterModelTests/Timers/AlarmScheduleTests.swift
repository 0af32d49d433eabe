import CounterModel
import Testing

@Suite struct AlarmScheduleTests {
    @Test func alertsTwelveTimesThreeSecondsApart() throws {
        let bench = Bench()
        try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(60))
        var schedule = AlarmSchedule()
        var heard: [(Int64, AlarmAlert)] = []
        let end = bench.now
        for _ in 0..<200 {
            let alerts = schedule.update(bench.board.ringing(at: bench.now), at: bench.now)
            heard += alerts.map { (bench.now.microseconds - end.microseconds, $0) }
            if let next = schedule.next { #expect(next > bench.now) }
            bench.pass(.milliseconds(500))
        }
        #expect(heard.map(\.0) == (0..<12).map { $0 * 3_000_000 })
        #expect(heard.map(\.1.index) == Array(0..<12))
        #expect(heard.map(\.1.insistence) == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
        #expect(schedule.next == nil)
    }

    @Test func aLateProgramLeavesOutWhatIsOver() throws {
        let bench = Bench()
        try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(70))
        var schedule = AlarmSchedule()
        #expect(
            schedule.update(bench.board.ringing(at: bench.now), at: bench.now).map(\.index) == [3])
        #expect(schedule.next?.microseconds == bench.now.microseconds + 2_000_000)
    }

    @Test func anEndOfLongAgoAlertsFromNowOn() throws {
        let bench = Bench()
        try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(780))
        var schedule = AlarmSchedule()
        #expect(
            schedule.update(bench.board.ringing(at: bench.now), at: bench.now).map(\.index) == [0])
        #expect(schedule.next?.microseconds == bench.now.microseconds + 3_000_000)
    }

    @Test func aClockSetBackDelaysNoAlert() throws {
        let bench = Bench()
        try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(60))
        var schedule = AlarmSchedule()
        let ringing = bench.board.ringing(at: bench.now)
        _ = schedule.update(ringing, at: bench.now)
        let earlier = Timestamp(microseconds: bench.now.microseconds - 3_600_000_000)
        #expect(schedule.update(ringing, at: earlier).isEmpty)
        #expect((schedule.next?.microseconds ?? 0) - earlier.microseconds <= 3_000_000)
    }
}

@Suite struct TimerRoundsTests {
    private let setup = TimerSetup(
        seconds: 300, rounds: 3, pauseSeconds: 60, leadInSeconds: 3, announcesLastMinute: true)

    @Test func roundsCountAndPausesDoNot() throws {
        let bench = Bench()
        let id = try bench.start(setup)
        let begin = bench.now.microseconds
        bench.pass(.seconds(3 + 300 + 60 + 10))
        #expect(try bench.timer(id).phase(at: bench.now).phase.kind == .round(2))
        #expect(try bench.timer(id).phase(at: bench.now).remainingSeconds == 290)
        bench.pass(.seconds(10_000))
        let windows = try bench.timer(id).windows(at: bench.now)
        #expect(windows.map(\.round) == [1, 2, 3])
        #expect(windows.map { ($0.from.microseconds - begin) / 1_000_000 } == [3, 363, 723])
        #expect(windows.map { ($0.to.microseconds - begin) / 1_000_000 } == [303, 663, 1023])
        #expect(try bench.timer(id).endDate?.microseconds == begin + 1_023_000_000)
    }

    @Test func signalsOfRounds() throws {
        let bench = Bench()
        let id = try bench.start(setup)
        let begin = bench.now.microseconds
        let signals = try bench.timer(id).signals(after: bench.now)
        #expect(
            signals.map { ($0.time.microseconds - begin) / 1_000_000 } == [
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
        let bench = Bench()
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
