import CounterModel
import CounterStore
import Linux
import NIOCore
import NIOHTTP1
import Reports
import Transfer

/// `GET /v1/live`: server-sent events, as HTML defines them. First an event `status` for each location, then each row as a message whose
/// id is its position. With `Last-Event-ID`, or `after`, it begins with the rows after that position.
final class LiveExchange: Exchange {
    /// How many rows are read and sent at a time, to a reader that catches up.
    private static let page = 64

    private let conversation: Conversation
    private let call: Route.Call
    private let filter: RowFilter
    /// Rows up to here were sent.
    private var position: Position
    /// Whether it has all rows that there were at the last look, or begins with the present.
    private var isCurrent: Bool

    init(_ call: Route.Call) throws {
        (self.call, conversation) = (call, call.conversation)
        filter = RowFilter(token: call.token, location: try call.location())
        let last = try call.server.journal.lastPosition()
        let named = call.request.query["after"]
        let start = try call.lastEventId() ?? call.number("after", named, in: 0...(.max))
        // Another journal, or an older state of this one, ends before it: then the present is all there is to say.
        let after = start.map { Position(Int64($0)) }.flatMap { $0 <= last ? $0 : nil }
        position = after ?? last
        isCurrent = after == nil
    }

    func receivedAll() {
        let statuses: [String]
        do { statuses = try isCurrent ? call.statusRows() : [] } catch {
            return conversation.answer(Problem(error).answer)
        }
        // The page shows what a token may do.
        conversation.begin(.ok, .events, fields: [("Counter-Role", call.token.role.rawValue)])
        if call.request.head.method == .HEAD { return conversation.finish() }
        call.server.live.add(self)
        call.server.startHeartbeat()
        send(statuses.map { "event: status\ndata: \($0)\n\n" }.joined() + Self.comment)
        catchUp()
    }

    /// What clients pass over. The first one tells a client that it is connected.
    private static let comment = ": counter-hub\n\n"

    /// Sends rows as far as the connection takes them; becoming writable goes on with it.
    private func catchUp() {
        while !isCurrent, conversation.isWritable {
            do {
                let page = try filter.page(of: call.server.journal, after: position, limit: Self.page)
                position = page.through
                isCurrent = try page.through >= call.server.journal.lastPosition()
                send(page.rows.map(Self.event).joined())
            } catch { return conversation.connection.cut() }
        }
    }

    static func event(_ row: FeedRow) -> String { "id: \(row.row.id.number)\ndata: \(row.line)\n\n" }

    private func send(_ text: String) {
        conversation.send(text.utf8)
        conversation.flush()
    }

    /// New rows, which follow those that a current reader has. One that has not read what was sent before is cut off; it may resume.
    func push(_ rows: [(row: FeedRow, event: String)], through: Position) {
        guard isCurrent else { return catchUp() }
        guard conversation.isWritable else {
            call.server.metrics.slowReaders += 1
            return conversation.connection.cut()
        }
        let known = position
        position = through
        send(
            rows.lazy.filter { [filter] in $0.row.row.id > known && filter.admits($0.row) }.map(\.event)
                .joined())
    }

    /// A sign of life: the client sees that the connection is there, and the server that the client is.
    func beat() { if isCurrent, conversation.isWritable { send(Self.comment) } }

    func becameWritable() { catchUp() }
    func inputEnded() { conversation.connection.cut() }
    func ended() { call.server.live.remove(self) }
}

extension Route.Call {
    /// The position of the last row that a client has got; an empty field is none.
    fileprivate func lastEventId() throws(Problem) -> Int? {
        guard let text = request.head.headers.first(name: "last-event-id"), !text.isEmpty else { return nil }
        return try number("Last-Event-ID", text, in: 0...(.max))
    }
}

/// The readers of `/v1/live`, and what they have been sent.
final class LiveReaders {
    private static let page = 256

    private let journal: SQLiteJournal
    private var readers: [ObjectIdentifier: LiveExchange] = [:]
    /// The rows up to here were pushed.
    private var position = Position.start

    init(_ journal: SQLiteJournal) { self.journal = journal }

    var count: Int { readers.count }

    func add(_ reader: LiveExchange) {
        if readers.isEmpty { position = (try? journal.lastPosition()) ?? position } else { push() }
        readers[ObjectIdentifier(reader)] = reader
    }

    func remove(_ reader: LiveExchange) { readers[ObjectIdentifier(reader)] = nil }

    /// Sends what the journal has got since the last call, whichever program has written it.
    func push() {
        while !readers.isEmpty, let rows = try? journal.feed(after: position, limit: Self.page),
            let last = rows.last
        {
            position = last.row.id
            let events = rows.map { (row: $0, event: LiveExchange.event($0)) }
            for reader in Array(readers.values) { reader.push(events, through: position) }
        }
    }

    func beat() { for reader in Array(readers.values) { reader.beat() } }
}
