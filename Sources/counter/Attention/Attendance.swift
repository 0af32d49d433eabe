import CounterTUI
import Glibc
import System
import VolumeInput

/// Says what is to happen with the keys, from all that tells of the program being in front.
final class Attendance {
    /// How soon tmux answers, on the slowest machine.
    private static let promptness = Duration.seconds(2)

    private(set) var policy: AttentionPolicy
    private let session: CountingSession
    private let console: VirtualTerminal?
    private let seat = LoginSeat()
    /// When the terminal was last asked to report its focus.
    private var asked = MonotonicTime.now
    private var places: [Int] = []

    /// Nothing is attended to before `begin`.
    init(_ session: CountingSession, policy: AttentionPolicy, console: VirtualTerminal? = nil) {
        self.session = session
        self.policy = policy
        self.console = console
    }

    /// Adds what it waits for.
    func watch(_ polled: inout PollSet) {
        places = []
        if let console { places.append(polled.add(console.number, CInt(POLLPRI))) }
        if let seat { places.append(polled.add(seat.number)) }
    }

    /// Takes in what came.
    func handle(_ polled: PollSet) -> [SessionEvent] {
        places.contains { !polled.result(at: $0).isEmpty } ? begin() : []
    }

    /// Takes the keys, if now is the time.
    func begin() -> [SessionEvent] {
        if let console { policy.focus = console.isInFront() ? .gained : .lost }
        if let seat { policy.seat = seat.front() }
        return session.attend(policy.attention)
    }

    /// Gives the keys back for a while.
    func pause() -> [SessionEvent] { session.attend(.away) }

    /// Takes the keys again, and a terminal that has been asked again to report its focus.
    func resume() -> [SessionEvent] {
        asked = .now
        return begin()
    }

    /// The terminal has told of its focus.
    ///
    /// tmux without `focus-events` tells of clients that come and go all the same, but not of its own windows. So its
    /// word counts only where it answers at once when it is asked.
    func focus(_ focus: AttentionPolicy.Focus) -> [SessionEvent] {
        if policy.isBlind, .now > asked + Self.promptness { return [] }
        policy.focus = focus
        return session.attend(policy.attention)
    }

    /// Gives the keys back until it is called again.
    func toggle() -> [SessionEvent] {
        policy.isGivenBack.toggle()
        return session.attend(policy.attention)
    }
}

extension Attendance {
    /// Why a source is treated as it is, and what to do about it; `nil` where there is nothing to say or do.
    func explain(_ source: SourceSummary) -> (reason: String?, remedy: String?) {
        switch source.state {
        case .shared: policy.explanation ?? (source.reason, source.remedy)
        case .held, .noAccess: (source.reason, source.remedy)
        }
    }
}

extension Attendance {
    /// What tells of the program being in front in this terminal.
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

    /// tmux and screen name themselves in a variable, and behind SSH in the terminal's type only.
    private static var isMultiplexed: Bool {
        let type = Paths.environment("TERM") ?? ""
        return ["TMUX", "STY"].contains { Paths.environment($0)?.isEmpty == false }
            || ["screen", "tmux"].contains { type.hasPrefix($0) }
    }
}
