package import CounterModel
package import CounterStore
import Glibc
package import Linux

/// What `counter sync` last knew of another machine: a file in `$XDG_STATE_HOME/counter/sync`, which the process that syncs with it
/// writes, and which screens and commands read.
package struct SyncStatus: Hashable, Sendable {
    /// How long after its last contact a connection is taken for live: three signs of life.
    private static let live = Duration.seconds(60)
    /// How long rows may be on their way, and the other machine's answer, before that is told.
    private static let onTheWay = Duration.seconds(5)

    /// The journal's directory.
    package var directory: String
    /// As the user has named it.
    package var peer: String
    /// The name of its machine and the id of its journal, once it has told them.
    package var machine, journal: String?
    package var isConnected = false
    package var lastContact: Timestamp?
    /// Up to which position of the journal it holds all that both share.
    package var acknowledged = Position.start
    package var why: String?
    package var remedy: String?
    /// The row from which on it holds others of this journal than this machine; see `SyncFork`.
    package var forkedAt: Position?
    /// What it said of clocks, or of rows that were not taken.
    package var notices: [String] = []
    /// How much its clock is ahead of this one, in seconds; 0 where that is hardly so.
    package var secondsAhead = 0
    /// The locations that it shares.
    package var offers: [SharedLocation] = []

    package init(directory: String, peer: String) { (self.directory, self.peer) = (directory, peer) }

    package var name: String { machine ?? peer }

    /// Until when the last contact says that rows travel.
    package var liveUntil: Timestamp? { isConnected ? lastContact.map { $0 + Self.live } : nil }

    /// Whether rows travel at present.
    package func isLive(at now: Timestamp) -> Bool { liveUntil.map { now < $0 } ?? false }

    /// One line, such as `synced 3 s ago`, `42 rows not sent to office`, or `42 rows not sent, office unreachable for 2 h`; where
    /// `isBrief`, without seconds, so that it changes once a minute at most.
    package func words(_ journal: SQLiteJournal, at now: Timestamp, isBrief: Bool = false)
        throws(JournalError) -> String
    {
        words(unsent: try unsentRows(journal, at: now), at: now, isBrief: isBrief)
    }

    /// The same of a number of rows that `unsentRows` has returned.
    package func words(unsent: Int, at now: Timestamp, isBrief: Bool) -> String {
        let age = lastContact.map {
            DurationText.age(seconds: max(0, Int((now - $0).components.seconds)), .length)
        }
        let count = unsent == 1 ? "1 row not sent" : "\(unsent) rows not sent"
        if isLive(at: now), let age {
            return unsent > 0 ? "\(count) to \(name)" : isBrief ? "synced" : "synced \(age) ago"
        }
        let rows = unsent > 0 ? "\(count), " : ""
        guard let age, let lastContact else {
            return rows + (machine == nil ? "\(name) not reached yet" : "nothing synced with \(name) yet")
        }
        let isWanted = why != nil || isConnected
        if isBrief, now - lastContact < .seconds(60) {
            return "\(rows)\(name) \(isWanted ? "unreachable" : "not connected")"
        }
        return "\(rows)\(name) \(isWanted ? "unreachable for \(age)" : "reached \(age) ago")"
    }

    /// Nil where the clocks are together.
    package var clockWords: String? { Self.clockWords(of: name, secondsAhead: secondsAhead) }

    static func clockWords(of name: String, secondsAhead: Int) -> String? {
        if secondsAhead == 0 { return nil }
        let apart = DurationText.age(seconds: abs(secondsAhead), .length)
        return "the clock of \(name) is \(apart) \(secondsAhead > 0 ? "ahead of" : "behind") this one"
    }

    /// How many rows the other machine lacks; 0 while they are on their way.
    package func unsentRows(_ journal: SQLiteJournal, at now: Timestamp) throws(JournalError) -> Int {
        if isLive(at: now), try waitsFrom(journal).map({ now < $0 }) ?? true { return 0 }
        return try journal.countRows(
            after: acknowledged, of: journal.sharedLocations().map(\.id), notOf: self.journal)
    }

    /// When the first row that is not acknowledged has been on its way for long.
    private func waitsFrom(_ journal: SQLiteJournal) throws(JournalError) -> Timestamp? {
        try journal.receipt(after: acknowledged).map { $0 + Self.onTheWay }
    }

    /// When `words` change by themselves, where `isBrief`.
    package func nextChange(_ journal: SQLiteJournal, after now: Timestamp) -> Timestamp? {
        if let liveUntil, liveUntil > now {
            guard let waitsFrom = try? waitsFrom(journal), waitsFrom > now else { return liveUntil }
            return min(liveUntil, waitsFrom)
        }
        guard let lastContact else { return nil }
        let unit = now - lastContact < .seconds(3_600) ? 60 : 3_600
        return lastContact + .seconds((Int((now - lastContact).components.seconds) / unit + 1) * unit)
    }
}

// MARK: - The file

extension SyncStatus {
    private static var folder: String? { ProgramFiles.stateDirectory("counter/sync") }

    private typealias File = (path: String, status: SyncStatus)

    /// Those of a journal, by the names of the machines. Each connection has its own.
    private static func files(of directory: String, named prefix: String = "") -> [File] {
        guard let folder else { return [] }
        return directoryEntries(of: folder).filter { $0.hasPrefix(prefix) && $0.hasSuffix(".status") }
            .sorted()
            .compactMap { name in
                let path = "\(folder)/\(name)"
                return (try? TextFile(path: path, name: name)).flatMap { SyncStatus(text: $0.text) }
                    .map { (path, $0) }
            }
            .filter { $0.status.directory == directory }.sorted { $0.status.peer < $1.status.peer }
    }

    package static func all(of directory: String) -> [SyncStatus] { files(of: directory).map(\.status) }

    /// The machines that a journal is synced with: each as it is reached, or was last, also where it reaches this one too.
    package static func machines(of directory: String, at now: Timestamp) -> [SyncStatus] {
        let all = files(of: directory)
        func rank(_ file: File) -> (Int, Int64, String) {
            (file.status.isLive(at: now) ? 1 : 0, file.status.lastContact?.microseconds ?? 0, file.path)
        }
        return all.filter { one in
            !all.contains { $0.status.isSameMachine(as: one.status) && rank($0) > rank(one) }
        }.map(\.status)
    }

    private func isSameMachine(as other: SyncStatus) -> Bool {
        peer == other.peer || journal != nil && journal == other.journal
    }

    /// Forgets a machine, until it is reached again. False where it is not known.
    package static func forget(_ peer: String, in directory: String) -> Bool {
        let known = files(of: directory).filter { $0.status.peer == peer }
        for file in known { unlink(file.path) }
        return !known.isEmpty
    }

    /// Tells when one is written; nil where that cannot be told.
    package static func watch() -> DirectoryWatch? {
        guard let folder, (try? makeOwnDirectory(folder)) != nil else { return nil }
        return try? DirectoryWatch(folder, mask: UInt32(IN_MOVED_TO | IN_DELETE))
    }

    /// As it was written last; new where it was not.
    package init(of peer: String, in directory: String) {
        let known = Self.all(of: directory).filter { $0.peer == peer }
        self =
            known.max { ($0.lastContact?.microseconds ?? 0) < ($1.lastContact?.microseconds ?? 0) }
            ?? SyncStatus(directory: directory, peer: peer)
        isConnected = false
    }

    /// Writes the file of this process, in place of those that earlier connections have left; none beside a connection that is live,
    /// where this one has ended. One that cannot be written is missing on the screens, nothing else.
    package func write(at now: Timestamp) {
        guard let folder = Self.folder else { return }
        // A hash of the directory and the peer: a name that every file system takes.
        let hash = String(UInt64.fnv1a("\(directory)\n\(peer)"), radix: 16)
        let path = "\(folder)/\(hash).\(getpid()).status"
        let others = Self.files(of: directory, named: hash).filter {
            $0.status.peer == peer && $0.path != path
        }
        let isLeft = !isConnected && others.contains { $0.status.isLive(at: now) }
        do throws(SystemCallError) {
            try makeOwnDirectory(folder)
            if !isLeft { try TextFile.replace(path, by: text, isDurable: false) }
        } catch { return }
        if isLeft { unlink(path) }
        for other in others where !other.status.isLive(at: now) { unlink(other.path) }
    }

    private var text: String {
        let lines: [(String, String?)] =
            [
                ("directory", directory), ("peer", peer), ("machine", machine), ("journal", journal),
                ("isConnected", String(isConnected)), ("lastContact", lastContact?.iso8601),
                ("acknowledged", String(acknowledged.number)), ("why", why), ("remedy", remedy),
                ("forkedAt", forkedAt.map { String($0.number) }),
                ("secondsAhead", secondsAhead == 0 ? nil : String(secondsAhead)),
            ] + notices.map { ("notice", $0) } + offers.map { ("offer", SyncLine.shares($0).text) }
        return lines.compactMap { name, value in
            value.map { "\(name) \($0.replacing("\n", with: " "))\n" }
        }.joined()
    }

    private init?(text: String) {
        var values: [String: [String]] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0], default: []].append(parts[1]) }
        }
        guard let directory = values["directory"]?.first, let peer = values["peer"]?.first else { return nil }
        self.init(directory: directory, peer: peer)
        (machine, journal) = (values["machine"]?.first, values["journal"]?.first)
        isConnected = values["isConnected"]?.first == "true"
        lastContact = values["lastContact"]?.first.flatMap { Timestamp(iso8601: $0) }
        acknowledged = Position(values["acknowledged"]?.first.flatMap { Int64($0) } ?? 0)
        (why, remedy) = (values["why"]?.first, values["remedy"]?.first)
        forkedAt = values["forkedAt"]?.first.flatMap { Int64($0) }.map { Position($0) }
        notices = values["notice"] ?? []
        secondsAhead = values["secondsAhead"]?.first.flatMap { Int($0) } ?? 0
        offers = (values["offer"] ?? []).compactMap { text in
            guard case .shares(let location)? = try? SyncLine(Array(text.utf8)[...]) else { return nil }
            return location
        }
    }

    /// As `counter sync --status --json` prints it.
    package func json(_ journal: SQLiteJournal, at now: Timestamp) throws(JournalError) -> String {
        let unsent = try unsentRows(journal, at: now)
        let line: JSONLine = [
            "peer": .text(peer), "machine": .text(machine), "journal": .text(self.journal),
            "isConnected": .flag(isLive(at: now)), "lastContactAt": .time(lastContact),
            "unsentRows": .number(unsent), "secondsAhead": .number(secondsAhead), "error": .text(why),
            "remedy": .text(remedy), "notices": .list(notices),
        ]
        return line.text
    }
}

// MARK: - Writing it

/// Writes what screens and commands say of a connection.
package final class SyncReport {
    /// How long rows may travel before that is written again.
    private let pause: Duration

    private let directory: String
    /// As the user has named it; nil for one that has reached this machine.
    private let peer: String?
    private var status: SyncStatus?
    private var written: MonotonicTime?

    package init(_ journal: SQLiteJournal, peer: String? = nil, pause: Duration = .seconds(1)) {
        (directory, self.peer, self.pause) = (journal.directory, peer, pause)
        status = peer.map { SyncStatus(of: $0, in: directory) }
    }

    /// How it is called in messages.
    package var name: String { status?.name ?? "" }

    /// Writes what has changed. Returns when it is to be called again for what has not been written.
    package func note(_ session: SyncSession) -> MonotonicTime? {
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
        if let written, !isUrgent, .now < written + pause { return written + pause }
        if peer != nil {
            for notice in new.notices where !known.notices.contains(notice) {
                Output.tell(notice)
            }
        }
        write(new)
        return nil
    }

    /// The connection has ended, or there was none.
    package func end(_ session: SyncSession? = nil, _ error: (any Error)? = nil) {
        let failure = error.map { ProgramError($0) }
        written = nil
        if let session { _ = note(session) }
        guard var new = status else { return }
        new.isConnected = false
        (new.why, new.remedy) = (failure?.message, failure?.remedy)
        new.forkedAt = (error as? SyncFork)?.at
        write(new)
    }

    private func write(_ new: SyncStatus) {
        new.write(at: Timestamp(microseconds: Clock.realtime.microseconds))
        (status, written) = (new, .now)
    }
}

extension SQLiteJournal {
    /// The name of the journal, or else of this machine, without its domain.
    package func nameOrHost() throws(JournalError) -> String {
        try name() ?? HostName.current?.split(separator: ".").first.map(String.init) ?? "localhost"
    }
}
