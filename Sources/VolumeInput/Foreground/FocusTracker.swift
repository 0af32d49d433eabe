import Glibc
package import KeyProtocol
package import Linux

/// Follows everything that reports whether the program is in the foreground, and decides the capture mode from it.
package final class FocusTracker {
    /// How long tmux may take to answer a request for its focus state, on the slowest machine.
    private static let answerTimeout = Duration.seconds(2)

    /// What is known, and what follows from it.
    package private(set) var policy: CapturePolicy
    private let console: VirtualTerminal?
    private let seat = LoginSeat()
    /// When the terminal was last asked to report its focus.
    private var asked = MonotonicTime.now
    private var indices: [Int] = []

    /// Follows the seat alone, for a program without a terminal.
    package convenience init(_ policy: CapturePolicy) { self.init(policy, console: nil) }

    private init(_ policy: CapturePolicy, console: VirtualTerminal?) {
        self.policy = policy
        self.console = console
        update()
    }

    /// Follows whatever reports the foreground state of a terminal.
    ///
    /// - Parameters:
    ///   - terminal: its open descriptor.
    ///   - reportsFocus: whether it reports when its window gains or loses the focus.
    ///   - intercept: whether keys may be intercepted.
    ///   - always: count while the terminal is in the background too.
    package convenience init(terminal: CInt, reportsFocus: Bool, intercept: Intercept, always: Bool) {
        let console = VirtualTerminal(terminal: terminal)
        let focusSource: CapturePolicy.FocusSource =
            if console != nil {
                .kernel
            } else if Self.isMultiplexed {
                .multiplexer
            } else {
                reportsFocus ? .focusReports : .nothing
            }
        self.init(
            CapturePolicy(intercept: intercept, always: always, focusSource: focusSource), console: console)
    }

    /// tmux and screen set an environment variable; over SSH only the terminal's type names them.
    private static var isMultiplexed: Bool {
        let type = environmentVariable("TERM") ?? ""
        return ["TMUX", "STY"].contains { environmentVariable($0)?.isEmpty == false }
            || ["screen", "tmux"].contains { type.hasPrefix($0) }
    }

    /// The capture mode for now.
    package var captureMode: CaptureMode { policy.captureMode }

    /// Adds the descriptors to wait for.
    package func watch(_ polled: inout PollSet) {
        indices = []
        if let console { indices.append(polled.add(console.number, CInt(POLLPRI))) }
        if let seat { indices.append(polled.add(seat.number)) }
    }

    /// Reads the present state where a descriptor became readable.
    ///
    /// - Returns: Whether one did; the capture mode may have changed then.
    package func handle(_ polled: PollSet) -> Bool {
        guard indices.contains(where: { !polled.result(at: $0).isEmpty }) else { return false }
        update()
        return true
    }

    /// Reads the present state, and expects the focus report of a terminal that was just asked for it.
    package func resume() {
        asked = .now
        update()
    }

    private func update() {
        if let console { policy.focus = console.isInForeground() ? .gained : .lost }
        if let seat { policy.seat = seat.front() }
    }

    /// Handles a focus report of the terminal.
    ///
    /// Without `focus-events`, tmux reports only clients that attach and detach, not changes of its own windows. A report
    /// therefore counts only if tmux answers a request at once.
    package func focus(_ focus: CapturePolicy.Focus) {
        if policy.isBlind, .now > asked + Self.answerTimeout { return }
        policy.focus = focus
    }

    /// Switches capture off until the next call.
    package func toggle() { policy.isGivenBack.toggle() }
}
