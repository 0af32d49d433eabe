package import CounterModel
package import CounterStore
import Glibc
package import Linux

/// The loop of `counter watch`: signals, the journal, the running command, and the time when a device is stale.
///
/// At rest it sleeps in `poll(2)`. Commands run one at a time; events wait in the journal meanwhile.
package final class WatchLoop {
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

    /// The command's environment has the `variables` too. The signals are SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGCHLD.
    package init(
        _ command: [String], variables: [String: String], _ events: WatchEvents, follower: JournalFollower,
        signals: SignalDescriptor, now: @escaping () -> Timestamp
    ) throws {
        (self.command, self.variables, self.events) = (command, variables, events)
        (self.follower, self.signals, self.now) = (follower, signals, now)
        clock = try WallClockTimer()
    }

    /// Runs until a signal arrives and the running command has ended. A second signal kills the command.
    /// - Throws: `JournalError`; `ProgramError`: 66, 71 or 77 where the command cannot be started, 74 where the record cannot be
    ///   written. What was not started is started by the next run, unless the program was killed.
    package func run() throws {
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
        polled.add(clock.number)
        try clock.arm(isEnding ? nil : events.nextStale?.microseconds)
        try polled.wait(until: isEnding ? nil : follower.deadline)
        _ = clock.take()
        if !polled.result(at: signal).isEmpty {
            handleSignals()
            try noteEnd()
        }
        let hasChanged = follower.hasChanged(at: .now)
        let isStale = events.nextStale.map { $0 <= now() } ?? false
        if !isEnding, hasChanged || isStale { try events.update(at: now()) }
    }

    private func startNext() throws {
        guard running == nil, let event = try events.next() else { return }
        try events.start(event) {
            do throws(SystemCallError) {
                let process = try CommandProcess(
                    command, variables: event.variables.merging(variables) { $1 })
                running = (process, event)
            } catch { throw Self.failure(of: command[0], errno: error.errno) }
        }
    }

    private func noteEnd() throws {
        guard let (process, event) = running, let ending = try process.ending() else { return }
        running = nil
        let problem: String
        switch ending {
        case .exited(0): return
        case .exited(let code): problem = "ended with exit code \(code)"
        case .killed(let signal): problem = "was killed by signal \(signal)"
        }
        Output.tell("\(command[0]) \(problem) (\(event.text))")
    }

    private func handleSignals() {
        while let signal = signals.next() {
            if signal == SIGCHLD { continue }
            // The terminal sends Ctrl-C to the command too.
            if isEnding {
                running?.process.signal(SIGKILL)
            } else if signal != SIGINT {
                running?.process.signal(signal)
            }
            isEnding = true
        }
    }

    package static func failure(of program: String, errno: CInt) -> ProgramError {
        ProgramError(
            "\(program): \(errorText(errno))",
            remedy: errno == ENOENT
                ? "Name a program after --, such as: counter watch -- notify-send 'It is full'"
                : Linux.remedy(forLimit: errno),
            status: errno == ENOENT ? EX_NOINPUT : errno == EACCES ? EX_NOPERM : EX_OSERR)
    }
}
