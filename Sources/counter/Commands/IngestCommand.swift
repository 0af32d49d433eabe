import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Transfer

/// `counter ingest`: appends the events of remote devices and the rows of other journals.
struct IngestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Takes in what devices report, and rows of other journals, line by line.",
        discussion: """
            Each line is a JSON object with timestamp (ISO 8601 with its offset), delta (1 or -1) and deviceId, and where \
            they are known locationId and sequenceNumber; or a line of counter listen --json. It is answered by a line \
            once it is stored: {"line":N,"result":"accepted"}, or duplicate, conflict (it counts; the device has started \
            its numbers again) or refused, with why. Without --socket it reads standard input to its end, and ends with \
            65 where lines were refused.
            """)

    /// How long a commit may wait for another program before this one handles signals again, in seconds.
    private static let busyTimeout = 0.1
    /// From one attempt to open a journal on a full disk to the next.
    private static let pauseOfFullDisk = Duration.seconds(1)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
    @Option(
        help: ArgumentHelp(
            "Listens at this Unix socket, for programs of this user, until SIGTERM or SIGINT (Ctrl-C).",
            valueName: "path"))
    var socket: String?

    func validate() throws {
        if socket == "" { throw ValidationError("--socket wants a path") }
    }

    func run() throws {
        let signals = try SignalDescriptor(MainLoop.signals)
        let settings = try Settings(journal.layer, locationOption.layer)
        if socket == nil { try Output.require() }
        guard let session = try Self.session(settings, unless: signals) else { return }
        try IngestLoop(session, listener: try socket.map(Self.listener), signals: signals).run()
        if socket == nil, session.refused > 0 { throw ExitCode(EX_DATAERR) }
    }

    /// Opens the journal; waits where the disk is full, as it does later.
    ///
    /// - Returns: `nil` where a signal has come meanwhile.
    private static func session(_ settings: Settings, unless signals: SignalDescriptor) throws
        -> IngestSession?
    {
        var isReported = false
        while true {
            do { return try session(settings) } catch let error as JournalError
                where error.reason == .diskFull
            {
                if !isReported { Output.complain(ProgramError(error)) }
                isReported = true
                var wait = PollSet()
                wait.add(signals.number)
                try wait.wait(until: .now + pauseOfFullDisk)
                if signals.next() != nil { return nil }
            }
        }
    }

    private static func session(_ settings: Settings) throws -> IngestSession {
        let journal = try SQLiteJournal.opened(settings, busyTimeout: busyTimeout)
        try journal.requireAdmin()
        return try IngestSession(
            journal, location: try journal.countedLocation(named: settings.location).id,
            follower: try JournalFollower(journal, directory: settings.dataDirectory),
            now: { WallClock().now })
    }

    private static func listener(_ path: String) throws(ProgramError) -> StreamListener {
        do throws(SystemCallError) {
            // No other program could connect to it.
            if path.utf8.count > StreamListener.maxPath {
                throw SystemCallError(call: "bind", subject: path, errno: ENAMETOOLONG)
            }
            return try StreamListener(path, lock: LockFile(path + ".lock"), servesOthers: true)
        } catch {
            switch error.errno {
            case EWOULDBLOCK,
                EADDRINUSE where StreamListener.isSocket(path):
                throw ProgramError(
                    "\(path): is already in use",
                    remedy: "End the program that listens there, or name another path.",
                    status: EX_UNAVAILABLE)
            case EADDRINUSE:
                throw ProgramError(
                    "\(path): exists and is not a socket", remedy: "Name another path.",
                    status: EX_CANTCREAT)
            default:
                // Where the directory is missing, the lock beside the socket is not what is missing.
                throw ProgramError(
                    "\(error.subject.isEmpty || error.errno == ENOENT ? path : error.subject): \(error.reason)",
                    remedy: remedy(error), status: EX_CANTCREAT)
            }
        }
    }

    private static func remedy(_ error: SystemCallError) -> String? {
        switch error.errno {
        case ENOENT: "Make its folder first."
        case ENAMETOOLONG: "A socket's path has \(StreamListener.maxPath) bytes at most."
        default: Linux.remedy(forLimit: error.errno)
        }
    }
}
