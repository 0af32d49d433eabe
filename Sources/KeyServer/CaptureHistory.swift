import KeyProtocol
import System

/// What is to happen with the keys of a node, and what was before.
struct CaptureHistory {
    private var current = CaptureMode.off
    private var previous = CaptureMode.off
    private var since: MonotonicTime?

    /// Has something else brought about.
    ///
    /// Until it is done what others hear is theirs: from the beginning where the keys are given back, up to the end where they
    /// are taken. What has come since the node was opened is judged by the first change.
    mutating func change(to captureMode: CaptureMode, _ bringAbout: () -> Void) {
        let beginning = MonotonicTime.now
        bringAbout()
        if captureMode == current, since != nil { return }
        previous = since == nil ? captureMode : current
        current = captureMode
        since = captureMode == .off ? beginning : .now
    }

    /// What was to happen at a moment.
    ///
    /// An event is judged by its stamp and not by when it is read: what was held counts, for nobody else has heard it, however
    /// late it is read.
    func captureMode(at stamp: MonotonicTime) -> CaptureMode {
        since.map { stamp < $0 } ?? true ? previous : current
    }
}
