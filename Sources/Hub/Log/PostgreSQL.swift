import CPQ
import Glibc
import Linux

extension ProgramError {
    /// What PostgreSQL says. `state`: the SQLSTATE; nil where there is no connection.
    fileprivate init(postgreSQL text: UnsafePointer<CChar>?, state: String? = nil) {
        // Hints stand on lines of their own; of several hosts, each has a line with what was wrong.
        let lines = (text.map { String(cString: $0) } ?? "").split(separator: "\n")
        let line = lines.last { $0.hasPrefix("connection to server") } ?? lines.first ?? ""
        let remedy: String? =
            switch state {
            case "42501":
                "The user of the address may not do that: use another, or ask who owns the database."
            case nil:
                "Is the server on, are user and database there? As libpq does, psql connects to the same address."
            default: nil
            }
        self.init(
            line.isEmpty ? "the connection has ended" : String(line).sanitised, remedy: remedy,
            status: state == nil ? EX_UNAVAILABLE : EX_SOFTWARE)
    }
}

/// A connection to PostgreSQL by libpq, for one thread at a time.
final class PostgreSQL {
    private let connection: OpaquePointer
    private var prepared: Set<String> = []
    /// What the server has warned of since this was set to nil.
    var warning: String?

    /// What holds where the URL says nothing else. The kernel notices a server that is gone, without a wake-up here.
    private static let defaults = [
        ("connect_timeout", "5"), ("keepalives_idle", "20"), ("keepalives_interval", "5"),
        ("keepalives_count", "3"), ("tcp_user_timeout", "15000"), ("target_session_attrs", "read-write"),
        ("client_encoding", "UTF8"), ("fallback_application_name", "counter-hub"),
    ]

    /// Connects to the first of the hosts that is a primary, beginning with one of them.
    init(url: String, firstHost: Int = 0) throws(ProgramError) {
        let hosts = Self.options(of: url).map { Self.hosts($0, from: firstHost) } ?? []
        let parameters = Self.defaults + [("dbname", url)] + hosts
        let (names, values) = (parameters.map(\.0), parameters.map(\.1))
        let made = names.withCStrings { names in values.withCStrings { PQconnectdbParams(names, $0, 1) } }
        guard let made else { throw ProgramError(postgreSQL: nil) }
        connection = made
        guard PQstatus(made) == CONNECTION_OK else { throw ProgramError(postgreSQL: PQerrorMessage(made)) }
        PQsetNoticeProcessor(
            made,
            { connection, text in
                guard let connection else { return }
                Unmanaged<PostgreSQL>.fromOpaque(connection).takeUnretainedValue().warning =
                    ProgramError(postgreSQL: text).message
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { PQfinish(connection) }

    /// Its host: a name, an address, or the directory of a socket.
    var host: String { PQhost(connection).map { String(cString: $0) } ?? "" }
    var usesVerifiedTLS: Bool { Self.options(PQconninfo(connection))["sslmode"] == "verify-full" }

    /// The options of an address; nil where libpq cannot read it. What it says then may hold a password.
    static func options(of url: String) -> [String: String]? { PQconninfoParse(url, nil).map(options) }

    /// The options that name hosts, which are lists of equal lengths, from one of them on; the others follow.
    private static func hosts(_ options: [String: String], from first: Int) -> [(String, String)] {
        ["host", "hostaddr", "port"].compactMap { name in
            let values = options[name]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
            if values.count < 2 { return nil }
            let first = first % values.count
            return (name, (values[first...] + values[..<first]).joined(separator: ","))
        }
    }

    private static func options(_ list: UnsafeMutablePointer<PQconninfoOption>?) -> [String: String] {
        defer { PQconninfoFree(list) }
        var options: [String: String] = [:]
        var next = list
        while let option = next?.pointee, let keyword = option.keyword {
            if let value = option.val { options[String(cString: keyword)] = String(cString: value) }
            next = next?.successor()
        }
        return options
    }

    /// Runs a statement with parameters in their text form, and returns its rows. It is prepared once.
    @discardableResult
    func query(_ sql: String, _ parameters: [String] = []) throws(ProgramError) -> [[String?]] {
        if !prepared.contains(sql) {
            _ = try rows(PQprepare(connection, sql, sql, 0, nil))
            prepared.insert(sql)
        }
        return try rows(
            parameters.withCStrings {
                PQexecPrepared(connection, sql, CInt(parameters.count), $0, nil, nil, 0)
            })
    }

    /// Runs statements in one transaction.
    func run(_ script: String) throws(ProgramError) { _ = try rows(PQexec(connection, script)) }

    private func rows(_ result: OpaquePointer?) throws(ProgramError) -> [[String?]] {
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK: break
        default:
            // Without a result, and where the connection has ended, there is no field.
            throw ProgramError(
                postgreSQL: PQresultErrorField(result, CInt(UInt8(ascii: "M"))) ?? PQerrorMessage(connection),
                state: PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { String(cString: $0) })
        }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetisnull(result, row, column) == 1
                    ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
            }
        }
    }

    // MARK: Notifications

    var socket: CInt { PQsocket(connection) }

    /// What others have notified, after the socket was readable.
    func notifications() throws(ProgramError) -> [String] {
        guard PQconsumeInput(connection) == 1 else {
            throw ProgramError(postgreSQL: PQerrorMessage(connection))
        }
        var all: [String] = []
        while let notification = PQnotifies(connection) {
            all.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return all
    }
}

extension [String] {
    /// As C has them: pointers to texts that end with 0, and nil after them.
    fileprivate func withCStrings<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let copies = map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
