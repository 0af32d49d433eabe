import KeyProtocol
import System

/// When the server is told what its client wants.
///
/// A key that is held down on the screen changes that 30 times a second, and each change may have all nodes looked at: the server
/// has a budget for that. Giving the keys back never waits. Taking them waits until `pause` after the last change was sent; what
/// has changed back until then is not sent at all. So no more than 20 messages a second are.
struct AttentionPace {
    /// Between what was sent and the next time that keys are taken.
    static let pause = Duration.milliseconds(100)

    private var wanted = Attention.away
    private var sent: Attention?
    private var lastSent = MonotonicTime(microseconds: .min / 2)

    /// When to ask again what is to be sent; `nil` where nothing is.
    var due: MonotonicTime? { sent == nil || sent == wanted ? nil : lastSent + Self.pause }

    /// A new server is told at once, in the introduction.
    mutating func begin(at now: MonotonicTime) -> Attention {
        (sent, lastSent) = (wanted, now)
        return wanted
    }

    /// There is no server.
    mutating func end() { sent = nil }

    /// Something else is wanted from now on.
    ///
    /// - Returns: what to send; `nil` where nothing is to be sent now.
    mutating func want(_ attention: Attention, at now: MonotonicTime) -> Attention? {
        wanted = attention
        return next(at: now)
    }

    /// What to send; `nil` where nothing is to be sent now.
    mutating func next(at now: MonotonicTime) -> Attention? {
        guard let due, wanted == .away || now >= due else { return nil }
        return begin(at: now)
    }
}
