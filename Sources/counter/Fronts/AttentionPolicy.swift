import VolumeInput

/// When the volume keys are held: only where it is known when to let go.
struct AttentionPolicy {
    /// What the terminal has told of its window.
    enum Focus {
        /// Nothing yet.
        case unknown
        case gained
        case lost
    }

    var intercept: Intercept
    /// Hands-free, while the eyes are in another window.
    var always: Bool
    /// tmux or screen stands between: whether it passes focus reports on is known only once one has come.
    var isMultiplexed: Bool
    var focus = Focus.unknown
    /// `v`: the keys are given back until it is pressed again.
    var isGivenBack = false

    /// What is to happen with the keys.
    var attention: Attention {
        if isGivenBack { return .away }
        let inFront: Attention = intercept == .never ? .shared : .holding
        if always { return inFront }
        switch focus {
        case .gained: return inFront
        case .lost: return .away
        case .unknown: return isMultiplexed ? .shared : inFront
        }
    }

    /// Why nothing is held though it could be, with the remedy; `nil` where there is nothing to say.
    var explanation: (reason: String, remedy: String)? {
        if isGivenBack { return ("given back to the system", "v takes the keys again") }
        if intercept == .never { return ("as configured (intercept = never)", "start with --intercept auto") }
        if attention == .shared {
            return (
                "tmux or screen does not tell when to let go",
                "tmux set -g focus-events on, or start with --always"
            )
        }
        return nil
    }
}
