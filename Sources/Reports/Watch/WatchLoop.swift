public import CounterModel
public import CounterStore
import Glibc
public import System

/// The loop of `counter watch`: signals, the journal, the running command, and the time when a device is stale.
///
/// At rest it sleeps in `poll(2)`. Commands run one at a time; events wait in the journal meanwhile.
public final class WatchLoop {
    private let command: [String]
    private let variables: [String: String]
    private let events: WatchEvents
    private let follower: JournalFollower
    private let signals: SignalDescriptor
    private let now: () -> Timestamp
    private let clock: WallClockTimer
    private var running: (process: CommandProcess, event: WatchEvent)?
    private var isEnding = false
    private var polled = PollSet()

    /// Creates a loop.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - variables: Variables of its environment, in addition to those of the event.
    ///   - conditions: What it is run for.
    ///   - only: The id of the only location; nil for all that are visible.
    ///   - journal: The journal.
    ///   - follower: Reports the commits of other programs.
    ///   - record: What earlier runs have done.
    ///   - signals: SIGINT, SIGTERM, SIGHUP and SIGQUIT.
    ///   - staleAfter: How long after its last sign of life a device is stale.
    ///   - now: The present time of our clock.
    /// - Throws: `JournalError`, `SystemCallError`
    public init(
        _ command: [String], variables: [String: String], on conditions: Set<LocationCondition>,
        only: String?, journal: SQLiteJournal,
        follower: JournalFollower, record: WatchRecord, signals: SignalDescriptor, staleAfter: Duration,
        now: @escaping () -> Timestamp
    ) throws {
        self.command = command
        self.variables = variables
        self.follower = follower
        self.signals = signals
        self.now = now
        clock = try WallClockTimer()
        events = try WatchEvents(
            journal, conditions, only: only, staleAfter: staleAfter, record: record, now: now())
        if !record.isContinued { try record.save() }
    }

    /// Runs until a signal arrives and the running command has ended. A second signal kills the command.
    ///
    /// - Throws: `JournalError`; `Failure`: 66, 71 or 77 where the command cannot be started, 74 where the record cannot be
    ///   written. What was not started is started by the next run.
    public func run() throws {
        let result = Result {
            while !isEnding {
                try startNext()
                try turn()
            }
        }
        isEnding = true
        while running != nil { try turn() }
        try result.get()
    }

    private func turn() throws {
        polled.removeAll()
        let signal = polled.add(signals.number)
        polled.add(follower.number)
        let ended = (running?.process.number).map { polled.add($0) }
        polled.add(clock.number)
        try clock.arm(isEnding ? nil : events.nextStale?.microseconds)
        try polled.wait(until: isEnding ? nil : follower.deadline)
        _ = clock.take()
        if !polled.result(at: signal).isEmpty { handleSignals() }
        if let ended, !polled.result(at: ended).isEmpty { try noteEnd() }
        let hasChanged = follower.hasChanged(at: .now)
        let isStale = events.nextStale.map { $0 <= now() } ?? false
        if !isEnding, hasChanged || isStale { try events.update(at: now()) }
    }

    private func startNext() throws {
        guard running == nil, let event = try events.next() else { return }
        let process: CommandProcess
        do throws(SystemCallError) {
            process = try CommandProcess(command, variables: event.variables.merging(variables) { $1 })
        } catch { throw Self.failure(of: command[0], errno: error.errno) }
        running = (process, event)
        try events.noteStarted()
    }

    private func noteEnd() throws {
        guard let (process, event) = running else { return }
        running = nil
        let problem: String
        switch try process.wait() {
        case .exited(0): return
        case .exited(let code): problem = "ended with exit code \(code)"
        case .killed(let signal): problem = "was killed by signal \(signal)"
        }
        Output.complain(Failure("\(command[0]) \(problem) (\(event.text))", status: EX_OK))
    }

    private func handleSignals() {
        while let signal = signals.next() {
            // The terminal sends Ctrl-C to the command too.
            if isEnding {
                running?.process.signal(SIGKILL)
            } else if signal != SIGINT {
                running?.process.signal(signal)
            }
            isEnding = true
        }
    }

    /// Why a command cannot be started.
    public static func failure(of program: String, errno: CInt) -> Failure {
        Failure(
            "\(program): \(errorText(errno))",
            remedy: errno == ENOENT
                ? "Name a program after --, such as: counter watch -- notify-send 'It is full'" : nil,
            status: errno == ENOENT ? EX_NOINPUT : errno == EACCES ? EX_NOPERM : EX_OSERR)
    }
}
