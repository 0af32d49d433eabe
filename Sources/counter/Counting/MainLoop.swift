import Glibc
import System

/// What shows a session: the screens, or lines on standard output.
protocol Front: AnyObject {
    /// True once the program is to end.
    var isDone: Bool { get }
    /// When `tick` is to be called though nothing happened; `nil` at rest.
    var deadline: MonotonicTime? { get }
    /// Adds what it waits for.
    func watch(_ polled: inout PollSet)
    /// Gives the keys back or takes them, as what came tells; before anything that may take its time.
    func attend(_ polled: PollSet) throws
    /// Takes in what came for it, and whatever is due.
    func handle(_ polled: PollSet, at now: MonotonicTime) throws
    /// A signal has arrived.
    func handle(signal: CInt) throws
    /// The session has something to show.
    func show(_ events: [SessionEvent]) throws
}

/// The one loop of the program: signals, keys, the journal of others, the front, and one timer for what is due.
///
/// At rest it sleeps in `poll(2)`; nothing ticks.
final class MainLoop {
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]

    private let session: CountingSession
    private let front: any Front
    private let signals: SignalDescriptor
    private let timer: TimerDescriptor
    private var polled = PollSet()

    init(_ session: CountingSession, _ front: any Front, signals: SignalDescriptor) throws(SystemCallError) {
        self.session = session
        self.front = front
        self.signals = signals
        timer = try TimerDescriptor()
    }

    /// Runs until the front is done. The keys are everybody's again then, whatever ended it.
    func run() throws {
        let result = Result { while !front.isDone { try turn() } }
        let events = session.attend(.away)
        try result.get()
        try front.show(events)
    }

    /// Waits until something is to be done, and does it.
    private func turn() throws {
        polled.removeAll()
        let signal = polled.add(signals.number)
        let due = polled.add(timer.number)
        session.watch(&polled)
        front.watch(&polled)
        try timer.arm([session.deadline, front.deadline].compactMap(\.self).min())
        try polled.wait()
        if !polled.result(at: due).isEmpty { timer.acknowledge() }
        // What gives the keys back comes first: storing and drawing may take their time.
        if !polled.result(at: signal).isEmpty { try handleSignals() }
        try front.attend(polled)
        if front.isDone { return }
        // Keys before anything else, for time may not advance while something can be read (G13).
        let now = MonotonicTime.now
        try front.show(session.receive(at: now))
        try front.show(session.followJournal(at: now))
        try front.handle(polled, at: now)
    }

    private func handleSignals() throws {
        while let signal = signals.next() { try front.handle(signal: signal) }
    }
}
