import Linux
import Testing

@testable import CounterModel

@Suite struct TimerServiceTests {
    private let bench = Bench()

    @Test func theFirstSecondShowsTheWholeDuration() throws {
        let id = try bench.start(TimerSetup(label: "Robins", seconds: 300))
        #expect(try bench.remaining(id) == 300)
        bench.pass(.microseconds(999_999))
        #expect(try bench.remaining(id) == 300)
        bench.pass(.microseconds(1))
        #expect(try bench.remaining(id) == 299)
        bench.pass(.seconds(298) + .microseconds(999_999))
        #expect(try bench.remaining(id) == 1)
        #expect(try bench.state(id) == .running)
        bench.pass(.microseconds(1))
        #expect(try bench.remaining(id) == 0)
        #expect(try bench.state(id) == .ringing)
    }

    @Test func aSixthTimerIsRefusedWithTheNamesOfTheFive() throws {
        let ids = try ["a", "b", "c", "d", "e"].map { try bench.start(TimerSetup(label: $0, seconds: 60)) }
        bench.perform(.pause, ids[0])
        let sixth = bench.tryToStart(TimerSetup(seconds: 60))
        #expect(sixth == .failure(.tooManyTimers(["a", "b", "c", "d", "e"])))
        bench.perform(.stop, ids[1])
        #expect(bench.perform(.again, ids[1]).map(\.number) == .success(2))
        #expect(bench.tryToStart(TimerSetup(seconds: 60)) == sixth)
        bench.pass(.seconds(60))
        #expect(throws: Never.self) { try bench.start(TimerSetup(seconds: 60)) }
    }

    @Test func whoComesSecondStartsNoSecondOne() throws {
        let id = try bench.start(TimerSetup(label: "x", seconds: 60))
        bench.perform(.stop, id)
        // The other program has read the clock before, and waited for the lock.
        let earlier = bench.moment
        bench.pass(.milliseconds(5))
        #expect(throws: Never.self) { try bench.perform(.again, id).get() }
        #expect(throws: TimerRefusal.timerIsGone("1")) {
            try bench.service.perform(.again, on: id, called: "1", at: earlier)
        }
        #expect(bench.board.active(at: bench.now).count == 1)
    }

    @Test func theLimitsAreSettings() throws {
        bench.service.settings.mostTimers = 1
        bench.service.settings.mostPresets = 1
        _ = try bench.start(TimerSetup(label: "a", seconds: 60))
        #expect(bench.tryToStart(TimerSetup(seconds: 60)) == .failure(.tooManyTimers(["a"])))
        let preset = try bench.addPreset(TimerSetup(label: "b", seconds: 60)).get()
        #expect(bench.addPreset(TimerSetup(seconds: 60)) == .failure(.tooManyPresets(["b"])))
        _ = bench.hidePreset(preset.id)
        _ = bench.addPreset(TimerSetup(seconds: 60))
        #expect(bench.restorePreset(preset.id) == .failure(.tooManyPresets(["1m"])))
        bench.service.settings.mostTimers = 6
        for _ in 0..<5 { try bench.start(TimerSetup(seconds: 60)) }
    }

    @Test func whatIsNoTransitionIsRefused() throws {
        let id = try bench.start(TimerSetup(seconds: 60))
        #expect(bench.perform(.resume, id) == .failure(.notPossible(.resume, .running, number: 1)))
        #expect(bench.perform(.remove, id) == .failure(.notPossible(.remove, .running, number: 1)))
        bench.pass(.seconds(60))
        #expect(bench.perform(.pause, id) == .failure(.notPossible(.pause, .ringing, number: 1)))
        #expect(bench.tryToStart(TimerSetup(seconds: 0)) == .failure(.invalidSetup))
        #expect(bench.tryToStart(TimerSetup(seconds: 360_000)) == .failure(.invalidSetup))
        let crowd = TimerLocations.some((0..<2_000).map { Identifier("location \($0)") })
        #expect(
            bench.tryToStart(TimerSetup(seconds: 60, locations: crowd))
                == .failure(.invalidSetup))
        #expect(
            bench.addPreset(TimerSetup(seconds: 60, locations: crowd))
                == .failure(.invalidSetup))
    }

    @Test func theFirstAcknowledgementWins() throws {
        let id = try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(61))
        let first = bench.now
        bench.perform(.acknowledge, id)
        bench.pass(.seconds(5))
        #expect(bench.perform(.acknowledge, id).map(\.acknowledgedAt) == .success(first))
        #expect(bench.repository.rows.count == 2)
    }

    @Test func aDiscardedTimerLeavesTenMinutesAfterItWasAcknowledged() throws {
        let id = try bench.start(TimerSetup(seconds: 60))
        let kept = try bench.start(TimerSetup(seconds: 60, endAction: .preserve))
        bench.pass(.seconds(3600))
        #expect(bench.listed.map(\.id) == [id, kept])
        #expect(bench.service.acknowledgeAll(at: bench.moment) == 2)
        bench.pass(.seconds(599))
        #expect(bench.listed.count == 2)
        bench.pass(.seconds(1))
        #expect(bench.listed.map(\.id) == [kept])
        #expect(bench.perform(.again, id) == .failure(.timerIsGone("1m")))
        #expect(try bench.tryToStart(TimerSetup(seconds: 60)).get().number == 1)
    }

    @Test func againTakesTheSamePlaceAndHasAResultOfItsOwn() throws {
        let id = try bench.start(TimerSetup(label: "x", seconds: 60))
        try bench.start(TimerSetup(label: "y", seconds: 60))
        bench.pass(.seconds(90))
        let again = try bench.perform(.again, id).get()
        #expect(again.number == 1 && again.id != id && again.label == "x")
        #expect(try bench.timer(id).acknowledgedAt == bench.now)
        #expect(bench.ringing.map(\.label) == ["y"])
        #expect(again.windows(at: bench.now).isEmpty)
        #expect(try bench.timer(id).windows(at: bench.now).count == 1)
    }

    @Test func oneMinuteMore() throws {
        let id = try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(50))
        #expect(try bench.extend(id, seconds: 60).get().remainingSeconds(at: bench.now) == 70)
        bench.pass(.seconds(70))
        #expect(bench.extend(id, seconds: 60) == .failure(.notExtensible(.ringing, number: 1)))
        let long = try bench.start(TimerSetup(seconds: TimerDuration.longest, rounds: 2))
        #expect(bench.extend(long, seconds: 60) == .failure(.tooLong(number: 2)))
        let rounds = try bench.start(TimerSetup(seconds: TimerDuration.longest - 60, rounds: 2))
        #expect(try bench.extend(rounds, seconds: 60).get().number == 3)
    }

    @Test func aTimerIsNamedByNumberOrLabel() throws {
        try bench.start(TimerSetup(label: "Robins", seconds: 60))
        try bench.start(TimerSetup(label: "robins", seconds: 60))
        try bench.start(TimerSetup(seconds: 300))
        let board = bench.board
        func number(_ name: String) throws -> Int { try board.timer(named: name, at: bench.now).number }
        #expect(try ["2", "robins", "5m"].map(number) == [2, 2, 3])
        #expect(throws: TimerRefusal.ambiguousTimer("ROBINS", [1, 2])) { try number("ROBINS") }
        #expect(throws: TimerRefusal.unknownTimer("4", among: ["Robins", "robins", "5m"])) {
            try number("4")
        }
    }
}

@Suite struct TimerPresetTests {
    private let bench = Bench()

    @Test func presetsAreRemovedSoftlyAndRestored() throws {
        let preset = try bench.addPreset(TimerSetup(label: "Set", seconds: 60)).get()
        _ = bench.editPreset(preset.id, to: TimerSetup(label: "Set", seconds: 90))
        #expect(bench.board.presets.map(\.setup.seconds) == [90])
        #expect(try bench.hidePreset(preset.id).get().isHiddenInList)
        #expect(bench.board.presets.isEmpty)
        #expect(bench.hidePreset(preset.id) == .failure(.presetIsGone("Set")))
        let other = try bench.addPreset(TimerSetup(label: "SET", seconds: 5)).get()
        #expect(other.number == 1)
        #expect(bench.restorePreset(preset.id) == .failure(.presetExists("Set")))
        _ = bench.hidePreset(other.id)
        #expect(try bench.restorePreset(preset.id).get().setup.seconds == 90)
        #expect(try bench.board.preset(named: "set", hidden: true).id == other.id)
    }

    @Test func aTwentyFirstPresetIsRefused() throws {
        let titles = (1...20).map { "p\($0)" }
        for title in titles { _ = try bench.addPreset(TimerSetup(label: title, seconds: 60)).get() }
        #expect(bench.addPreset(TimerSetup(seconds: 60)) == .failure(.tooManyPresets(titles)))
    }

    @Test func aTimerKeepsWhatItWasStartedWith() throws {
        let preset = try bench.addPreset(TimerSetup(label: "Set", seconds: 60)).get()
        bench.pass(.seconds(1))
        let timer = try bench.tryToStart(preset.setup, presetId: preset.id).get()
        _ = bench.editPreset(preset.id, to: TimerSetup(label: "Set", seconds: 5))
        #expect(try bench.timer(timer.id).setup.seconds == 60)
        #expect(bench.board.preset(preset.id)?.lastUsedAt == bench.now)
    }
}
