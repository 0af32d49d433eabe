package import CounterModel
package import CounterTUI
import Glibc
package import Linux

/// Shows a session: on screens, or as lines on standard output.
package protocol Frontend: AnyObject {
    var isDone: Bool { get }
    /// When `handle` is to be called though nothing happened; `nil` at rest.
    var deadline: MonotonicTime? { get }
    /// The same by the wall clock, for what is due at a time of day.
    var wallDeadline: Timestamp? { get }
    func watch(_ polled: inout PollSet)
    /// Reads the input that arrived, and follows its focus reports. Called before anything that may take long.
    func readInput(_ polled: PollSet) throws
    func handle(_ polled: PollSet, at now: MonotonicTime) throws
    func handle(signal: CInt)
    func show(_ events: [SessionEvent])
}

/// The loop of the screens and of `counter listen`: it waits for signals, keys, other writers of the journal, the frontend, and two
/// timers for deadlines. The one on the wall clock is for all that is due at a time of day: a machine that slept past it, or whose
/// clock is set, is told at once.
///
/// At rest it sleeps in `poll(2)`; no timer runs.
package final class MainLoop {
    package static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]

    private let session: CountingSession
    private let front: any Frontend
    private let signals: SignalDescriptor
    private let timer: TimerDescriptor
    private let wallClock: WallClockTimer
    private var polled = PollSet()

    /// A loop; its signals are blocked already.
    package init(_ session: CountingSession, _ front: any Frontend, signals: SignalDescriptor)
        throws(SystemCallError)
    {
        (self.session, self.front, self.signals) = (session, front, signals)
        timer = try TimerDescriptor()
        wallClock = try WallClockTimer()
    }

    /// Runs until the frontend is done. After that no key is intercepted, whatever ended the loop.
    package func run() throws {
        // After the first frame.
        releaseProgramPages()
        let result = Result { while !front.isDone { try turn() } }
        let events = session.capture(.off)
        try result.get()
        front.show(events)
    }

    func turn() throws {
        polled.removeAll()
        let signal = polled.add(signals.number)
        let due = polled.add(timer.number)
        let dueByClock = polled.add(wallClock.number)
        session.watch(&polled)
        front.watch(&polled)
        try timer.arm([session.deadline, front.deadline].compactMap(\.self).min())
        try wallClock.arm([session.wallDeadline, front.wallDeadline].compactMap(\.self).min()?.microseconds)
        try polled.wait()
        if !polled.result(at: due).isEmpty { timer.acknowledge() }
        let clockEvent = polled.result(at: dueByClock).isEmpty ? nil : wallClock.take()
        // Update the capture mode first, because storing and drawing may take long.
        if !polled.result(at: signal).isEmpty {
            while let signal = signals.next() { front.handle(signal: signal) }
        }
        try front.readInput(polled)
        if front.isDone { return }
        // Handle keys before deadlines: time must not advance while a key can be read (G13).
        let now = MonotonicTime.now
        if clockEvent == .clockSet { front.show(session.clockWasSet()) }
        front.show(session.receive(at: now))
        front.show(session.followJournal(at: now))
        try front.handle(polled, at: now)
        // Last, because the first sound starts a program.
        session.announcer.send(at: .now)
    }
}

/// A terminal as the frontends use it: a `GuardedTerminal`, or one that tests have recorded.
package protocol FrontendTerminal: AnyObject {
    /// The descriptor to poll for POLLIN before `events`.
    var inputDescriptor: CInt { get }
    /// The descriptor to poll for POLLOUT while something waits to be sent.
    var outputDescriptor: CInt { get }
    /// When `events` is to be called even if nothing can be read; nil at rest.
    var deadline: MonotonicTime? { get }
    func events(at now: MonotonicTime) throws(TerminalError) -> [TerminalEvent]
    func bell()
    func suspend()
    func resume()
    func continued()
    func close()
}

package protocol ScreenTerminal: FrontendTerminal {
    var capabilities: Capabilities { get }
    var size: Size { get }
    func present(_ grid: Grid, title: String) throws(TerminalError) -> Bool
    func notify(title: String, text: String, at now: MonotonicTime)
    func repaint()
    func resize() -> Size
}

package protocol LineTerminal: FrontendTerminal {
    func write(line: String)
    func flush() throws(TerminalError) -> Bool
}

extension FrontendTerminal {
    func isDue(_ polled: PollSet, at now: MonotonicTime) -> Bool {
        polled.isReady(inputDescriptor) || deadline.map { now >= $0 } ?? false
    }
}

extension Terminal: ScreenTerminal {}
extension PlainTerminal: LineTerminal {}
