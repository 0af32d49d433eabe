import Glibc
import System

/// How far something is, in the line where the cursor of standard error's terminal stands.
struct ProgressBar {
    private static let interval = Duration.milliseconds(100)
    private static let cells = 25

    private var due = MonotonicTime.now + Self.interval
    private var isShown = false

    /// A bar that is not shown yet; nil where standard error is no terminal.
    init?() {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
    }

    /// Draws it, unless that was done within the last 100 ms: what takes no longer than that never shows one.
    ///
    /// - Parameter progress: From 0 to 1.
    mutating func show(_ progress: Double) {
        let now = MonotonicTime.now
        guard now >= due else { return }
        due = now + Self.interval
        isShown = true
        let percent = String(Int(progress * 100))
        let done = String(repeating: "#", count: Int(progress * Double(Self.cells)))
        let cells = done + String(repeating: ".", count: Self.cells - done.count)
        write("\r" + String(repeating: " ", count: 3 - percent.count) + percent + " % [\(cells)]")
    }

    /// Takes it away, by means that every terminal has.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        write("\r" + String(repeating: " ", count: Self.cells + 8) + "\r")
    }

    /// A terminal that is gone has nobody who looks at it.
    private func write(_ text: String) { try? Output.write(text, to: STDERR_FILENO) }
}
