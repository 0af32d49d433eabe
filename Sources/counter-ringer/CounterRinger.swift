import Alarms
import Glibc
import Linux

/// Sounds and speech for `counter`, which starts it.
///
/// | arguments | does |
/// |---|---|
/// | `--data-dir JOURNAL` | rings what is due in the journal, and arms its next end; systemd calls it then, with a `PlainPath` |
/// | `login` | the same for all journals of the user, at login |
/// | `check PART…` | prints which of these parts of the system are missing |
/// | `serve JOURNAL DESCRIPTOR` | serves the program that started it by this socket, and others of the same user |
@main
enum CounterRinger {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        setlocale(LC_ALL, "")
        ProgramFiles.forgetForeignRuntimeDirectory()
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("check", _): exit(PartCheck.run(Array(arguments.dropFirst())) ? EX_OK : EX_USAGE)
        case ("login", 1): login()
        case ("serve", 3):
            guard let number = CInt(arguments[2]), number > 2 else { fail(usage, status: EX_USAGE) }
            run(arguments[1], client: Descriptor(owning: number))
        case ("--data-dir", 2): run(arguments[1], client: nil)
        case ("--data-dir", 3) where arguments[2] == "--login": run(arguments[1], client: nil, isLogin: true)
        default: fail(usage, status: EX_USAGE)
        }
    }

    private static let usage = "counter-ringer is started by counter and by systemd"

    /// Serves the program that has started it, or, without one, looks at the timers.
    private static func run(_ word: String, client: consuming Descriptor?, isLogin: Bool = false) {
        // systemd starts it elsewhere than where a relative path holds.
        let journal = PlainPath.path(word) ?? realPath(word) ?? word
        guard let place = RingerPlace(journal: journal) else {
            if RingerPlace.name(of: journal) == nil { fail("\(journal): no journal", status: EX_NOINPUT) }
            fail(
                "no directory for the socket that only this user may change; set XDG_RUNTIME_DIR",
                status: EX_NOPERM)
        }
        let hasClient = client != nil
        do throws(SystemCallError) {
            let ringer = try Ringer(for: journal, at: place, client: client)
            if !hasClient { ringer.lookAtTimers(isLogin: isLogin) }
            try ringer.run()
        } catch {
            guard error.errno == EWOULDBLOCK else { fail("\(error)", status: EX_OSERR) }
            // Another ringer serves this journal already. A client connects to it by itself.
            if hasClient { exit(EX_TEMPFAIL) }
            passOn(to: place)
        }
    }

    /// Has the ringer that runs already look at the timers.
    private static func passOn(to place: RingerPlace) {
        guard let socket = try? StreamListener.connect(place.socket) else { exit(EX_TEMPFAIL) }
        let lines = [RingerRequest.hello(version: RingerProtocol.version), .timers].map { $0.line + "\n" }
            .joined()
        _ = try? Output.write(lines, to: socket.number)
    }

    /// Arms what was armed before the logout, and rings what was missed.
    private static func login() {
        guard let executable = ProgramFiles.executable else { return }
        var processes: [DetachedProcess] = []
        // One after the other, except that one that rings goes on until its alarm is acknowledged.
        for directory in AlarmRegistry.takeDirectories() {
            guard let process = try? DetachedProcess([executable, "--data-dir", directory, "--login"]) else {
                continue
            }
            processes.append(process)
            _ = try? PollSet.result(of: process.number, until: .now + armingTime)
            processes.removeAll { $0.endStatus() != nil }
        }
        // Its unit ends those that still ring when this process ends.
        for process in processes { while waitpid(process.id, nil, 0) < 0, errno == EINTR {} }
    }

    /// How long the login waits for one journal before the next.
    private static let armingTime = Duration.seconds(1)

    private static func fail(_ message: String, status: CInt) -> Never {
        let line = Array("counter-ringer: \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(status)
    }
}
