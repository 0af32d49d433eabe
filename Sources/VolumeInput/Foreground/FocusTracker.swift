import CounterTUI
import Glibc
import System
import VolumeInput

/// Decides the session's capture mode from everything that reports whether the program is in the foreground.
final class FocusTracker {
    /// How long tmux may take to answer a request for its focus state, on the slowest machine.
    private static let answerTimeout = Duration.seconds(2)

    private(set) var policy: CapturePolicy
    private let session: CountingSession
    private let console: VirtualTerminal?
    private let seat = LoginSeat()
    /// When the terminal was last asked to report its focus.
    private var asked = MonotonicTime.now
    private var indices: [Int] = []

    /// Changes nothing before `begin`.
    init(_ session: CountingSession, policy: CapturePolicy, console: VirtualTerminal? = nil) {
        self.session = session
        self.policy = policy
        self.console = console
    }

    /// Adds the descriptors to wait for.
    func watch(_ polled: inout PollSet) {
        indices = []
        if let console { indices.append(polled.add(console.number, CInt(POLLPRI))) }
        if let seat { indices.append(polled.add(seat.number)) }
    }

    /// Handles the descriptors that became readable.
    func handle(_ polled: PollSet) -> [SessionEvent] {
        indices.contains { !polled.result(at: $0).isEmpty } ? begin() : []
    }

    /// Reads the present state and sets the capture mode from it.
    func begin() -> [SessionEvent] {
        if let console { policy.focus = console.isInFront() ? .gained : .lost }
        if let seat { policy.seat = seat.front() }
        return session.capture(policy.captureMode)
    }

    /// Stops capture for a while.
    func pause() -> [SessionEvent] { session.capture(.off) }

    /// Sets the capture mode again, and expects the focus report of a terminal that was just asked for it.
    func resume() -> [SessionEvent] {
        asked = .now
        return begin()
    }

    /// Handles a focus report of the terminal.
    ///
    /// Without `focus-events`, tmux reports only clients that attach and detach, not changes of its own windows. A report
    /// therefore counts only if tmux answers a request at once.
    func focus(_ focus: CapturePolicy.Focus) -> [SessionEvent] {
        if policy.isBlind, .now > asked + Self.answerTimeout { return [] }
        policy.focus = focus
        return session.capture(policy.captureMode)
    }

    /// Switches capture off until the next call.
    func toggle() -> [SessionEvent] {
        policy.isGivenBack.toggle()
        return session.capture(policy.captureMode)
    }
}

extension FocusTracker {
    /// Why an input device is captured as it is, and what the user can do about it; `nil` where there is nothing to say
    /// or do.
    func explain(_ source: SourceSummary) -> (reason: String?, remedy: String?) {
        switch source.state {
        case .shared: policy.explanation ?? (source.reason, source.remedy)
        case .exclusive, .noAccess: (source.reason, source.remedy)
        }
    }
}

extension FocusTracker {
    /// Creates a tracker with whatever reports the foreground state of this terminal.
    convenience init(_ session: CountingSession, _ settings: Settings, _ terminal: Terminal) {
        let console = VirtualTerminal(terminal: terminal.outputDescriptor)
        let focusSource: CapturePolicy.FocusSource =
            if console != nil {
                .kernel
            } else if Self.isMultiplexed {
                .multiplexer
            } else {
                terminal.reportsFocus ? .focusReports : .nothing
            }
        let policy = CapturePolicy(
            intercept: settings.intercept, always: settings.always, focusSource: focusSource)
        self.init(session, policy: policy, console: console)
    }

    /// tmux and screen set an environment variable; over SSH only the terminal's type names them.
    private static var isMultiplexed: Bool {
        let type = Paths.environment("TERM") ?? ""
        return ["TMUX", "STY"].contains { Paths.environment($0)?.isEmpty == false }
            || ["screen", "tmux"].contains { type.hasPrefix($0) }
    }
}
