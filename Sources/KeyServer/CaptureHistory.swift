import KeyProtocol
import Linux

/// The capture mode of a node, and the one before it.
struct CaptureHistory {
    private var current = CaptureMode.off
    private var previous = CaptureMode.off
    private var since: MonotonicTime?

    /// Runs `bringAbout`, which changes what happens to the node's keys, and notes when the change took effect.
    ///
    /// Keys that other programs receive are not counted: from the beginning of the change where the node is released,
    /// until its end where it is intercepted. What has come since the node was opened is judged by the mode of the
    /// first change.
    mutating func change(to captureMode: CaptureMode, _ bringAbout: () -> Void) {
        let beginning = MonotonicTime.now
        bringAbout()
        if captureMode == current, since != nil { return }
        previous = since == nil ? captureMode : current
        current = captureMode
        since = captureMode == .off ? beginning : .now
    }

    /// The capture mode at a moment.
    ///
    /// An event is judged by its time stamp, not by when it is read. So a key that was intercepted counts however
    /// late it is read: no other program has received it.
    func captureMode(at stamp: MonotonicTime) -> CaptureMode {
        since.map { stamp < $0 } ?? true ? previous : current
    }
}
