import CounterModel
import CounterStore
import Glibc
import Linux
import Transfer

/// The start and the end of the process. `counter sync` has read the command line for people, and passes `sync`, the data directory,
/// `network` where it may be on a network file system, else `local`, and these words:
///
/// | words | do |
/// |---|---|
/// | `serve` | speak over standard input and output |
/// | `connect PEER WAY ARGUMENT once` | catch up with PEER |
/// | `connect PEER WAY ARGUMENT live` | the same, and go on; again where the connection breaks |
/// | `join PEER WAY ARGUMENT NAME` | join the location NAME of PEER, or `all`, and catch up |
///
/// WAY is `ssh`; `command`, over the shell's command line ARGUMENT; or `hub`, PEER being its address and ARGUMENT the file of its token,
/// or empty; `insecure-hub` is the same, also without TLS.
@main
enum CounterSync {
    static func main() {
        Output.reserveStandardStreams()
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            let failure = ProgramError(error)
            Output.complain(failure)
            exit(failure.status)
        }
    }

    private static func run(_ words: [String]) throws {
        let call = Array(words.dropFirst(3))
        guard words.count > 3, ["serve", "connect", "join"].contains(call[0]),
            call.count == (call[0] == "serve" ? 1 : 5)
        else {
            throw ProgramError(
                "counter-sync is started by counter sync", remedy: "counter sync --help tells how.",
                status: EX_USAGE)
        }
        let signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        let journal = try SQLiteJournal(
            directory: words[1], timezone: ZoneDatabase().localZone, allowsNetwork: words[2] == "network")
        let place = SyncPlace(journal: journal, signals: signals)
        if call[0] == "serve" { return try place.serve() }
        let way = try Way(call[2], peer: call[1], argument: call[3])
        let joining = call[0] == "join" ? call[4] : nil
        try Connector(place, way, joining: joining).run(once: joining != nil || call[4] == "once")
    }
}

/// The journal of this machine, and what a connection needs of the process.
struct SyncPlace {
    let journal: SQLiteJournal
    let signals: SignalDescriptor

    static var now: Timestamp { Timestamp(microseconds: Clock.realtime.microseconds) }

    func session(join: SyncSession.Join?) throws -> SyncSession {
        try SyncSession(journal, name: journal.nameOrHost(), join: join) { (.now, Self.now) }
    }

    func serve() throws {
        let session = try session(join: nil)
        let report = SyncReport(journal)
        let loop = SyncLoop(
            session, input: STDIN_FILENO, output: STDOUT_FILENO, signals: signals,
            follower: try JournalFollower(journal)
        ) { report.note(session) }
        do {
            _ = try loop.run()
            report.end(session)
        } catch {
            report.end(session, error)
            throw error
        }
    }
}

/// How another machine is reached: the program that leads there.
private struct Way {
    let isSSH, isHub: Bool
    /// As the user has named it, of a hub without its fingerprint.
    let peer: String
    let words: [String]

    init(_ way: String, peer: String, argument: String) throws {
        (isSSH, isHub) = (way == "ssh", way.hasSuffix("hub"))
        self.peer = isHub ? String(peer.prefix { $0 != "#" }) : peer
        switch way {
        // `BatchMode`: nobody is there to type a password. `-T`: no terminal.
        case "ssh":
            words = [
                "ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "-T", "--", peer, "counter", "sync",
                "--serve",
            ]
        case "command": words = ["/bin/sh", "-c", argument]
        default: words = [try ProgramFiles.companion("counter-sync-hub"), way, peer, argument]
        }
    }
}

/// Connects to another machine, and again where the connection breaks.
private final class Connector {
    private let place: SyncPlace
    private let way: Way
    private let joining: String?
    private let report: SyncReport
    private var backoff = Backoff()
    private var told: String?

    init(_ place: SyncPlace, _ way: Way, joining: String?) {
        (self.place, self.way, self.joining) = (place, way, joining)
        report = SyncReport(place.journal, peer: way.peer)
    }

    /// Runs until a signal comes; once: until both sides hold the same.
    func run(once: Bool) throws {
        while true {
            let start = MonotonicTime.now
            do {
                guard try connect(once: once) else { return }
                // Not for ever at once, whatever the other side says.
                _ = try waits(until: start + backoff.shortest, orChange: false)
                continue
            } catch {
                let failure = ProgramError(error)
                // An address that is none is told once, and is no machine to tell of.
                if failure.status == EX_USAGE { throw failure }
                report.end(nil, error)
                if once { throw failure }
                if told != failure.message { Output.complain(failure.withRetry) }
                told = failure.message
            }
            if try waitToRetry() { return }
        }
    }

    /// True where a signal has come meanwhile.
    private func waitToRetry() throws -> Bool {
        let start = MonotonicTime.now
        let pause = backoff.next(jitter: .random(in: 0.75...1.25))
        if try waits(until: start + pause, orChange: true) {
            // An interface that comes and goes tells without end.
            backoff.reset()
            _ = try waits(until: start + backoff.shortest, orChange: false)
        }
        return place.signals.next() != nil
    }

    /// Waits for a time or a signal; `orChange` also for one of the network, or of what is shared here. True where it was such a change.
    private func waits(until deadline: MonotonicTime, orChange: Bool) throws -> Bool {
        let (follower, shared) = (try JournalFollower(place.journal), try place.journal.sharingVersion())
        let changes = orChange ? NetworkChanges() : nil
        while MonotonicTime.now < deadline {
            var polled = PollSet()
            polled.add(place.signals.number)
            if let changes { polled.add(changes.number) }
            polled.add(follower.number)
            try polled.wait(until: [deadline, follower.deadline].compactMap(\.self).min())
            if polled.isReady(place.signals.number) { return false }
            if let changes, polled.isReady(changes.number) { return true }
            if follower.hasChanged(at: .now), orChange, try place.journal.sharingVersion() != shared {
                return true
            }
        }
        return false
    }

    /// True where other locations are shared now, so that it is to be connected again.
    private func connect(once: Bool) throws -> Bool {
        let program = try PeerProgram(way.words)
        defer { program.process.end(within: .seconds(2)) }
        let session = try place.session { [place, joining] peer, offers in
            guard let joining else { return }
            try place.journal.join(joining, of: offers, at: peer.name)
        }
        let loop = SyncLoop(
            session, input: program.output.number, output: program.input.number,
            errors: program.errors.number, signals: place.signals,
            follower: try JournalFollower(place.journal),
            network: NetworkChanges(), endsWhenEven: once
        ) { [self] in
            if session.isLive {
                backoff.reset()
                told = nil
            }
            return report.note(session)
        }
        defer { if session.peer != nil { report.end(session) } }
        do {
            switch try loop.run() {
            case .done: return false
            case .restart: return true
            case .closed: throw program.failure(of: report.name, loop, way)
            }
        } catch let error as ProgramError
            where session.peer == nil && [EX_TEMPFAIL, EX_UNAVAILABLE].contains(error.status)
        {
            // What the program at the other end says tells more than that nothing came.
            throw program.failure(of: way.peer, loop, way)
        }
    }
}

/// The program that leads to the other machine.
private struct PeerProgram {
    let process: DetachedProcess
    /// The ends that this process has of its standard streams.
    let input, output, errors: PipeEnd

    final class PipeEnd {
        private var descriptor: Descriptor?
        let number: CInt

        init(_ number: CInt) {
            self.number = number
            descriptor = Descriptor(owning: number)
        }

        func close() { descriptor = nil }
    }

    init(_ words: [String]) throws {
        var pipes: [(read: PipeEnd, write: PipeEnd)] = []
        for _ in 0..<3 {
            var ends: [CInt] = [0, 0]
            guard pipe(&ends) == 0 else { throw SystemCallError(call: "pipe", errno: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            pipes.append((PipeEnd(ends[0]), PipeEnd(ends[1])))
        }
        do throws(SystemCallError) {
            process = try DetachedProcess(
                words, input: pipes[0].read.number, output: pipes[1].write.number,
                errors: pipes[2].write.number)
        } catch {
            guard error.errno == ENOENT, words[0] == "ssh" else { throw error }
            throw ProgramError(
                "there is no ssh on this machine", remedy: "Install it: sudo apt install openssh-client",
                status: EX_UNAVAILABLE)
        }
        (input, output, errors) = (pipes[0].write, pipes[1].read, pipes[2].read)
    }

    /// Why there was no connection, by the status of the program and what it said.
    func failure(of name: String, _ loop: SyncLoop, _ way: Way) -> ProgramError {
        // The end of its input ends it.
        input.close()
        _ = process.ends(within: .seconds(2))
        let status = process.end(within: .seconds(2))
        loop.readLastComplaints()
        if way.isHub, let failure = ProgramError(complaint: loop.complaints, status: status) {
            return failure
        }
        let said = loop.complaints.sanitised
        let lines = loop.complaints.split(whereSeparator: \.isNewline).map(String.init)
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 0
        let quoted = name.quotedForShell
        if way.isSSH, code == 255 {
            if said.contains("Permission denied") {
                return ProgramError(
                    "\(name): it does not accept this machine's key, or the key needs a password that nobody can type here",
                    remedy:
                        "Give it the key: ssh-copy-id \(quoted)    To try it: ssh -o BatchMode=yes \(quoted) true",
                    status: EX_NOPERM)
            }
            if said.contains("Host key verification failed") {
                return ProgramError(
                    "\(name): its host key is not known, or another one",
                    remedy: "Connect by hand, and compare its key: ssh \(quoted)", status: EX_NOPERM)
            }
        }
        if way.isHub, code == 127 {
            return ProgramError(
                "\(name): this machine lacks libcurl, by which counter sync reaches a hub",
                remedy: "Install it: sudo apt install libcurl4", status: EX_UNAVAILABLE)
        }
        if code == 127 || said.contains("command not found") {
            return ProgramError(
                "\(name): there is no counter, or not in the path of programs",
                remedy: "Install it there, as here.", status: EX_UNAVAILABLE)
        }
        // A remedy is indented, below what it is for.
        let last = lines.last { !$0.isEmpty && !$0.hasPrefix(" ") }.map { ": \($0.sanitised)" } ?? ""
        return ProgramError(
            "\(name): the connection has ended\(last)",
            remedy: way.isHub
                ? "On the hub: systemctl status counter-hub"
                : way.isSSH ? "To try it: ssh \(quoted) true" : "To try it, run the command by itself.",
            status: EX_TEMPFAIL)
    }
}

extension ProgramError {
    /// The error as `counter sync` tells it while it goes on: every failure is tried again, and where time alone may mend it, the remedy says so.
    fileprivate var withRetry: ProgramError {
        guard status == EX_TEMPFAIL else { return self }
        let lines = [remedy, "It is tried again."].compactMap(\.self)
        return ProgramError(message, remedy: lines.joined(separator: "\n"), status: status)
    }

    /// What another program of the project has written last, in the form of `text`; nil where there is none.
    fileprivate init?(complaint: String, status: CInt) {
        let lines = complaint.split(separator: "\n").map { String($0).sanitised }
        guard let first = lines.lastIndex(where: { $0.hasPrefix("counter: ") }) else { return nil }
        let remedy = lines[(first + 1)...].map { $0.drop { $0 == " " } }.joined(separator: "\n")
        self.init(
            String(lines[first].dropFirst(9)), remedy: remedy.isEmpty ? nil : remedy,
            status: status & 0x7F == 0 ? status >> 8 & 0xFF : EX_TEMPFAIL)
    }
}

extension SQLiteJournal {
    /// Joins one of the locations that another machine shares, or all, and says so.
    fileprivate func join(_ name: String, of offers: [SharedLocation], at machine: String) throws {
        let wanted = name == "all" ? offers : offers.filter { $0.name == name || $0.id.text == name }
        let listed = offers.map { "'\($0.name.sanitised)'" }.joined(separator: ", ")
        guard !wanted.isEmpty else {
            throw ProgramError(
                offers.isEmpty
                    ? "\(machine) shares nothing" : "\(machine) shares no location '\(name)'",
                remedy: offers.isEmpty
                    ? "Share a location there: counter location share NAME" : "It shares \(listed).",
                status: EX_UNAVAILABLE)
        }
        for (offer, joined) in zip(wanted, try join(wanted, from: machine, at: SyncPlace.now)) {
            try Output.line(
                joined.map { "joined '\(offer.name.sanitised)' of \(machine) as '\($0.name.sanitised)'" }
                    ?? "'\(offer.name.sanitised)' of \(machine) is shared here already")
        }
    }
}
