package import CounterModel
package import CounterStore
import Glibc
package import Linux

/// What `counter sync` last knew of another machine: a file in `$XDG_STATE_HOME/counter/sync`, which only the program that syncs with
/// it writes, and which screens and commands read.
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

    /// Whether the other machine holds what this one does, but for what is on its way.
    package func isSynced(_ journal: SQLiteJournal, at now: Timestamp) throws(JournalError) -> Bool {
        guard isLive(at: now) else { return false }
        return try unsentRows(journal, at: now) == 0
    }

    /// One line, such as `synced 3 s ago`, `42 rows not sent to office`, or `42 rows not sent, office unreachable for 2 h`; where
    /// `isBrief`, without seconds, so that it changes once a minute at most.
    package func words(_ journal: SQLiteJournal, at now: Timestamp, isBrief: Bool = false)
        throws(JournalError) -> String
    {
        let age = lastContact.map { (now - $0).rough }
        let unsent = try unsentRows(journal, at: now)
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
        let apart = Duration.seconds(abs(secondsAhead)).rough
        return "the clock of \(name) is \(apart) \(secondsAhead > 0 ? "ahead of" : "behind") this one"
    }

    private func unsentRows(_ journal: SQLiteJournal, at now: Timestamp) throws(JournalError) -> Int {
        if isLive(at: now), try waitsFrom(journal).map({ now < $0 }) ?? true { return 0 }
        return try journal.countRows(after: acknowledged, of: journal.sharedLocations().map(\.id))
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

    /// The machines that a journal is synced with, by their names.
    package static func all(of directory: String) -> [SyncStatus] {
        guard let folder else { return [] }
        return directoryEntries(of: folder).filter { $0.hasSuffix(".status") }
            .compactMap {
                (try? TextFile(path: "\(folder)/\($0)", name: $0)).flatMap { SyncStatus(text: $0.text) }
            }
            .filter { $0.directory == directory }.sorted { $0.peer < $1.peer }
    }

    /// The same, and a machine only once that reaches this one and is reached: as it is reached, or was last.
    package static func machines(of directory: String, at now: Timestamp) -> [SyncStatus] {
        let all = all(of: directory)
        func rank(_ status: SyncStatus) -> (Int, Int64, String) {
            (status.isLive(at: now) ? 1 : 0, status.lastContact?.microseconds ?? 0, status.peer)
        }
        return all.filter { one in
            !all.contains { $0.journal != nil && $0.journal == one.journal && rank($0) > rank(one) }
        }
    }

    /// Forgets a machine, until it is reached again. False where it is not known.
    package static func forget(_ peer: String, in directory: String) -> Bool {
        guard let folder, let known = all(of: directory).first(where: { $0.peer == peer }) else {
            return false
        }
        return unlink("\(folder)/\(known.fileName)") == 0
    }

    /// Tells when one is written; nil where that cannot be told.
    package static func watch() -> DirectoryWatch? {
        guard let folder, (try? makeOwnDirectory(folder)) != nil else { return nil }
        return try? DirectoryWatch(folder, mask: UInt32(IN_MOVED_TO | IN_DELETE))
    }

    /// As it was written last; new where it was not.
    package init(of peer: String, in directory: String) {
        self.init(directory: directory, peer: peer)
        guard let path = Self.folder.map({ "\($0)/\(fileName)" }),
            let known = (try? TextFile(path: path, name: path)).flatMap({ SyncStatus(text: $0.text) }),
            known.directory == directory, known.peer == peer
        else { return }
        self = known
        isConnected = false
    }

    /// A hash of the directory and the peer: a name that every file system takes.
    private var key: String { String(UInt64.fnv1a("\(directory)\n\(peer)"), radix: 16) }
    private var fileName: String { key + ".status" }

    /// What the program holds that writes it: of several connections to one machine, the first one. Nil where that is another.
    package func lock() -> LockFile? {
        guard let folder = Self.folder, (try? makeOwnDirectory(folder)) != nil else { return nil }
        return try? LockFile("\(folder)/\(key).lock")
    }

    /// One that cannot be written is missing on the screens, nothing else.
    package func write() {
        guard let folder = Self.folder else { return }
        do throws(SystemCallError) {
            try makeOwnDirectory(folder)
            try TextFile.replace("\(folder)/\(fileName)", by: text, isDurable: false)
        } catch {}
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
        var line = JSONLine()
        line.add("peer", peer)
        line.add("machine", machine)
        line.add("journal", self.journal)
        line.add("isConnected", isLive(at: now))
        line.add("lastContactAt", lastContact?.iso8601)
        line.add("unsentRows", try unsentRows(journal, at: now))
        line.add("secondsAhead", secondsAhead)
        line.add("error", why)
        line.add("remedy", remedy)
        line.add("notices", notices)
        return line.text
    }
}

extension Duration {
    /// In its largest unit, such as `2 h`.
    var rough: String {
        let seconds = max(0, components.seconds)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3_600: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3_600) h"
        default: return "\(seconds / 86_400) days"
        }
    }
}
