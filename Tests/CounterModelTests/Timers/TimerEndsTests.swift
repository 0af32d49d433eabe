import Testing

@testable import CounterModel

/// Each end is told once, whoever was first to see it.
@Suite struct TimerEndsTests {
    private let bench = Bench()

    private func told(_ ends: inout TimerEnds, since: Timestamp) -> [UniqueId] {
        ends.take(bench.board, since: since, at: bench.now).map(\.id)
    }

    @Test(arguments: [TimerAction.acknowledge, .remove, .again])
    func anEndIsToldThoughAnotherProgramWasFirst(action: TimerAction) throws {
        let known = try bench.start(TimerSetup(seconds: 60))
        var ends = TimerEnds(bench.board, at: bench.now)
        let begin = bench.now
        let new = try bench.start(TimerSetup(seconds: 60))
        #expect(told(&ends, since: begin) == [])
        bench.pass(.seconds(61))
        for id in [known, new] { bench.perform(action, id) }
        #expect(told(&ends, since: begin) == [known, new])
        #expect(told(&ends, since: begin) == [])
    }

    @Test func aClockThatIsSetRepeatsNoEnd() throws {
        let id = try bench.start(TimerSetup(seconds: 60))
        var ends = TimerEnds(bench.board, at: bench.now)
        let begin = bench.now
        bench.pass(.seconds(61))
        #expect(told(&ends, since: begin) == [id])
        for shift in [3600, -7200] {
            bench.setClock(by: .seconds(shift))
            #expect(told(&ends, since: begin) == [])
            bench.pass(.seconds(1))
            #expect(told(&ends, since: begin) == [])
        }
    }

    @Test func whatWasOverLongAgoOrWasStoppedIsNotTold() throws {
        try bench.start(TimerSetup(seconds: 1))
        let stopped = try bench.start(TimerSetup(seconds: 60))
        bench.pass(.seconds(2))
        var ends = TimerEnds(bench.board, at: bench.now)
        bench.perform(.stop, stopped)
        bench.pass(.seconds(100))
        #expect(told(&ends, since: bench.now) == [])
        // Taken over from another journal.
        let old = try bench.start(TimerSetup(seconds: 1))
        bench.pass(.seconds(100))
        #expect(told(&ends, since: bench.now) == [])
        #expect(try bench.state(old) == .ringing)
    }
}

@Suite struct TimerStateTests {
    /// Every state with its actions, the usual one first; the others are refused.
    @Test func everyStateHasItsActions() {
        let table: [TimerState: [TimerAction]] = [
            .running: [.pause, .stop], .paused: [.resume, .stop], .stopped: [.again, .remove],
            .ringing: [.acknowledge, .again, .remove], .completed: [.again, .remove],
        ]
        for state in TimerState.allCases { #expect(state.actions == table[state], "\(state)") }
    }
}
