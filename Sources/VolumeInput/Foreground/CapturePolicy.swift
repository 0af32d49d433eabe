import KeyProtocol
import VolumeInput

/// Decides the capture mode: keys are intercepted only where something reports when to stop.
struct CapturePolicy {
    /// What reports whether the program's terminal is in the foreground.
    enum FocusSource {
        /// The terminal reports when its window gains or loses the focus.
        case focusReports
        /// tmux or screen runs between the program and the terminal. Whether it passes focus reports on is unknown until
        /// the first one arrives.
        case multiplexer
        /// The kernel reports which virtual terminal is in the foreground.
        case kernel
        /// Nothing reports it.
        case nothing
    }

    /// Whether the program's terminal is in the foreground.
    enum Focus {
        /// No report has arrived yet.
        case unknown
        case gained
        case lost
    }

    var intercept: Intercept
    /// `--always`: count while the terminal is in the background too.
    var always: Bool
    var focusSource: FocusSource
    var focus = Focus.unknown
    /// Whose session is active at the machine's seat.
    var seat = LoginSeat.Front.own
    /// `v` has switched capture off; the next `v` switches it on again.
    var isGivenBack = false

    /// The capture mode that follows from all of this.
    var captureMode: CaptureMode {
        if isGivenBack { return .off }
        if seat == .otherUser { return always ? .shared : .off }
        if always { return inFront }
        if seat == .other, knowsOnlyItsWindow { return .off }
        switch focus {
        case .gained: return inFront
        case .lost: return .off
        case .unknown: return isBlind ? .shared : inFront
        }
    }

    private var inFront: CaptureMode { intercept == .never ? .shared : .exclusive }

    /// With only the terminal's own reports, the whole session may be hidden without a report. The kernel knows better
    /// which virtual terminal is in the foreground, and tmux may show the program in another session than the one that
    /// started it.
    private var knowsOnlyItsWindow: Bool {
        switch focusSource {
        case .focusReports, .nothing: true
        case .multiplexer, .kernel: false
        }
    }

    /// Nothing would report when to stop intercepting.
    var isBlind: Bool {
        switch focusSource {
        case .multiplexer, .nothing: focus == .unknown
        case .focusReports, .kernel: false
        }
    }

    /// Why keys are not intercepted though they could be, with the remedy; `nil` where there is nothing to say.
    var explanation: (reason: String, remedy: String?)? {
        if isGivenBack { return ("given back to the system", "v takes the keys again") }
        if seat == .otherUser { return ("another user is at the machine", nil) }
        switch captureMode {
        case .exclusive: return nil
        case .off:
            return ("in the background: nothing counts", "start with --always to count there too")
        case .shared:
            if intercept == .never {
                return ("as configured (intercept = never)", "start with --intercept auto")
            }
            return unknownFocus
        }
    }

    private var unknownFocus: (reason: String, remedy: String?) {
        switch focusSource {
        case .multiplexer:
            (
                "tmux or screen does not tell when to let go",
                "tmux set -g focus-events on, and start again; or start with --always"
            )
        case .focusReports, .kernel, .nothing:
            ("this terminal does not tell when to let go", "start with --always")
        }
    }
}
