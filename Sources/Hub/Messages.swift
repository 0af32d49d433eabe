import Adapters
import CounterModel
import CounterStore
import Glibc
import Linux
import NIOCore
import NIOHTTP1

/// The status of an answer; see RFC 9110, section 15, and RFC 6585.
typealias Status = HTTPResponseStatus

extension Status {
    /// As RFC 9110 calls it. Earlier ones said "Payload Too Large".
    static let tooLarge = Status.custom(code: 413, reasonPhrase: "Content Too Large")
}

enum ContentType: String {
    case json = "application/json"
    /// JSON Lines; see github.com/ndjson/ndjson-spec.
    case lines = "application/x-ndjson"
    case events = "text/event-stream"
    case text = "text/plain; charset=utf-8"
    case html = "text/html; charset=utf-8"
    case css = "text/css; charset=utf-8"
    case script = "text/javascript; charset=utf-8"
    /// The text format of Prometheus.
    case metrics = "text/plain; version=0.0.4; charset=utf-8"
}

/// An answer whose body is known when it begins.
struct Answer {
    var status = Status.ok
    var type = ContentType.json
    /// Further header fields.
    var fields: [(name: String, value: String)] = []
    var body: String
}

/// Why a request is refused: what failed, why, and the remedy.
struct Problem: Error {
    let status: Status
    let what: String
    let why: String
    let remedy: String?
    let fields: [(name: String, value: String)]

    init(
        _ status: Status, _ what: String = "the request is refused", why: String, remedy: String? = nil,
        fields: [(name: String, value: String)] = []
    ) {
        (self.status, self.what, self.why, self.remedy) = (status, what, why, remedy)
        self.fields = fields
    }

    /// What may be sent again soon.
    static func busy(
        _ status: Status, _ what: String = "the request is refused", why: String, remedy: String
    ) -> Problem {
        Problem(status, what, why: why, remedy: remedy, fields: [("Retry-After", "1")])
    }

    var answer: Answer {
        let object: JSONLine = [
            "status": .number(Int(status.code)), "what": .text(what), "why": .text(why),
            "remedy": .text(remedy),
        ]
        return Answer(status: status, fields: fields, body: object.text + "\n")
    }
}

extension Problem {
    /// A problem of the journal, or of what was asked of it.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as JournalError:
            self = .busy(
                .serviceUnavailable, "the journal cannot be used", why: "\(error.reason)",
                remedy: "Try again; the journal's owner sees more with: counter doctor")
        case let error as ProgramError:
            let status: Status =
                switch error.status {
                case EX_NOINPUT: .notFound
                case EX_UNAVAILABLE: .conflict
                case EX_USAGE, EX_DATAERR: .badRequest
                default: .internalServerError
                }
            self.init(status, "the request cannot be answered", why: error.message, remedy: error.remedy)
        case let error as HistoryRangeError:
            self.init(.badRequest, "the range cannot be read", why: error.failure.message)
        default: self.init(.internalServerError, "the request cannot be answered", why: "\(error)")
        }
    }
}

/// What a request asks for, checked as far as it is the same for all routes.
struct Request {
    /// In bytes.
    private static let longestURI = 8_192

    let head: HTTPRequestHead
    let path: String
    /// By name; every value is given once.
    let query: [String: String]
    /// The token that it carries.
    let credential: String?

    init(_ head: HTTPRequestHead) throws(Problem) {
        self.head = head
        guard head.uri.utf8.count <= Self.longestURI else {
            throw Problem(.uriTooLong, why: "its target has more than \(Self.longestURI) bytes")
        }
        try Self.checkLength(head)
        try Self.checkHost(head)
        if let other = head.headers.first(name: "expect"), other.lowercased() != "100-continue" {
            throw Problem(.expectationFailed, why: "it expects what this server does not do")
        }
        let target = try Self.originForm(head.uri)
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        do throws(LineError) { query = try parts.count > 1 ? FormText.parameters(parts[1]) : [:] } catch {
            throw Problem(.badRequest, why: "its query \(error.why)")
        }
        var (path, token) = Self.withoutToken(String(parts[0]))
        if token == nil, !head.headers.contains(name: "authorization") {
            token = Self.takeLastToken(from: &path)
        }
        self.path = path
        if let token { credential = token } else { credential = try Self.credential(head.headers) }
    }

    /// The parser has refused both lengths at once, and lengths that differ.
    private static func checkLength(_ head: HTTPRequestHead) throws(Problem) {
        let codings = head.headers[canonicalForm: "transfer-encoding"]
        guard codings.isEmpty || codings.count == 1 && codings[0].lowercased() == "chunked" else {
            throw Problem(.notImplemented, why: "its only transfer coding may be chunked")
        }
        guard codings.isEmpty || head.version.minor > 0 else {
            throw Problem(.badRequest, why: "HTTP/1.0 has no transfer codings")
        }
        let hasLength = head.headers.contains(name: "content-length")
        // What such a client sends ends with its connection, and would be lost.
        guard head.version.minor > 0 || hasLength || ![.POST, .PUT].contains(head.method) else {
            throw Problem(
                .lengthRequired, why: "HTTP/1.0 needs Content-Length for a body",
                remedy: "Send it, or use HTTP/1.1.")
        }
    }

    func refuseContentCoding() throws(Problem) {
        guard let coding = head.headers.first(name: "content-encoding"), coding.lowercased() != "identity"
        else { return }
        throw Problem(
            .unsupportedMediaType, why: "its content is encoded", remedy: "Send it without Content-Encoding.")
    }

    private static func checkHost(_ head: HTTPRequestHead) throws(Problem) {
        let hosts = head.headers["host"]
        guard hosts.count == 1 || hosts.isEmpty && head.version.minor == 0 else {
            throw Problem(.badRequest, why: "it must have one Host field")
        }
        let isValid = hosts.joined().utf8.allSatisfy {
            0x21...0x7E ~= $0 && !"/?#@\\\"<>{}|^`".utf8.contains($0)
        }
        if !isValid { throw Problem(.badRequest, why: "its Host field is no name of a host") }
    }

    /// A page of another origin must not use what a browser knows.
    static func checkOrigin(_ headers: HTTPHeaders) throws(Problem) {
        guard let origin = headers.first(name: "origin") else { return }
        let host = origin.split(separator: "/").last.map(String.init)
        guard host?.lowercased() == headers.first(name: "host")?.lowercased() else {
            throw Problem(.forbidden, why: "it comes from a page of another origin")
        }
    }

    /// The target without scheme and host, which proxies send; see RFC 9112, section 3.2.
    private static func originForm(_ uri: String) throws(Problem) -> Substring {
        if uri.utf8.first == UInt8(ascii: "/") { return uri[...] }
        for scheme in ["http://", "https://"] where uri.lowercased().hasPrefix(scheme) {
            let rest = uri.dropFirst(scheme.count)
            return rest.utf8.firstIndex { $0 == UInt8(ascii: "/") }.map { rest[$0...] } ?? "/"
        }
        throw Problem(.badRequest, why: "its target is no path")
    }

    /// The path, and the token that it begins with: `/t/TOKEN/v1/events`.
    private static func withoutToken(_ path: String) -> (path: String, token: String?) {
        guard path.hasPrefix("/t/") else { return (path, nil) }
        let rest = path.dropFirst(3)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        return (end == rest.endIndex ? "/" : String(rest[end...]), String(rest[..<end]))
    }

    /// The token that the path of a device ends with: `/v1/devices/hikvision/TOKEN`.
    private static func takeLastToken(from path: inout String) -> String? {
        guard path.hasPrefix(DeviceReadings.path) else { return nil }
        if path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let last = path[path.index(after: slash)...]
        guard last.utf8.count == Token.secretLength else { return nil }
        defer { path.removeSubrange(slash...) }
        return String(last)
    }

    /// The token of `Authorization`: by `Bearer`, or as the password of `Basic`.
    private static func credential(_ headers: HTTPHeaders) throws(Problem) -> String? {
        let fields = headers["authorization"]
        guard fields.count <= 1 else {
            throw Problem(.badRequest, why: "it has several Authorization fields")
        }
        guard let words = fields.first?.split(separator: " ", maxSplits: 1), words.count == 2 else {
            return fields.first.map { _ in "" }
        }
        let value = words[1].drop { $0 == " " }.prefix { $0 != " " && $0 != "\t" }
        switch words[0].lowercased() {
        case "bearer": return String(value)
        case "basic":
            try checkOrigin(headers)
            let pair = Base64.decode(value).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return pair.firstIndex(of: ":").map { String(pair[pair.index(after: $0)...]) } ?? ""
        default: return ""
        }
    }
}

extension HTTPRequestHead {
    var announcesBody: Bool {
        headers.contains(name: "transfer-encoding")
            || headers.first(name: "content-length").map { $0 != "0" } ?? false
    }
}

extension Answer {
    /// The present as IMF-fixdate; see RFC 9110, section 5.6.7.
    static var date: String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let size = strftime(buffer.baseAddress, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(decoding: buffer[..<size].map(UInt8.init), as: UTF8.self)
        }
    }
}
