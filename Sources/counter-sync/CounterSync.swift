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
/// | `connect PEER COMMAND once` | catch up with PEER over COMMAND, a shell's command line, or over SSH where that is empty |
/// | `connect PEER COMMAND live` | the same, and go on; again where the connection breaks |
/// | `join PEER COMMAND NAME` | join the location NAME of PEER, or `all`, and catch up |
@main
enum CounterSync {
    static func main() {
        Output.reserveStandardStreams()
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            let failure = ProgramError(ofSync: error)
            Output.complain(failure)
            exit(failure.status)
        }
    }

    private static func run(_ words: [String]) throws {
        let call = Array(words.dropFirst(3))
        guard words.count > 3, ["serve", "connect", "join"].contains(call[0]),
            call.count == (call[0] == "serve" ? 1 : 4)
        else {
            throw ProgramError(
                "counter-sync is started by counter sync", remedy: "counter sync --help tells how.",
                status: EX_USAGE)
        }
        let signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        let journal = try SQLiteJournal(
            directory: words[1], timezone: ZoneDatabase().localZone, allowsNetwork: words[2] == "network")
        let place = SyncPlace(journal: journal, signals: signals)
        switch call[0] {
        case "serve": try place.serve()
        case "connect": try Connector(place, peer: call[1], command: call[2]).run(once: call[3] == "once")
        default: try Connector(place, peer: call[1], command: call[2], joining: call[3]).run(once: true)
        }
    }
}

/// The journal of this machine, and what a connection needs of the process.
struct SyncPlace {
    let journal: SQLiteJournal
    let signals: SignalDescriptor

    /// The name of the journal, or else of this machine, without its domain.
    private var name: String {
        get throws {
            try journal.name() ?? HostName.current?.split(separator: ".").first.map(String.init)
                ?? "localhost"
        }
    }

    static var now: Timestamp { Timestamp(microseconds: Clock.realtime.microseconds) }

    func session(_ purpose: SyncSession.Purpose) throws -> SyncSession {
        try SyncSession(journal, name: name, purpose) { (.now, Self.now) }
    }

    func follower() throws -> JournalFollower { try JournalFollower(journal, directory: journal.directory) }

    func serve() throws {
        let session = try session(.serve)
        let report = SyncReport(journal)
        let loop = SyncLoop(
            session, input: STDIN_FILENO, output: STDOUT_FILENO, signals: signals, follower: try follower()
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

/// Writes what screens and commands say of a connection.
final class SyncReport {
    /// How long rows may travel before that is written again.
    private static let pause = Duration.seconds(1)

    private let directory: String
    /// As the user has named it; nil for one that has reached this machine.
    private let peer: String?
    private var status: SyncStatus?
    private var written: MonotonicTime?

    init(_ journal: SQLiteJournal, peer: String? = nil) {
        (directory, self.peer) = (journal.directory, peer)
        status = peer.map { SyncStatus(of: $0, in: directory) }
    }

    /// How it is called in messages.
    var name: String { status?.name ?? "" }

    /// Writes what has changed. Returns when it is to be called again for what has not been written.
    func note(_ session: SyncSession) -> MonotonicTime? {
        guard let known = status ?? session.peer.map({ SyncStatus(of: $0.name, in: directory) }) else {
            return nil
        }
        var new = known
        new.machine = session.peer?.name ?? known.machine
        new.journal = session.peer?.journalId ?? known.journal
        new.isConnected = session.isLive
        new.lastContact = session.lastContact ?? known.lastContact
        (new.notices, new.secondsAhead) = (session.notices, session.secondsAhead)
        new.offers = session.peerShares ?? known.offers
        if session.isLive {
            (new.acknowledged, new.why, new.remedy, new.forkedAt) = (session.acknowledged, nil, nil, nil)
        }
        if new == status { return nil }
        let isUrgent = new.isConnected != status?.isConnected || new.notices != status?.notices
        if let written, !isUrgent, .now < written + Self.pause { return written + Self.pause }
        if peer != nil {
            for notice in new.notices where !known.notices.contains(notice) {
                Output.complain(ProgramError(notice, status: EX_OK))
            }
        }
        write(new)
        return nil
    }

    /// The connection has ended, or there was none.
    func end(_ session: SyncSession? = nil, _ error: (any Error)? = nil) {
        let failure = error.map { ProgramError(ofSync: $0) }
        written = nil
        if let session { _ = note(session) }
        guard var new = status else { return }
        new.isConnected = false
        (new.why, new.remedy) = (failure?.message, failure?.remedy)
        new.forkedAt = (error as? SyncFork)?.at
        write(new)
    }

    private func write(_ new: SyncStatus) {
        new.write(at: SyncPlace.now)
        (status, written) = (new, .now)
    }
}

/// Connects to another machine, and again where the connection breaks.
final class Connector {
    private let place: SyncPlace
    private let peer, command: String
    private let joining: String?
    private let report: SyncReport
    private var backoff = Backoff()
    private var told: String?

    init(_ place: SyncPlace, peer: String, command: String, joining: String? = nil) {
        (self.place, self.peer, self.command, self.joining) = (place, peer, command, joining)
        report = SyncReport(place.journal, peer: peer)
    }

    /// Runs until a signal comes; once: until both sides hold the same.
    func run(once: Bool) throws {
        while true {
            let start = MonotonicTime.now
            do {
                switch try connect(once: once) {
                case .stopped, .even: return
                case .restart:
                    // Not for ever at once, whatever the other side says.
                    _ = try waits(until: start + Backoff.shortest, orChange: false)
                    continue
                case .closed: break
                }
            } catch {
                let failure = ProgramError(ofSync: error)
                report.end(nil, error)
                if once { throw failure }
                if told != failure.message { Output.complain(failure) }
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
            backoff = Backoff()
            _ = try waits(until: start + Backoff.shortest, orChange: false)
        }
        return place.signals.next() != nil
    }

    /// Waits for a time or a signal; `orChange` also for one of the network, or of what is shared here. True where it was such a change.
    private func waits(until deadline: MonotonicTime, orChange: Bool) throws -> Bool {
        let (follower, shared) = (try place.follower(), try place.journal.sharingVersion())
        let changes = orChange ? NetworkChanges() : nil
        while MonotonicTime.now < deadline {
            var polled = PollSet()
            let signal = polled.add(place.signals.number)
            let network = changes.map { polled.add($0.number) }
            polled.add(follower.number)
            try polled.wait(until: [deadline, follower.deadline].compactMap(\.self).min())
            if !polled.result(at: signal).isEmpty { return false }
            if let network, !polled.result(at: network).isEmpty { return true }
            if follower.hasChanged(at: .now), orChange, try place.journal.sharingVersion() != shared {
                return true
            }
        }
        return false
    }

    private func connect(once: Bool) throws -> SyncLoop.Ending {
        let program = try PeerProgram(words)
        defer { program.process.end(within: .seconds(2)) }
        let session = try place.session(
            .connect { [place, joining] peer, offers in
                guard let joining else { return }
                try place.journal.join(joining, of: offers, at: peer.name)
            })
        let loop = SyncLoop(
            session, input: program.output.number, output: program.input.number,
            errors: program.errors.number, signals: place.signals, follower: try place.follower(),
            network: NetworkChanges(), endsWhenEven: once
        ) { [self] in
            if session.isLive { (backoff, told) = (Backoff(), nil) }
            return report.note(session)
        }
        defer { report.end(session) }
        do {
            let ending = try loop.run()
            if ending == .closed { throw program.failure(of: report.name, loop, command: command) }
            return ending
        } catch let error as ProgramError
            where session.peer == nil && [EX_TEMPFAIL, EX_UNAVAILABLE].contains(error.status)
        {
            // What the program at the other end says tells more than that nothing came.
            throw program.failure(of: peer, loop, command: command)
        }
    }

    /// `BatchMode`: nobody is there to type a password. `-T`: no terminal.
    private var words: [String] {
        command.isEmpty
            ? [
                "ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "-T", "--", peer, "counter", "sync",
                "--serve",
            ]
            : ["/bin/sh", "-c", command]
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
    func failure(of name: String, _ loop: SyncLoop, command: String) -> ProgramError {
        // The end of its input ends it.
        input.close()
        _ = process.ends(within: .seconds(2))
        let status = process.end(within: .seconds(2))
        loop.readLastComplaints()
        let said = loop.complaints.sanitised
        let lines = loop.complaints.split(whereSeparator: \.isNewline).map(String.init)
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 0
        let quoted = name.quotedForShell
        if command.isEmpty, code == 255 {
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
        if code == 127 || said.contains("command not found") {
            return ProgramError(
                "\(name): there is no counter, or not in the path of programs",
                remedy: "Install it there, as here.", status: EX_UNAVAILABLE)
        }
        // A remedy is indented, below what it is for.
        let last = lines.last { !$0.isEmpty && !$0.hasPrefix(" ") }.map { ": \($0.sanitised)" } ?? ""
        return ProgramError(
            "\(name): the connection has ended\(last)",
            remedy: command.isEmpty
                ? "To try it: ssh \(quoted) true" : "To try it, run the command by itself.",
            status: EX_TEMPFAIL)
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
