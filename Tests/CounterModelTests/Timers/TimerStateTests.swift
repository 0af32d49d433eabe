import CounterModel
import Testing

@Suite struct TimerStateTests {
    /// Every state with its actions, the usual one first; the others are refused.
    @Test func everyStateHasItsActions() {
        let table: [TimerState: [TimerAction]] = [
            .running: [.pause, .stop], .paused: [.resume, .stop], .stopped: [.again, .remove],
            .ringing: [.acknowledge, .again, .remove], .completed: [.again, .remove],
        ]
        for state in TimerState.allCases { #expect(state.actions == table[state], "\(state)") }
    }

    @Test func aModeIsTwoProperties() {
        #expect(AlarmMode.sound.isSoundOn && AlarmMode.sound.isVibrationOn)
        #expect(!AlarmMode.vibration.isSoundOn && AlarmMode.vibration.isVibrationOn)
        #expect(!AlarmMode.silent.isSoundOn && !AlarmMode.silent.isVibrationOn)
    }
}
