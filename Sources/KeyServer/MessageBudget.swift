import KeyProtocol
import Linux

/// How many messages a client may send: enough to introduce itself with every setting, then about 33 a second.
///
/// A message may cause all nodes to be looked at, which delays other clients.
struct MessageBudget {
    /// The messages of an introduction: `configure`, `takePrecedence`, `only`, `ignore` and `capture`, each as often as it
    /// is valid.
    static let introduction = 2 + KeyClientSettings.maxPaths + KeyClientSettings.maxIgnored + 1
    /// How many messages may come at once after the introduction.
    static let burst = 64
    /// The time that each later message uses up.
    static let pause = Duration.milliseconds(30)

    private var left = Self.introduction
    /// Limits the later messages; `nil` during the introduction.
    private var limit: FloodLimit?

    /// Ends the introduction; from now on messages are limited by time.
    mutating func endIntroduction() {
        if limit == nil { limit = FloodLimit(burst: Self.burst, pause: Self.pause) }
    }

    /// - Returns: false if the message was one too many.
    mutating func spend(at now: MonotonicTime) -> Bool {
        if let isAdmitted = limit?.admits(1, at: now) { return isAdmitted }
        left -= 1
        return left >= 0
    }
}
