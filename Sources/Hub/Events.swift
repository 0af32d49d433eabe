import CounterModel
import CounterStore
import Linux
import NIOCore
import NIOHTTP1
import Transfer

/// A sender of lines that a commit answers.
protocol LineSender: AnyObject {
    var producer: Producer { get }
    /// How many more lines of it are taken now.
    var share: LineShare { get }
    /// Lines may have been answered, or given up.
    func answered()
    /// The log has not confirmed in time what was answered.
    func unconfirmed()
}

extension LineSender {
    /// Whether it has lines that wait for their commit, or as many answers that wait for the log as are kept.
    var isBusy: Bool { producer.isReady || producer.isStalled || producer.queued > 0 }
}

/// `POST /v1/events`: lines of events and rows, answered line by line after their commit.
final class EventsExchange: Exchange, LineSender {
    let producer: Producer
    let share: LineShare
    private unowned let conversation: Conversation
    private let server: HubServer
    private let isOneObject: Bool

    /// Types of bodies that are lines; `curl --data` says the first one.
    private static let lineTypes: Set<String> = [
        "application/x-www-form-urlencoded", "application/x-ndjson", "application/ndjson",
        "application/jsonl", "application/jsonlines", "application/octet-stream", "text/plain",
    ]

    init(_ call: Route.Call) throws {
        (conversation, server) = (call.conversation, call.server)
        try call.request.refuseContentCoding()
        isOneObject = try Self.isOneObject(call.request.head.headers)
        var terms = call.token.terms(location: try call.location()?.id)
        terms.isConnection = false
        share = server.tokens.share(of: call.token)
        try share.require()
        producer = Producer(terms)
        server.add(self)
    }

    /// Whether the body is one object, on one line or several.
    private static func isOneObject(_ headers: HTTPHeaders) throws(Problem) -> Bool {
        guard let type = headers.first(name: "content-type") else { return false }
        let name = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        if name == "application/json" { return true }
        if lineTypes.contains(name) { return false }
        throw Problem(
            .unsupportedMediaType, why: "events are no '\(name)'",
            remedy: "Send application/json, one object, or application/x-ndjson, one on each line.")
    }

    var isHolding: Bool { isBusy }

    func receive(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { bytes in
            guard isOneObject else { return producer.append(bytes) }
            // In JSON a line end is a blank.
            Array(bytes).map { $0 == 0xA || $0 == 0xD ? 0x20 : $0 }.withUnsafeBytes { producer.append($0) }
        }
        if producer.isReady { server.linesWait() }
    }

    func receivedAll() {
        producer.end()
        if producer.isReady { server.linesWait() } else { answered() }
    }

    func answered() {
        if producer.isAbandoned { return abandon() }
        let answers = producer.takeAnswers()
        if !answers.isEmpty { conversation.connection.progress() }
        if producer.isDone {
            server.remove(self)
            if !conversation.hasAnswerBegun { conversation.begin(.ok, .lines, length: answers.count) }
            conversation.send(answers)
            conversation.finish()
        } else if !answers.isEmpty {
            if !conversation.hasAnswerBegun { conversation.begin(.ok, .lines) }
            conversation.send(answers)
        }
        conversation.proceed()
    }

    /// What could not be stored is not answered: before the first answer by a status, later by the end of the connection.
    private func abandon() {
        if producer.hasAnswers { return unconfirmed() }
        server.remove(self)
        conversation.refuse(
            .busy(
                .serviceUnavailable, "the events are not stored", why: server.storageProblem,
                remedy: "Send them again."))
    }

    func unconfirmed() {
        server.remove(self)
        conversation.refuse(unconfirmedProblem)
    }

    func becameWritable() { if producer.isReady { server.linesWait() } }

    func stopped() -> Problem? { producer.hasAnswers ? unconfirmedProblem : .stopping }

    /// What is left of it after that is given up.
    private var unconfirmedProblem: Problem {
        let isWhole = producer.isAnswered && !producer.isAbandoned
        return server.unconfirmed(through: isWhole ? nil : producer.answeredLine)
    }

    func ended() { server.remove(self) }
}

/// How many lines of a token are taken: so many a second, and five seconds' worth at once after a pause.
final class LineShare {
    private let perSecond: Int
    private var left: Double
    private var updatedAt = MonotonicTime.now

    init(perSecond: Int) {
        self.perSecond = perSecond
        left = Double(perSecond) * 5
    }

    private func update() {
        let now = MonotonicTime.now
        let seconds = Double((now - updatedAt).microseconds) / 1e6
        updatedAt = now
        left = min(Double(perSecond) * 5, left + seconds * Double(perSecond))
    }

    var isAny: Bool { available > 0 }

    var available: Int {
        update()
        return perSecond == 0 ? .max : max(0, Int(left))
    }

    func take(_ count: Int) { left -= Double(count) }

    /// Refuses a request whose token has sent too much.
    func require() throws(Problem) {
        if isAny { return }
        throw .busy(
            .tooManyRequests, why: "the token has sent more than \(perSecond) lines a second",
            remedy: "Send it again in a second. The hub's --lines-per-second allows more.")
    }

    /// After how long a line is allowed again.
    var pause: Duration { .milliseconds(1000 / max(1, perSecond) + 1) }
}
