import CounterModel
import Testing

@Suite struct TimerStateTests {
    /// Every state with every action; what is not in the list is refused.
    @Test func everyPairOfStateAndAction() {
        let table: [TimerState: [TimerAction: TimerTransition]] = [
            .running: [.pause: .to(.paused), .stop: .to(.stopped)],
            .paused: [.resume: .to(.running), .stop: .to(.stopped)],
            .stopped: [.again: .to(.running), .remove: .leaves],
            .ringing: [.acknowledge: .to(.completed), .again: .to(.running), .remove: .leaves],
            .completed: [.again: .to(.running), .remove: .leaves],
        ]
        for state in TimerState.allCases {
            for action in TimerAction.allCases {
                #expect(transition(state, action) == table[state]?[action], "\(state) \(action)")
            }
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
