import CounterModel
import CounterStore
import Glibc
import Linux
import NIOCore
import NIOHTTP1
import Transfer

/// `POST /v1/sync`: a connection of `counter sync`. Its two directions are the body and the answer, which go both ways at once.
final class SyncExchange: Exchange {
    /// How many bytes are handed to the connection at a time.
    private static let piece = 16_384
    /// While so much waits to be sent, nothing is read. A session by itself adds no rows beyond half of it.
    private static let maxUnread = 524_288
    /// From one note of what screens say of a door to the next: each is a file on the disk.
    private static let notePause = Duration.seconds(30)

    private let conversation: Conversation
    private let call: Route.Call
    private let session: SyncSession
    private let report: SyncReport
    /// How many rows the metrics know of.
    private var counted = 0
    private var hasEnded = false
    private var server: HubServer { call.server }

    init(_ call: Route.Call) throws {
        (self.call, conversation) = (call, call.conversation)
        let journal = call.server.journal
        session = try SyncSession(
            journal, name: journal.nameOrHost(), join: nil, only: call.token.onlyLocations.map { Set($0) }
        ) { (.now, HubServer.now) }
        report = SyncReport(journal, pause: Self.notePause)
        guard call.server.log != nil else { return }
        try call.server.requireLog()
        session.whenStored = { [weak self] acknowledge in
            call.server.whenStored {
                acknowledge()
                self?.becameWritable()
            }
        }
    }

    /// When `advance` is to be called, though nothing has come.
    var deadline: MonotonicTime { session.deadline }

    /// The other side says what it shares after it has heard what is shared here.
    func begun() {
        conversation.begin(.ok, .lines)
        server.syncs.add(self)
        proceed {}
    }

    // MARK: Rows in

    var isHolding: Bool { session.output.count > Self.maxUnread }

    func receive(_ bytes: ByteBuffer) {
        conversation.connection.progress()
        proceed { try bytes.withUnsafeReadableBytes { try session.receive($0, last: false) } }
        server.syncs.waiting[ObjectIdentifier(self)] = self
        server.linesWait()
    }

    /// Commits what has come in this turn of the loop.
    fileprivate func commit() {
        proceed { try session.settle() }
        server.metrics.syncedRows += session.rowsReceived - counted
        counted = session.rowsReceived
        conversation.proceed()
    }

    // MARK: Rows out

    /// The journal has rows that this connection did not bring.
    fileprivate func journalChanged() { proceed { try session.journalChanged() } }

    /// Gives a sign of life, or ends the connection of a door that is silent.
    fileprivate func advance() { proceed { try session.advance() } }

    func becameWritable() { proceed {} }

    /// Does something with the session, and sends what it has to say as far as the connection takes it.
    private func proceed(_ body: () throws -> Void) {
        if hasEnded { return }
        do {
            try body()
            while conversation.isWritable, !session.output.isEmpty {
                let bytes = session.output.prefix(Self.piece)
                conversation.send(bytes)
                // Before the flush, from within which NIO may call back: what is given is not to be sent again.
                try session.sent(bytes.count)
                conversation.flush()
            }
            _ = report.note(session)
        } catch {
            end(error)
            conversation.flush()
        }
    }

    // MARK: The end

    /// Tells the other side why, and ends the answer.
    private func end(_ error: (any Error)? = nil) {
        if hasEnded { return }
        if let error, !(error is SyncRestart) { session.end(ProgramError(error)) }
        conversation.send(session.output)
        leave(error)
        conversation.finish()
    }

    private func leave(_ error: (any Error)? = nil) {
        if hasEnded { return }
        hasEnded = true
        server.syncs.remove(self)
        session.close()
        report.end(session, error is SyncRestart ? nil : error)
    }

    func receivedAll() {
        commit()
        end()
    }

    func stopped() -> Problem? {
        end(
            ProgramError(
                "the hub is stopping", remedy: "On the hub: systemctl status counter-hub", status: EX_TEMPFAIL
            ))
        return nil
    }

    func inputEnded() { conversation.connection.cut() }

    func ended() { leave() }
}

/// The connections of `counter sync`.
final class SyncConnections {
    private let journal: SQLiteJournal
    private let timer: DeadlineTimer
    private var all: [ObjectIdentifier: SyncExchange] = [:]
    /// Those that have received something in this turn of the loop.
    fileprivate var waiting: [ObjectIdentifier: SyncExchange] = [:]
    /// The last row of which all connections were told.
    private var position = Position.start

    init(_ journal: SQLiteJournal, _ loop: any EventLoop) {
        self.journal = journal
        timer = DeadlineTimer(loop)
        timer.onTime = { [unowned self] in
            for exchange in Array(all.values) { exchange.advance() }
            return all.values.map(\.deadline).min()
        }
    }

    var count: Int { all.count }

    func add(_ exchange: SyncExchange) {
        if all.isEmpty { position = (try? journal.lastPosition()) ?? position }
        all[ObjectIdentifier(exchange)] = exchange
        timer.expect(exchange.deadline)
    }

    func remove(_ exchange: SyncExchange) {
        all[ObjectIdentifier(exchange)] = nil
        if all.isEmpty { timer.cancel() }
    }

    /// Commits what has come in this turn of the loop. Returns whether anything has.
    func commit() -> Bool {
        let exchanges = waiting.values
        waiting = [:]
        for exchange in exchanges { exchange.commit() }
        return !exchanges.isEmpty
    }

    /// Tells every connection of rows that the journal has got since the last call, whichever program has written them.
    func push() {
        guard !all.isEmpty, let last = try? journal.lastPosition(), last != position else { return }
        position = last
        for exchange in Array(all.values) { exchange.journalChanged() }
    }
}
