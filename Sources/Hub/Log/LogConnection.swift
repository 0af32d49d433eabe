import CLinux
import CounterModel
import CounterStore
import Glibc
package import Linux
import NIOCore
import Synchronization

/// The log in PostgreSQL: the rows of all hubs that write there.
///
/// Each hub puts the rows of its journal there in the order of their positions, which are its *numbers*. It alone writes them, so who has read all
/// up to a number of a hub lacks none before it.
final class LogConnection {
    static let version = 1
    /// What hubs notify one another of.
    static let channel = "counter"

    let database: PostgreSQL
    let place: LogPlace
    /// What the user should know of how it is reached; nil where all is well.
    let warning: String?

    /// What a hub puts into the log at once.
    struct Batch: Sendable {
        /// The number up to which the log has the rows of the hub.
        var known: Int64
        var through: Int64
        var numbers: [Int64] = []
        var rows: [String] = []
    }

    /// Connects to the first of the hosts that is not known to be an old primary.
    static func connect(to target: LogTarget, after known: LogPlace, firstHost: Int = 0) throws
        -> LogConnection
    {
        let new = try LogConnection(target, firstHost: firstHost)
        guard let refusal = known.refusal(of: new.place) else { return new }
        if firstHost + 1 == target.hosts { throw refusal }
        return try connect(to: target, after: known, firstHost: firstHost + 1)
    }

    /// Connects, and refuses a database that may lose what it has confirmed, or that has no log of this version.
    init(_ target: LogTarget, firstHost: Int = 0) throws {
        database = try PostgreSQL(url: target.url, firstHost: firstHost)
        for setting in ["fsync", "full_page_writes", "synchronous_commit"] {
            let value = try database.query("SELECT current_setting('\(setting)')").first?[0] ?? ""
            guard value != "off", value != "local" else {
                throw ProgramError(
                    ofLog: "its setting \(setting) is \(value): what it has confirmed may be lost",
                    remedy: "In the database: ALTER SYSTEM SET \(setting) = on; SELECT pg_reload_conf();")
            }
        }
        guard try Self.isMade(in: database) else {
            throw ProgramError(
                ofLog: "it has no log",
                remedy: "Make one: counter-hub log init '\(target.address)', as a user who may create roles")
        }
        let log = try database.query("SELECT version, id FROM counter.log").first ?? []
        guard log.count == 2, let version = log[0].flatMap(Int.init), let id = log[1] else {
            throw ProgramError(
                ofLog: "its table counter.log is empty", remedy: "Restore it from a backup.")
        }
        guard version == Self.version else {
            throw ProgramError(
                ofLog: "its log has version \(version), and this program version \(Self.version)",
                remedy: version < Self.version
                    ? "Bring it up to date: counter-hub log init '\(target.address)'"
                    : "Install the newer counter-hub.")
        }
        let file = try database.query("SELECT pg_walfile_name(pg_current_wal_lsn())").first?[0] ?? ""
        let cluster = try database.query("SELECT system_identifier FROM pg_control_system()").first?[0] ?? ""
        place = LogPlace(id: id, cluster: cluster, timeline: Int(file.prefix(8), radix: 16) ?? 0)
        let host = database.host
        let isHere = host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host)
        warning =
            isHere || database.usesVerifiedTLS
            ? nil
            : "the server is another machine, and sslmode is not verify-full: who is between could read and change rows"
    }

    static func isMade(in database: PostgreSQL) throws(ProgramError) -> Bool {
        try database.query("SELECT to_regclass('counter.log') IS NOT NULL").first?[0] == "t"
    }

    /// Adds the hub where it is new, and listens to the others.
    /// Returns the position of its journal up to which the log has its rows.
    func register(_ journal: String, name: String) throws -> Int64 {
        try database.run("LISTEN \(Self.channel)")
        // Its commit waits for a synchronous standby: what was in the log before is safe after it.
        let rows = try database.query(
            """
            INSERT INTO counter.hub (journal, name) VALUES ($1, $2)
            ON CONFLICT (journal) DO UPDATE SET name = excluded.name, seen_at = now() RETURNING through
            """, [journal, name])
        return Self.number(rows.first?[0])
    }

    /// Puts rows of a hub into the log, in one transaction that is committed afterwards.
    /// Returns the rows in whose place the log has others, which stay as they are.
    func append(_ batch: Batch, of hub: String) throws -> [RowIdentity] {
        database.warning = nil
        let rows = try database.query(
            "SELECT journal, position FROM counter.append($1, $2, $3, $4, $5)",
            [
                hub, "\(batch.known)", "\(batch.through)",
                "{\(batch.numbers.map(String.init).joined(separator: ","))}",
                "[\(batch.rows.joined(separator: ","))]",
            ])
        // The server warns where somebody has cancelled the wait for a synchronous standby: the standby may not have the rows.
        if let warning = database.warning { throw ProgramError(ofLog: warning) }
        return rows.map(Self.identity)
    }

    /// Tells other hubs that this one has put rows into the log. It is no part of the transaction: that would have commits wait for one another.
    func notify(of hub: String) throws {
        try database.query("SELECT pg_notify($1, $2)", [Self.channel, hub])
    }

    /// All hubs that have ever written here, each with the number of its last row.
    func hubs() throws -> [(journal: String, number: Int64)] {
        try database.query(
            """
            SELECT writer.journal, coalesce((SELECT max(number) FROM counter.row WHERE hub = writer.journal), 0)
            FROM counter.hub AS writer ORDER BY writer.journal
            """
        ).map { ($0[0] ?? "", Self.number($0[1])) }
    }

    /// The rows that a hub has brought, after a number.
    func rows(of hub: String, after number: Int64, limit: Int) throws -> [(number: Int64, text: String)] {
        try rows("hub = $1 AND number > $2 ORDER BY number LIMIT $3", [hub, "\(number)", "\(limit)"])
    }

    /// The last row that a hub has brought up to a number; nil where there is none.
    func lastRow(of hub: String, upTo number: Int64) throws -> (number: Int64, text: String)? {
        try rows("hub = $1 AND number <= $2 ORDER BY number DESC LIMIT 1", [hub, "\(number)"]).first
    }

    private func rows(_ condition: String, _ parameters: [String]) throws -> [(number: Int64, text: String)] {
        try database.query("SELECT number, row FROM counter.row WHERE \(condition)", parameters)
            .map { (Self.number($0[0]), $0[1] ?? "") }
    }

    /// Which of some rows the log does not have, and in whose place it has others.
    func lacking(_ rows: [String]) throws -> (missing: [RowIdentity], other: [RowIdentity]) {
        let found = try database.query(
            "SELECT journal, position, is_other FROM counter.lacking($1)",
            ["[\(rows.joined(separator: ","))]"])
        return (
            found.filter { $0[2] == "f" }.map(Self.identity), found.filter { $0[2] == "t" }.map(Self.identity)
        )
    }

    func countRows() throws -> Int {
        Int(Self.number(try database.query("SELECT count(*) FROM counter.row").first?[0]))
    }

    private static func identity(_ row: [String?]) -> RowIdentity {
        RowIdentity(journalId: row[0] ?? "", position: Position(number(row[1])))
    }

    /// A bigint; 0 where there is no row, or no value.
    private static func number(_ text: String??) -> Int64 { (text ?? nil).flatMap { Int64($0) } ?? 0 }
}

/// A database, and how it is called: without a password.
package struct LogTarget: Sendable {
    let url: String
    let place: String
    /// The same for libpq, all but a password.
    let address: String
    let hosts: Int

    /// Throws `ProgramError` (64), which shows nothing of the address: it may hold a password.
    package init(url: String) throws(ProgramError) {
        let isURL = url.hasPrefix("postgresql://") || url.hasPrefix("postgres://")
        let options = isURL ? PostgreSQL.options(of: url) : nil
        guard let options, !(options["host"] ?? "").contains("@") else {
            throw ProgramError(
                "the address of the database cannot be read",
                remedy: """
                    Such as postgresql:///counter or postgresql://counter@db.example/counter?sslmode=verify-full.
                    In a password, %, @, / and ? are written %25, %40, %2F and %3F; better, it is in ~/.pgpass.
                    """, status: EX_USAGE)
        }
        self.url = url
        hosts = max(1, (options["host"] ?? options["hostaddr"] ?? "").split(separator: ",").count)
        let others = options.filter { $0.key != "dbname" && !$0.key.contains("password") }
        address =
            "postgresql:///\((options["dbname"] ?? "").percentEncoded(besides: "-._~"))"
            + others.sorted { $0.key < $1.key }.enumerated().map { index, option in
                "\(index == 0 ? "?" : "&")\(option.key)=\(option.value.percentEncoded(besides: "-._~/:,"))"
            }.joined()
        if let host = options["host"], !host.contains(","), !host.hasPrefix("/") {
            let port = options["port"].map { ":\($0)" } ?? ""
            place = "postgresql://\(host)\(port)/\(options["dbname"] ?? "")"
        } else {
            place = address
        }
    }
}

extension ProgramError {
    /// The log cannot be used.
    init(ofLog message: String, remedy: String? = nil) {
        self.init(message, remedy: remedy, status: EX_CONFIG)
    }

    func ofDatabase(_ target: LogTarget) -> ProgramError {
        ProgramError("\(target.place): \(message)", remedy: remedy, status: status)
    }
}

// MARK: - Which log, and how far it was read

/// Which log it is, and where.
struct LogPlace: Sendable {
    var id = ""
    /// Its cluster: a standby has the same as its primary.
    var cluster = ""
    /// How often another server of the cluster has become the primary.
    var timeline = 0

    /// Why a primary is refused in whose place another one was seen; nil for any other.
    func refusal(of new: LogPlace) -> ProgramError? {
        guard new.cluster == cluster, new.timeline < timeline else { return nil }
        // It may pass: the other hosts are tried, and this one again.
        return ProgramError(
            "the server is an old primary (timeline \(new.timeline)), which another one (\(timeline)) has replaced "
                + "(Stop it, and take it out of --log: what is written there is lost.)",
            status: EX_UNAVAILABLE)
    }
}

/// How far the rows of each hub were read, in a file beside the journal. Without it all are read again, which changes nothing.
struct LogPlaces {
    private let path: String
    private(set) var place = LogPlace()
    /// The highest number of each hub that is here; of this one, that is in the log.
    var hubs: [String: Int64] = [:]

    init(directory: String) {
        path = "\(directory)/hub-log"
        guard let text = try? TextFile(path: path, name: path).text else { return }
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.count == 4, words[0] == "log" {
                place = LogPlace(id: words[1], cluster: words[2], timeline: Int(words[3]) ?? 0)
            } else if words.count == 2 {
                hubs[words[0]] = Int64(words[1])
            }
        }
    }

    /// Compares the log with the one of last time. Returns what the user should know.
    mutating func open(_ new: LogPlace, _ hub: String, known: Int64) -> String? {
        let old = place
        place = new
        if old.id != new.id {
            hubs = [:]
            return old.id.isEmpty ? nil : "it is another log than before: it gets all rows of this journal"
        }
        let before = hubs[hub] ?? 0
        return known < before
            ? "the log has lost rows that it had confirmed, \(before - known) at most: they are put there again"
            : nil
    }

    func save() {
        let lines =
            ["log \(place.id) \(place.cluster) \(place.timeline)"]
            + hubs.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
        do throws(SystemCallError) {
            try TextFile.replace(path, by: lines.joined(separator: "\n") + "\n", isDurable: false)
        } catch { Output.complain(ProgramError("\(path): \(error.reason)", status: EX_IOERR)) }
    }
}

// MARK: - Its thread

/// The thread that waits for PostgreSQL, as libpq does: it does one job after the other, and tells what hubs notify. At rest it sleeps.
final class LogThread: Sendable {
    private typealias Job = @Sendable (inout LogConnection?) -> Void

    private let jobs = Mutex<[Job]>([])
    private let wake: CInt
    private let loop: any EventLoop
    /// Called on the loop with the hubs that have put rows into the log, or with why the connection has ended.
    private let onNotification: NIOLoopBound<(Result<[String], any Error>) -> Void>

    init(
        _ loop: any EventLoop, onNotification: @escaping (Result<[String], any Error>) -> Void
    ) throws(SystemCallError) {
        self.loop = loop
        self.onNotification = NIOLoopBound(onNotification, eventLoop: loop)
        wake = try systemCall("eventfd") { eventfd(0, CInt(EFD_CLOEXEC)) }
        var thread = pthread_t()
        let start = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { start in
                guard let start else { return nil }
                Unmanaged<LogThread>.fromOpaque(start).takeRetainedValue().serve()
            }, start)
        guard code == 0 else { throw SystemCallError(call: "pthread_create", errno: code) }
        pthread_detach(thread)
    }

    /// Does something on the thread after all that was asked before, with the connection, which it may make and end.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (inout LogConnection?) throws -> Value
    ) -> EventLoopFuture<Value> {
        let promise = loop.makePromise(of: Value.self)
        jobs.withLock { jobs in
            jobs.append { connection in
                let result = Result { try body(&connection) }
                // A connection that is broken has no other use.
                if case .failure = result { connection = nil }
                promise.completeWith(result)
            }
        }
        eventfd_write(wake, 1)
        return promise.futureResult
    }

    private func serve() -> Never {
        var connection: LogConnection?
        while true {
            var polled = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
            if let connection {
                polled.append(pollfd(fd: connection.database.socket, events: Int16(POLLIN), revents: 0))
            }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            if polled[0].revents != 0 {
                var count = eventfd_t()
                eventfd_read(wake, &count)
                for job in jobs.withLock({ jobs in
                    defer { jobs = [] }
                    return jobs
                }) { job(&connection) }
            }
            guard let open = connection else { continue }
            do {
                let hubs = try open.database.notifications()
                if !hubs.isEmpty { tell(.success(hubs)) }
            } catch {
                connection = nil
                tell(.failure(error))
            }
        }
    }

    private func tell(_ result: Result<[String], any Error>) {
        loop.execute { [onNotification] in onNotification.value(result) }
    }
}
