import CounterModel
import Testing

@Suite struct TimerStateTests {
    /// Every state with every action; what is not in the list is refused.
    @Test func everyPairOfStateAndAction() {
        let table: [TimerState: Set<TimerAction>] = [
            .running: [.pause, .stop], .paused: [.resume, .stop], .stopped: [.again, .remove],
            .ringing: [.acknowledge, .again, .remove], .completed: [.again, .remove],
        ]
        for state in TimerState.allCases {
            #expect(Set(TimerAction.allCases.filter(state.admits)) == table[state], "\(state)")
        }
    }

    @Test(arguments: EndAction.allCases)
    func everyButtonIsATransitionAndTheOtherWayRound(endAction: EndAction) {
        for state in TimerState.allCases {
            let offered = makeButtonSet(state, endAction).map(\.action)
            #expect(Set(offered) == Set(TimerAction.allCases.filter(state.admits)))
        }
        #expect(makeButtonSet(.ringing, endAction).first?.action == .acknowledge)
        #expect(makeButtonSet(.running, endAction).map(\.title) == ["Pause", "Stop"])
    }

    @Test func aModeIsTwoProperties() {
        #expect(AlarmMode.sound.isSoundOn && AlarmMode.sound.isVibrationOn)
        #expect(!AlarmMode.vibration.isSoundOn && AlarmMode.vibration.isVibrationOn)
        #expect(!AlarmMode.silent.isSoundOn && !AlarmMode.silent.isVibrationOn)
    }
}
