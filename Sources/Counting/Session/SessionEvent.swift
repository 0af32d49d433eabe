package import CounterModel

package enum SessionEvent {
    /// These requests are stored or refused; the state has been read again.
    case answered([Receipt])
    /// A location has reached its target: once, and again after a reset.
    case targetReached(TargetReached)
    case changedElsewhere
    /// Another program has hidden the location that is counted.
    case isHidden
    /// Input devices were connected or disconnected, or their interception changed.
    case inputDevicesChanged
    /// Another program has the journal locked; the waiting requests are stored when it unlocks it.
    case waits
    case notice(String)
    /// A request has been carried out; the text says so, because the number alone would not.
    case done(String)
    /// What the user should read before the next key, with what to do: a request was refused, a count goes to a location that is
    /// not shown, or an input device is a knob whose detents are not all counted.
    case refused(String, remedy: String? = nil)
    /// A sound could not be played: the bell stands for it.
    case unheard
    /// The desktop has not shown the end of a timer: the terminal may have notifications of its own.
    case notShown
    /// A timer has ended, and it is time for one of its alerts.
    case alarm(AlarmAlert)
    /// Something of a timer has come: a round, its last minute, its end.
    case timerSignal(TimerSignal, TimerData)
    case timersChanged
}

extension SessionEvent {
    var concernsJournal: Bool {
        switch self {
        case .answered, .changedElsewhere, .inputDevicesChanged: true
        case .targetReached, .isHidden, .waits, .notice, .done, .refused, .unheard,
            .notShown, .alarm, .timerSignal, .timersChanged:
            false
        }
    }

    var concernsInputDevices: Bool {
        if case .inputDevicesChanged = self { true } else { false }
    }

    var isEndOfTimer: Bool {
        if case .timerSignal(let signal, _) = self { signal.kind == .ended } else { false }
    }
}

extension TimerData {
    var lastMinuteText: String { "\(setup.title): one minute left" }
}
