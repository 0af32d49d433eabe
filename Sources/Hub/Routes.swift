import CounterModel
import CounterStore
import Glibc
import Linux
import NIOCore
import NIOHTTP1
import Reports
import Transfer

/// What the hub answers at a path.
struct Route {
    /// A request, and the token that may make it.
    struct Call {
        let request: Request
        let token: Token
        let conversation: Conversation
        var server: HubServer { conversation.server }
    }

    let methods: [HTTPMethod]
    /// The path, or what it begins with, up to a last `/`.
    let path: String
    /// The names of the parameters of its query.
    let parameters: Set<String>
    let begin: (Request, Conversation) throws -> any Exchange
}

extension Route {
    private static let readers: Set<Token.Role> = [.admin, .viewer, .door]
    private static let senders: Set<Token.Role> = [.admin, .door, .device]

    static var all: [Route] {
        [
            Route([.POST], "/v1/events", senders, ["location"], EventsExchange.init),
            Route([.GET], "/v1/ws", senders, ["location"], WebSocketOpening.init),
            Route([.GET], "/v1/live", readers, ["location", "after"], LiveExchange.init),
            Route([.POST], "/v1/sync", [.admin, .door], [], SyncExchange.init),
            Route([.POST, .PUT], DeviceReadings.path, senders, ["location"], DeviceMessage.exchange),
            Route([.POST], "/v1/changes", [.admin], ["location"], Change.exchange),
            .reading("/v1/status", readers, ["location"]) { try $0.status() },
            .reading("/v1/history", readers, ["location", "range", "from", "to", "by"]) { try $0.history() },
            .reading("/v1/days", readers, ["location"]) { try $0.days() },
            .reading("/v1/rows", readers, ["location", "after", "limit"]) { try $0.rows() },
            .fixed("/healthz", Answer(type: .text, body: "ok\n")),
            .reading("/readyz", Set(Token.Role.allCases)) { try $0.readiness() },
            .reading("/metrics", [.admin, .viewer]) {
                Answer(type: .metrics, body: $0.server.metrics.text($0.server))
            },
        ] + Page.routes
    }

    /// A route for tokens of some roles.
    private init(
        _ methods: [HTTPMethod], _ path: String, _ roles: Set<Token.Role>, _ parameters: Set<String>,
        _ begin: @escaping (Call) throws -> any Exchange
    ) {
        self.init(methods: methods, path: path, parameters: parameters) { request, conversation in
            let token = try conversation.server.tokens.authenticate(
                request, from: conversation.connection, conversation.server.metrics)
            guard roles.contains(token.role) else {
                throw Problem(
                    .forbidden, why: "a token of the role \(token.role.rawValue) may not do this",
                    remedy: "The roles are \(roles.map(\.rawValue).sorted().joined(separator: ", ")).")
            }
            conversation.connection.token = token
            return try begin(Call(request: request, token: token, conversation: conversation))
        }
    }

    /// A route with the same answer for everybody, without a token.
    fileprivate static func fixed(_ path: String, _ answer: Answer) -> Route {
        Route(methods: [.GET], path: path, parameters: []) { PlainExchange($1, answer) }
    }

    /// A route that is read.
    private static func reading(
        _ path: String, _ roles: Set<Token.Role>, _ parameters: Set<String> = [],
        _ answer: @escaping (Call) throws -> Answer
    ) -> Route {
        Route([.GET], path, roles, parameters) { call in PlainExchange(call.conversation, try answer(call)) }
    }

    private func takes(_ path: String) -> Bool {
        self.path.count > 1 && self.path.hasSuffix("/") ? path.hasPrefix(self.path) : path == self.path
    }

    static func route(of request: Request, among all: [Route]) throws(Problem) -> Route {
        guard let route = all.first(where: { $0.takes(request.path) }) else {
            throw Problem(
                .notFound, why: "there is nothing at this path",
                remedy: "The paths are \(all.map(\.path).joined(separator: ", ")).")
        }
        let method = request.head.method == .HEAD ? .GET : request.head.method
        guard route.methods.contains(method) else {
            let allowed = route.methods.map(\.rawValue).joined(separator: ", ")
            throw Problem(
                .methodNotAllowed, why: "the path is for \(allowed)", remedy: "Use \(allowed).",
                fields: [("Allow", allowed)])
        }
        guard [.POST, .PUT].contains(method) || !request.head.announcesBody else {
            throw Problem(.badRequest, why: "a \(method.rawValue) has no body here")
        }
        // Devices add what they like, such as the kind of a message.
        if route.path != DeviceReadings.path,
            let unknown = request.query.keys.sorted().first(where: { !route.parameters.contains($0) })
        {
            throw Problem(
                .badRequest, why: "there is no parameter '\(unknown)' here",
                remedy: route.parameters.isEmpty
                    ? "Leave it out." : "There are \(route.parameters.sorted().joined(separator: ", ")).")
        }
        return route
    }
}

// MARK: - Reading

extension Route.Call {
    private var journal: SQLiteJournal { server.journal }
    private var now: Timestamp { HubServer.now }

    /// The location that the request names. Throws `Problem` (404) where there is none that the token may see.
    func location() throws -> Location? {
        guard let name = request.query["location"] else { return nil }
        let found = try journal.location(named: name)
        guard let found, token.admits(found.id) else {
            throw Problem(.notFound, why: "there is no location '\(name)' for this token")
        }
        return found
    }

    /// The one location of a report: that of the request, else the token's only one, else the server's, as `counter` does.
    private func oneLocation() throws -> Location {
        if let named = try location() { return named }
        let own = token.locations
        let name = own.count == 1 ? own[0].text : server.options.location
        let usual = try journal.existingLocation(named: name, orCreate: false)
        guard token.admits(usual.id) else {
            throw Problem(
                .badRequest, why: "this is of one location, and the token has several",
                remedy: "Add ?location= with one of these: \(own.map(\.text).joined(separator: ", ")).")
        }
        return usual
    }

    /// The visible locations that the token may see, or the one that the request names.
    func locations() throws -> [Location] {
        if let named = try location() { return [named] }
        return try journal.locations().filter { !$0.isHidden && token.admits($0.id) }
    }

    func status() throws -> Answer {
        Answer(body: "[" + (try statusRows().joined(separator: ",\n ")) + "]\n")
    }

    /// The line of `counter status --json` for each location.
    func statusRows() throws -> [String] { try server.statusRows(of: locations()) }

    /// As `counter history --json`.
    func history() throws -> Answer {
        let location = try oneLocation()
        let span = try LocationSpan(location, selection(), by: unit(), maxDaysByMinute: 7, now: now)
        let seconds = span.range.end.seconds - span.range.start.seconds
        guard seconds / span.unit.seconds <= Self.maxBuckets else {
            throw Problem(
                .badRequest, "the range is too long", why: "it has more than \(Self.maxBuckets) parts",
                remedy: "Let it begin later or end earlier, or ask for it by day.")
        }
        let kpis = try span.kpis(in: journal, silentAfter: HubOptions.silentAfter, now: now)
        return Answer(body: HistoryReport(span, kpis).json.text + "\n")
    }

    /// More would keep others waiting for too long. Seven days have fewer minutes.
    private static let maxBuckets = 10_200

    private func selection() throws -> HistorySelection {
        let query = request.query
        guard let from = query["from"] else {
            guard query["to"] == nil else { throw wrong("to needs from") }
            return try HistorySelection(query["range"] ?? "today")
        }
        guard query["range"] == nil else { throw wrong("range and from exclude each other") }
        return .between(try HistoryBound(from), try query["to"].map { try HistoryBound($0) })
    }

    private func unit() throws -> HistoryUnit? {
        guard let text = request.query["by"] else { return nil }
        guard let unit = HistoryUnit(rawValue: text) else { throw wrong("by is minute, hour, day or week") }
        return unit
    }

    private func wrong(_ why: String) -> Problem { Problem(.badRequest, why: why) }

    /// As `counter day --json`.
    func days() throws -> Answer {
        let location = try oneLocation()
        let days = try journal.endedDays(of: location.id)
        let rows = DayRow.rows(of: days, at: location, now: now).map(DayRow.table.json)
        return Answer(body: "[" + rows.joined(separator: ",\n ") + "]\n")
    }

    /// A whole number; nil where there is no text.
    func number(_ name: String, _ text: String?, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw wrong("\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The rows after a position, as `counter listen --json --after` prints them, up to a number of them.
    func rows() throws -> Answer {
        let after = Position(Int64(try number("after", request.query["after"], in: 0...(.max)) ?? 0))
        let limit = try number("limit", request.query["limit"], in: 1...1_000) ?? 1_000
        let page = try RowFilter(token: token, location: try location()).page(
            of: journal, after: after, limit: limit)
        return Answer(
            type: .lines, fields: [("Counter-Position", "\(page.through.number)")],
            body: page.rows.map { $0.line + "\n" }.joined())
    }

    func readiness() throws -> Answer {
        try journal.requireWritable()
        // After a commit that has failed, an empty one tells whether the next can succeed.
        if server.session.error != nil { _ = try journal.append([], receivedAt: now) }
        _ = try journal.lastPosition()
        try server.requireLog()
        return Answer(type: .text, body: "ready\n")
    }
}

/// Which rows a reader gets.
struct RowFilter {
    /// Nil for all, and those of no location.
    private let locations: [Identifier]?

    init(token: Token, location: Location?) { locations = location.map { [$0.id] } ?? token.onlyLocations }

    /// The rows after a position, a number of them at most, and the position up to which there are no others.
    func page(of journal: SQLiteJournal, after: Position, limit: Int) throws -> (
        rows: [FeedRow], through: Position
    ) {
        guard let locations else {
            let rows = try journal.feed(after: after, limit: limit)
            return (rows, rows.last?.row.id ?? after)
        }
        let (rows, through) = try journal.feed(after: after, of: locations, limit: limit)
        return (rows.filter(admits), through)
    }

    func admits(_ row: FeedRow) -> Bool {
        guard let locations else { return true }
        return row.row.locationId.map(locations.contains) ?? false
    }
}

extension HubServer {
    /// The line of `counter status --json` for each location.
    func statusRows(of locations: [Location]) throws -> [String] {
        let reports = try locations.map {
            try StatusReport(
                $0, in: journal, staleAfter: options.staleAfter, silentAfter: HubOptions.silentAfter,
                now: HubServer.now)
        }
        return reports.map(StatusReport.table(of: reports).json)
    }

    /// The visible locations, each with its line.
    func locationStatuses() throws -> [(location: Location, status: String?)] {
        let locations = try journal.locations()
        let visible = locations.filter { !$0.isHidden }
        let hidden = locations.filter(\.isHidden).map { (location: $0, status: nil as String?) }
        return zip(visible, try statusRows(of: visible)).map { ($0, $1) } + hidden
    }
}

extension HistoryUnit {
    /// About how long a part of a history is.
    fileprivate var seconds: Int {
        switch self {
        case .minute: 60
        case .hour: 3_600
        case .day: 86_400
        case .week: 604_800
        }
    }
}

// MARK: - The page

/// The web page: one document, one style, one script, which are in the program. They hold no data; the script asks for it with a token.
enum Page {
    /// The page runs what the hub serves and nothing else, is part of no other page, and talks to no other server.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    static var routes: [Route] {
        [
            file("/", .html, PackageResources.index_html),
            file("/page.css", .css, PackageResources.page_css),
            file("/page.js", .script, PackageResources.page_js),
        ]
    }

    private static func file(_ path: String, _ type: ContentType, _ bytes: [UInt8]) -> Route {
        let answer = Answer(
            type: type, fields: [("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer")],
            body: String(decoding: bytes, as: UTF8.self))
        return .fixed(path, answer)
    }
}
