import KeyProtocol
import Linux

/// Limits how often a change of the capture mode is sent to the server.
///
/// An autorepeating key on a screen can change the mode 30 times a second. Each change can make the server check all nodes,
/// and the server limits such work. `off` is sent at once. Any other mode waits until `pause` after the last message, and is
/// not sent if the mode has changed back by then. This allows at most 20 messages a second.
struct CapturePacing {
    /// The minimum time between a message and the next one that is not `off`.
    static let pause = Duration.milliseconds(100)

    private var wanted = CaptureMode.off
    private var sent: CaptureMode?
    private var lastSent = MonotonicTime(microseconds: .min / 2)

    /// When to call `next`; `nil` where nothing is to be sent.
    var due: MonotonicTime? { sent == nil || sent == wanted ? nil : lastSent + Self.pause }

    /// A new server has started. The mode is part of the first messages, without a delay.
    mutating func begin(at now: MonotonicTime) -> CaptureMode {
        (sent, lastSent) = (wanted, now)
        return wanted
    }

    /// The connection to the server has ended.
    mutating func end() { sent = nil }

    /// Requests another mode.
    ///
    /// - Returns: the mode to send now; `nil` where none is to be sent now.
    mutating func want(_ captureMode: CaptureMode, at now: MonotonicTime) -> CaptureMode? {
        wanted = captureMode
        return next(at: now)
    }

    /// The mode to send now; `nil` where none is to be sent now.
    mutating func next(at now: MonotonicTime) -> CaptureMode? {
        guard let due, wanted == .off || now >= due else { return nil }
        return begin(at: now)
    }
}
