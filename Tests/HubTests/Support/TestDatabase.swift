import Glibc
import TestSupport

/// A PostgreSQL server in a folder of its own, reached by its socket only.
final class TestDatabase {
    private let scratch: ScratchFolder
    var folder: String { scratch.path }
    private var server: ChildProcess
    private static let programs: String = {
        let versions = (0..<40).reversed().map { "/usr/lib/postgresql/\($0)/bin" }
        return (versions + ["/usr/bin"]).first { access("\($0)/initdb", X_OK) == 0 } ?? ""
    }()
    /// PostgreSQL does not run as root.
    private static let user: (id: uid_t, group: gid_t)? = {
        if getuid() != 0 { return nil }
        return (getpwnam("postgres") ?? getpwnam("nobody")).map { ($0.pointee.pw_uid, $0.pointee.pw_gid) }
    }()

    /// An empty database `log`, and the user `hub` of the role of hubs.
    convenience init() throws {
        let scratch = try Self.makeFolder()
        try Self.run([
            "initdb", "-D", scratch.path(of: "data"), "-A", "trust", "-U", "postgres", "-E", "UTF8",
            // In its locale texts are ordered otherwise than in counter.
            "--locale=C", "--locale-provider=icu", "--icu-locale=en", "--no-sync",
        ])
        try self.init(started: scratch)
        try sql("CREATE DATABASE log", in: "postgres")
    }

    /// A standby of another server.
    convenience init(standbyOf primary: TestDatabase) throws {
        let scratch = try Self.makeFolder()
        try Self.run([
            "pg_basebackup", "-h", primary.folder, "-U", "postgres", "-D", scratch.path(of: "data"), "-R",
            "--no-sync", "--checkpoint=fast",
        ])
        try self.init(started: scratch)
    }

    private init(started scratch: ScratchFolder) throws {
        self.scratch = scratch
        server = try Self.start(scratch.path)
    }

    deinit { server.end() }

    private static func makeFolder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        if let user { chown(folder.path, user.id, user.group) }
        return folder
    }

    private static func command(_ words: [String]) -> [String] {
        let program = ["\(programs)/\(words[0])"] + words.dropFirst()
        guard let user else { return program }
        return ["setpriv", "--reuid", "\(user.id)", "--regid", "\(user.group)", "--clear-groups"] + program
    }

    private static func run(_ words: [String]) throws {
        try ChildProcess.success(of: command(words), environment: ["LC_ALL": "C"])
    }

    private static func start(_ folder: String) throws -> ChildProcess {
        let settings = [
            "unix_socket_directories=\(folder)", "listen_addresses=", "max_connections=20",
            "shared_buffers=4MB",
        ]
        let server = try ChildProcess(
            command(["postgres", "-D", "\(folder)/data"] + settings.flatMap { ["-c", $0] }),
            environment: ["LC_ALL": "C"])
        try server.errorLine(with: "ready to accept")
        return server
    }

    /// Ends it at once, as a power cut does, but for what the kernel has written.
    func kill() throws {
        // The postmaster: it has its children end without a checkpoint.
        try server.signal(SIGQUIT)
        _ = try server.wait()
    }

    func restart() throws {
        server.end()
        server = try Self.start(folder)
    }

    func promote() throws { try Self.run(["pg_ctl", "promote", "-w", "-D", "\(folder)/data"]) }

    /// The address of its database, or of the one of several servers that is the primary.
    func url(user: String = "hub", or others: TestDatabase...) -> String {
        "postgresql://\(user)@/log?host=\(([self] + others).map(\.folder).joined(separator: ","))"
    }

    /// What psql prints, without borders.
    @discardableResult
    func sql(_ text: String, in database: String = "log", user: String = "postgres") throws -> String {
        String(
            try ChildProcess.success(of: Self.psql(folder, database, user) + ["-c", text]).dropLast())
    }

    private static func psql(_ folder: String, _ database: String, _ user: String) -> [String] {
        ["psql", "-h", folder, "-U", user, "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1"]
    }

    /// A session that keeps others from adding rows to the log, until it ends.
    func lockedLog() throws -> ChildProcess {
        let session = try ChildProcess(Self.psql(folder, "log", "postgres"))
        try session.write("BEGIN; LOCK TABLE counter.row IN EXCLUSIVE MODE; SELECT 'locked';\n")
        while let line = try session.readLine(), line != "locked" {}
        return session
    }
}
