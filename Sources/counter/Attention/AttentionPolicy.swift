import KeyProtocol
import VolumeInput

/// When the volume keys are held: only where it is known when to let go.
struct AttentionPolicy {
    /// What tells whether the program's terminal is in front.
    enum Witness {
        /// The terminal reports when its window gets or loses the focus.
        case focusReports
        /// tmux or screen stands between: whether it passes focus reports on is known only once one has come.
        case multiplexer
        /// The kernel tells which virtual terminal is in front.
        case kernel
        /// Nothing does.
        case nothing
    }

    /// Whether the program's terminal is in front.
    enum Focus {
        /// Nothing has been told yet.
        case unknown
        case gained
        case lost
    }

    var intercept: Intercept
    /// Hands-free, while the eyes are in another window.
    var always: Bool
    var witness: Witness
    var focus = Focus.unknown
    /// Whose session is in front at the machine.
    var seat = LoginSeat.Front.own
    /// `v`: the keys are given back until it is pressed again.
    var isGivenBack = false

    /// What is to happen with the keys.
    var attention: Attention {
        if isGivenBack { return .away }
        if seat == .otherUser { return always ? .shared : .away }
        if always { return inFront }
        if seat == .other, knowsOnlyItsWindow { return .away }
        switch focus {
        case .gained: return inFront
        case .lost: return .away
        case .unknown: return isBlind ? .shared : inFront
        }
    }

    private var inFront: Attention { intercept == .never ? .shared : .holding }

    /// Its session may be hidden as a whole, and the terminal not be told. The kernel tells better which virtual terminal
    /// is in front; and tmux may show the program in another session than it was started in.
    private var knowsOnlyItsWindow: Bool {
        switch witness {
        case .focusReports, .nothing: true
        case .multiplexer, .kernel: false
        }
    }

    /// Nobody is known who would tell when to let go.
    var isBlind: Bool {
        switch witness {
        case .multiplexer, .nothing: focus == .unknown
        case .focusReports, .kernel: false
        }
    }

    /// Why nothing is held though it could be, with the remedy; `nil` where there is nothing to say.
    var explanation: (reason: String, remedy: String?)? {
        if isGivenBack { return ("given back to the system", "v takes the keys again") }
        if seat == .otherUser { return ("another user is at the machine", nil) }
        switch attention {
        case .holding: return nil
        case .away:
            return ("in the background: nothing counts", "start with --always to count there too")
        case .shared:
            if intercept == .never {
                return ("as configured (intercept = never)", "start with --intercept auto")
            }
            return unknownFocus
        }
    }

    private var unknownFocus: (reason: String, remedy: String?) {
        switch witness {
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
