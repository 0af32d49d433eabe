import CounterTUI
import Glibc
import System
import VolumeInput

/// Decides the session's capture mode from everything that reports whether the program is in the foreground.
final class Attendance {
    /// How long tmux may take to answer a request for its focus state, on the slowest machine.
    private static let promptness = Duration.seconds(2)

    private(set) var policy: AttentionPolicy
    private let session: CountingSession
    private let console: VirtualTerminal?
    private let seat = LoginSeat()
    /// When the terminal was last asked to report its focus.
    private var asked = MonotonicTime.now
    private var places: [Int] = []

    /// Changes nothing before `begin`.
    init(_ session: CountingSession, policy: AttentionPolicy, console: VirtualTerminal? = nil) {
        self.session = session
        self.policy = policy
        self.console = console
    }

    /// Adds the descriptors to wait for.
    func watch(_ polled: inout PollSet) {
        places = []
        if let console { places.append(polled.add(console.number, CInt(POLLPRI))) }
        if let seat { places.append(polled.add(seat.number)) }
    }

    /// Handles the descriptors that became readable.
    func handle(_ polled: PollSet) -> [SessionEvent] {
        places.contains { !polled.result(at: $0).isEmpty } ? begin() : []
    }

    /// Reads the present state and sets the capture mode from it.
    func begin() -> [SessionEvent] {
        if let console { policy.focus = console.isInFront() ? .gained : .lost }
        if let seat { policy.seat = seat.front() }
        return session.attend(policy.attention)
    }

    /// Stops capture for a while.
    func pause() -> [SessionEvent] { session.attend(.away) }

    /// Sets the capture mode again, and expects the focus report of a terminal that was just asked for it.
    func resume() -> [SessionEvent] {
        asked = .now
        return begin()
    }

    /// Handles a focus report of the terminal.
    ///
    /// Without `focus-events`, tmux reports only clients that attach and detach, not changes of its own windows. A report
    /// therefore counts only if tmux answers a request at once.
    func focus(_ focus: AttentionPolicy.Focus) -> [SessionEvent] {
        if policy.isBlind, .now > asked + Self.promptness { return [] }
        policy.focus = focus
        return session.attend(policy.attention)
    }

    /// Switches capture off until the next call.
    func toggle() -> [SessionEvent] {
        policy.isGivenBack.toggle()
        return session.attend(policy.attention)
    }
}

extension Attendance {
    /// Why an input device is captured as it is, and what the user can do about it; `nil` where there is nothing to say
    /// or do.
    func explain(_ source: SourceSummary) -> (reason: String?, remedy: String?) {
        switch source.state {
        case .shared: policy.explanation ?? (source.reason, source.remedy)
        case .held, .noAccess: (source.reason, source.remedy)
        }
    }
}

extension Attendance {
    /// Creates a tracker with whatever reports the foreground state of this terminal.
    convenience init(_ session: CountingSession, _ settings: Settings, _ terminal: Terminal) {
        let console = VirtualTerminal(terminal: terminal.outputDescriptor)
        let witness: AttentionPolicy.Witness =
            if console != nil {
                .kernel
            } else if Self.isMultiplexed {
                .multiplexer
            } else {
                terminal.reportsFocus ? .focusReports : .nothing
            }
        let policy = AttentionPolicy(
            intercept: settings.intercept, always: settings.always, witness: witness)
        self.init(session, policy: policy, console: console)
    }

    /// tmux and screen set an environment variable; over SSH only the terminal's type names them.
    private static var isMultiplexed: Bool {
        let type = Paths.environment("TERM") ?? ""
        return ["TMUX", "STY"].contains { Paths.environment($0)?.isEmpty == false }
            || ["screen", "tmux"].contains { type.hasPrefix($0) }
    }
}
