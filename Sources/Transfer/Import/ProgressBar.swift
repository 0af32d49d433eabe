import Glibc
import Linux

/// A progress bar in the cursor's line of the terminal on standard error.
struct ProgressBar {
    private static let interval = Duration.milliseconds(100)
    private static let cells = 25

    private var due = MonotonicTime.now + Self.interval
    private var isShown = false

    /// A bar that is not shown yet; nil where standard error is not a terminal.
    init?() {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
    }

    /// Draws the bar, unless it was drawn less than 100 ms ago: a task that is faster than that shows no bar.
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

    /// Removes the bar, with control characters that every terminal has.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        write("\r" + String(repeating: " ", count: Self.cells + 8) + "\r")
    }

    /// Errors are ignored: on a terminal that is gone the bar does not matter.
    // What cannot be shown is left out: the import goes on.
    private func write(_ text: String) { try? Output.write(text, to: STDERR_FILENO) }
}
