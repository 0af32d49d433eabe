import Linux
import TestSupport
import Testing

/// The real program, on a journal and a port of its own.
final class TestHub {
    let place: Workplace
    private(set) var program: ChildProcess
    private(set) var port = 0
    private let options: [String]
    /// A token that may do everything.
    let admin: String
    /// A token of the device `door-1` in the location `Hall`.
    let device: String

    /// - Parameter files: Beside the journal, by their names.
    init(_ options: [String] = [], files: [String: String] = [:], environment: [String: String?] = [:]) throws
    {
        place = try Workplace(environment: environment)
        for (name, text) in files { try place.write(name, Array(text.utf8)) }
        self.options = options
        admin = try Self.success(of: ["token", "add", "boss", "--admin"], in: place)
        device = try Self.success(
            of: ["token", "add", "door-1", "--device", "--location", "Hall"], in: place)
        program = try Self.start(place, options)
        port = try awaitStart()
    }

    private static func start(_ place: Workplace, _ options: [String]) throws -> ChildProcess {
        let hasAddress = options.contains("--listen")
        return try ChildProcess(
            [BuiltProducts.counterHub] + (hasAddress ? [] : ["--listen", "127.0.0.1:0"]) + options,
            environment: place.environment)
    }

    /// The port that the program says it listens at.
    private func awaitStart() throws -> Int {
        let line = try program.errorLine(with: "listening at")
        return try #require(line.split(separator: ":").last.flatMap { Int($0) })
    }

    /// Starts the program again, on the same journal and port.
    func restart() throws {
        program.end()
        program = try Self.start(place, ["--listen", "127.0.0.1:\(port)"] + options)
        _ = try awaitStart()
    }

    /// strace, once it is attached to the program; `options` may have it killed at a call of the kernel.
    func tracer(to file: String, _ options: [String]) throws -> ChildProcess {
        let tracer = try ChildProcess(
            ["strace", "-f", "-o", file, "-p", "\(program.process.pid)"] + options)
        try tracer.errorLine(with: "attached")
        return tracer
    }

    /// The names of the calls of the kernel that a tracer has written, in their order.
    static func calls(in file: String) throws -> [String] {
        try TextFile(path: file, name: file).text.matches(of: /(?m)^\d+ +(\w+)\(/).map { String($0.1) }
    }

    /// What a command that must succeed prints.
    static func success(of words: [String], in place: Workplace? = nil) throws -> String {
        let command = [BuiltProducts.counterHub] + words
        return String(
            try ChildProcess.success(of: command, environment: place?.environment ?? [:]).dropLast())
    }

    static func run(_ words: [String], in place: Workplace? = nil) throws -> ChildProcess.Outcome {
        try ChildProcess.run([BuiltProducts.counterHub] + words, environment: place?.environment ?? [:])
    }

    func token(_ words: String...) throws -> String {
        try Self.success(of: ["token", "add"] + words, in: place)
    }

    func command(_ words: String...) throws -> ChildProcess.Outcome { try Self.run(words, in: place) }

    /// Makes a key and a certificate, and returns the fingerprint.
    static func certificate(in folder: ScratchFolder, _ options: String...) throws -> String {
        try success(of: ["certificate", "--data-dir", folder.path] + options)
    }

    /// The options to serve with them.
    static func tls(_ folder: ScratchFolder) -> [String] {
        [
            "--tls-certificate", folder.path(of: "hub-certificate.pem"),
            "--tls-key", folder.path(of: "hub-key.pem"),
        ]
    }

    /// The lines that it says up to one that contains a text.
    @discardableResult
    func said(upTo text: String) throws -> [String] {
        var said: [String] = []
        while said.last?.contains(text) != true, let line = try program.readErrorLine() { said.append(line) }
        return said
    }

    /// Ends it, and returns the lines that it has said last.
    func saidAtEnd() throws -> [String] {
        program.end()
        return try said(upTo: "\n")
    }

    func url(_ path: String, scheme: String = "http") -> String { "\(scheme)://127.0.0.1:\(port)\(path)" }

    // MARK: Clients

    struct Answer: Equatable {
        let status: Int
        let body: String

        /// Its lines of JSON, or the parts of a list.
        var lines: [String] { body.split(separator: "\n").map(String.init) }
    }

    /// Asks with curl; `token` is sent as `Authorization: Bearer` unless it is nil.
    func curl(_ path: String, token: String? = nil, _ options: [String] = [], input: String = "") throws
        -> Answer
    {
        let authorization = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        let outcome = try ChildProcess.run(
            ["curl", "-sS", "-w", "\n%{http_code}"] + authorization + options + [url(path)], input: input)
        guard let end = outcome.output.lastIndex(of: "\n"),
            let status = Int(outcome.output[outcome.output.index(after: end)...])
        else { throw SupportError.refused(by: "curl", why: outcome.errors) }
        return Answer(status: status, body: String(outcome.output[..<end]))
    }

    /// Posts lines, as they are, for the device.
    func post(_ lines: String, to path: String = "/v1/events", token: String? = nil) throws -> Answer {
        try curl(path, token: token ?? device, ["--data-binary", "@-"], input: lines)
    }

    /// The count of the location `Hall`, as `counter` itself shows it.
    func count() throws -> String { String(try place.run("show", "--location", "Hall").output.dropLast()) }

    func awaitCount(_ count: Int) throws {
        try eventually("a count of \(count)", last: { (try? self.count()) ?? "none" }) {
            try self.count() == "\(count)"
        }
    }

    /// A metric of the hub.
    func metric(_ name: String) throws -> Int? {
        try curl("/metrics", token: admin).lines.first { $0.hasPrefix("counter_hub_\(name) ") }
            .flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
    }

    func awaitMetric(_ name: String, _ value: Int) throws {
        try eventually("\(name) \(value)", last: { "\((try? self.metric(name)) ?? -1)" }) {
            try self.metric(name) == value
        }
    }

    func connect() throws -> SocketClient { try SocketClient(port: port) }

    /// A reader of `/v1/live`, of a location or of all that its token may see.
    func reader(_ token: String, _ fields: String = "", of location: String? = nil) throws -> SocketClient {
        let client = try connect()
        let query = location.map { "?location=\($0)" } ?? ""
        try client.send("GET /t/\(token)/v1/live\(query) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
        try client.take(past: "\r\n\r\n")
        return client
    }

    /// The head of a request in which the device sends so many bytes, or chunks.
    func head(length: Int? = nil) -> String {
        "POST /t/\(device)/v1/events HTTP/1.1\r\nHost: h\r\n"
            + (length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked") + "\r\n\r\n"
    }

    /// What comes back on a connection of its own, up to its end.
    func exchange(_ text: String, endsSending: Bool = false) throws -> String {
        let client = try connect()
        try client.send(text)
        if endsSending { client.endSending() }
        return try client.readToEnd()
    }
}

/// Tests that have a hub each, which is started when it is used first.
class HubSuite {
    private var started: TestHub?

    var hub: TestHub {
        get throws {
            if let started { return started }
            let hub = try TestHub()
            started = hub
            return hub
        }
    }
}

extension String {
    /// The status of an answer as it came over a socket.
    var status: Int? { split(separator: " ").dropFirst().first.flatMap { Int($0) } }
}
