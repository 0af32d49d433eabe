import CounterStore
import Linux
import NIOCore
import NIOHTTP1

/// How one request is answered. What it does not say is as for one without a body that is answered at once.
protocol Exchange: AnyObject {
    /// Whether it takes no more of the body at present.
    var isHolding: Bool { get }
    /// The request is accepted; nothing of its body has come.
    func begun()
    func receive(_ bytes: ByteBuffer)
    func receivedAll()
    func becameWritable()
    /// The server ends. Returns why the request is refused; nil where it goes on. Where the answer has begun, the connection is cut.
    func stopped() -> Problem?
    func inputEnded()
    func ended()
}

extension Exchange {
    var isHolding: Bool { false }
    func begun() {}
    func receive(_ bytes: ByteBuffer) {}
    func becameWritable() {}
    func stopped() -> Problem? { .stopping }
    func inputEnded() {}
    func ended() {}
}

/// A request that is answered at once, when it has come.
final class PlainExchange: Exchange {
    private unowned let conversation: Conversation
    private let answer: () throws -> Answer

    init(_ conversation: Conversation, _ answer: @autoclosure @escaping () throws -> Answer) {
        (self.conversation, self.answer) = (conversation, answer)
    }

    func receivedAll() {
        do { conversation.answer(try answer()) } catch { conversation.answer(Problem(error).answer) }
    }
}

/// A request that is answered when its body has come as a whole, and what it has changed is where it has to be.
final class BodyExchange: Exchange {
    /// Of all that are on their way, in bytes.
    private static let longestTogether = 64 << 20

    private let call: Route.Call
    /// For people.
    private let subject: String
    /// In bytes.
    private let longest: Int
    private let patience: Duration
    private let work: ([UInt8]) throws -> Answer
    private var body: [UInt8] = []
    /// Whether its work is done, and the answer waits for the log.
    private var isDone = false
    private var isOver = false

    /// `patience`: how long it waits for a journal that another program has locked.
    init(
        _ call: Route.Call, _ subject: String, longest: Int, patience: Duration = .zero,
        _ work: @escaping ([UInt8]) throws -> Answer
    ) {
        (self.call, self.subject, self.longest) = (call, subject, longest)
        (self.patience, self.work) = (patience, work)
    }

    func receive(_ bytes: ByteBuffer) {
        guard body.count + bytes.readableBytes <= longest else {
            let limit = longest < 1 << 20 ? "\(longest) bytes" : "\(longest >> 20) MiB"
            return call.conversation.refuse(
                Problem(.tooLarge, "\(subject) is refused", why: "it has more than \(limit)"))
        }
        guard call.server.bodyBytes + bytes.readableBytes <= Self.longestTogether else {
            return call.conversation.refuse(
                .busy(
                    .serviceUnavailable, why: "too many long messages come at once",
                    remedy: "Send it again in a second."))
        }
        body += bytes.readableBytesView
        call.server.bodyBytes += bytes.readableBytes
    }

    func receivedAll() { attempt(until: .now + patience) }

    private func attempt(until deadline: MonotonicTime) {
        if isOver { return }
        let answer: Answer
        do {
            try call.server.requireLog()
            answer = try work(body)
        } catch  where Self.passes(error) && .now < deadline {
            call.server.metrics.failedDeliveries += 1
            call.server.loop.later(.milliseconds(200)) { [self] in attempt(until: deadline) }
            return
        } catch { return end(Problem(error).answer) }
        isDone = true
        call.server.whenStored { [self] in
            end(answer)
        } orElse: { [self] in
            end(call.server.unconfirmed().answer)
        }
    }

    private static func passes(_ error: any Error) -> Bool {
        switch error {
        case let error as JournalError: error.reason == .busy
        case let error as Problem: error.status == .serviceUnavailable
        default: false
        }
    }

    private func end(_ answer: Answer) {
        if isOver { return }
        call.conversation.answer(answer)
        ended()
        call.conversation.proceed()
    }

    func stopped() -> Problem? { isDone ? call.server.unconfirmed() : .stopping }

    func ended() {
        isOver = true
        call.server.bodyBytes -= body.count
        body = []
    }
}
