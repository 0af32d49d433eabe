import KeyProtocol
import System

/// How many messages a client may send: enough to introduce itself with every setting, then a few a second.
///
/// Each of them may have all nodes looked at, which others have to wait for.
struct MessageBudget {
    /// `configure`, `only`, `ignore` and `capture`, each as often as it may be said.
    static let introduction = 1 + KeyClientSettings.maxPaths + KeyClientSettings.maxIgnored + 1
    /// After the introduction.
    static let burst = 64
    /// How long it takes until another may be sent.
    static let pause = Duration.milliseconds(30)

    private var left = Self.introduction
    /// Until when the later ones have been used up; `nil` during the introduction.
    private var spent: MonotonicTime?

    /// The introduction is over.
    mutating func endIntroduction(at now: MonotonicTime) {
        if spent == nil { spent = now }
    }

    /// - Returns: false where it was one too many.
    mutating func spend(at now: MonotonicTime) -> Bool {
        guard let spent else {
            left -= 1
            return left >= 0
        }
        let end = max(spent, now) + Self.pause
        self.spent = end
        return end - now <= Self.pause * Self.burst
    }
}
