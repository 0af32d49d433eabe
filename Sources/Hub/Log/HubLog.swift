import CounterModel
import CounterStore
import Glibc
import Linux
import NIOCore
import Transfer

/// The journal of this hub and the log in PostgreSQL: what is appended here goes there, and then is acknowledged; what other hubs put there comes here.
///
/// What is acknowledged is in both. Where the two differ after a disk or a server was put back, each gives the other what it lacks.
final class HubLog {
    /// How many rows go into the log, or come from it, at once.
    private static let page = 2_048
    /// From one look at a journal that is locked to the next.
    private static let retryPause = Duration.milliseconds(200)
    /// How long the database may take to answer, before nothing more is taken.
    private static let patience = Duration.seconds(5)
    /// How long an answer waits for it.
    private static let longestWait = Duration.seconds(15)

    private unowned let server: HubServer
    private let target: LogTarget
    private let loop: any EventLoop
    private var thread: LogThread?
    private var places: LogPlaces
    private var journal: SQLiteJournal { server.journal }

    /// The id under which this hub writes.
    private var hub = ""
    /// The position up to which the log has the rows of the journal, as it says.
    private var confirmed = Int64(0)
    /// The same, with rows that have come from there.
    private var through = Int64(0)
    /// Rows that have come from the log, by their positions here.
    private var taken: Set<Int64> = []
    private(set) var isConnected = false
    /// Why the log cannot be reached; nil where it is, or was not tried yet.
    private(set) var problem: String?
    private var isAppending = false
    /// The hubs whose rows are still to be read, and the one that is.
    private var toRead: Set<String> = []
    private var isReading = false
    /// Whether rows of this hub are still to be read: an earlier copy of the journal was put back.
    private var isNewHere: Bool { toRead.contains(hub) }
    private var backoff = Backoff(from: .milliseconds(200), to: .seconds(5))
    /// What waits for rows to be in the log: what is done then, and what at its end, where that comes before; nil for one that has passed.
    private var waiting: [(through: Int64, end: MonotonicTime?, body: () -> Void, giveUp: () -> Void)] = []
    var waitingAnswers: Int { waiting.count }
    private let giveUpTimer: DeadlineTimer
    private var reconnection: Scheduled<Void>?
    /// Whether the database has not answered for a while. It may be frozen, or wait for a standby.
    private var isSlow = false
    /// Whether rows can be put there: otherwise nothing is taken that would have to be acknowledged.
    var isReady: Bool { isConnected && !isNewHere && !isSlow && !hasRefused }
    /// Whether it could not put the last rows there, though it was connected.
    private var hasRefused = false
    /// Rows that the log has not taken because it has others in their place.
    private(set) var conflicts = 0
    private(set) var rowsSent = 0
    private(set) var rowsTaken = 0

    init(_ target: LogTarget, _ server: HubServer, _ loop: any EventLoop) throws {
        (self.target, self.server, self.loop) = (target, server, loop)
        places = LogPlaces(directory: server.options.directory)
        giveUpTimer = DeadlineTimer(loop)
        giveUpTimer.onTime = { [unowned self] in giveUpLate() }
        thread = try LogThread(loop) { [unowned self] result in
            switch result {
            case .success(let hubs): notified(Set(hubs))
            case .failure(let error): lost(error)
            }
        }
    }

    /// Calls `body` once what the journal holds now is in the log, and `giveUp` before that where it takes too long.
    func whenStored(_ body: @escaping () -> Void, orElse giveUp: @escaping () -> Void) {
        guard let last = try? journal.lastPosition().number else {
            loop.later(Self.retryPause) { [self] in whenStored(body, orElse: giveUp) }
            return
        }
        if isConnected, last <= through { return body() }
        waiting.append((last, .now + Self.longestWait, body, giveUp))
        giveUpTimer.expect(.now + Self.longestWait)
        push()
    }

    /// What is late is still done once the rows are there.
    private func giveUpLate() -> MonotonicTime? {
        let now = MonotonicTime.now
        var late: [() -> Void] = []
        for index in waiting.indices {
            guard let end = waiting[index].end, end <= now else { continue }
            late.append(waiting[index].giveUp)
            waiting[index].end = nil
        }
        for giveUp in late { giveUp() }
        return waiting.compactMap(\.end).min()
    }

    /// Has the thread do something; the loop goes on with its result. A failure is the end of the connection.
    private func ask<Value: Sendable>(
        _ job: @escaping @Sendable (inout LogConnection?) throws -> Value, _ body: @escaping (Value) -> Void
    ) {
        let timer = loop.later(Self.patience) { [self] in
            isSlow = true
            problem = "it has not answered for \(Self.patience.components.seconds) s"
            tell("\(problem ?? ""); nothing is acknowledged meanwhile")
            server.logChanged()
        }
        thread?.run(job).assumeIsolated().whenComplete { [self] result in
            timer.cancel()
            let wasSlow = isSlow
            isSlow = false
            switch result {
            case .success(let value):
                if wasSlow, isConnected {
                    problem = nil
                    tell("it answers again")
                    server.logChanged()
                }
                body(value)
            case .failure(let error): lost(error)
            }
        }
    }

    /// Does something with the connection that there is.
    private func askConnection<Value: Sendable>(
        _ job: @escaping @Sendable (LogConnection) throws -> Value, _ body: @escaping (Value) -> Void
    ) {
        ask(
            { connection in
                guard let connection else { throw ProgramError(ofLog: "the connection has ended") }
                return try job(connection)
            }, body)
    }

    // MARK: The connection

    func connect() {
        let (name, last): (String, Int64)
        do {
            (hub, name, last) = (
                try journal.id(), try journal.nameOrHost(), try journal.lastPosition().number
            )
        } catch { return lost(error) }
        let (target, hub, place, places) = (target, hub, places.place, places.hubs)
        ask(
            { connection in
                let new = try LogConnection.connect(to: target, after: place)
                let known = try new.register(hub, name: name)
                let hubs = try new.hubs()
                var read: [String: String] = [:]
                for (other, number) in places where other != hub && number > 0 {
                    read[other] = try new.lastRow(of: other, upTo: number)?.text
                }
                let opening = Opening(
                    known: known, last: last, own: try new.lastRow(of: hub, upTo: min(known, last)),
                    read: read, place: new.place, hubs: hubs, warning: new.warning)
                connection = new
                return opening
            }, opened)
    }

    private struct Opening: Sendable {
        /// The position up to which the log has the rows of the journal, and the last one that the journal had before.
        let known, last: Int64
        /// The last row of this hub in the log that the journal should have too.
        let own: (number: Int64, text: String)?
        /// The last rows of other hubs that were read.
        let read: [String: String]
        let place: LogPlace
        let hubs: [(journal: String, number: Int64)]
        let warning: String?
    }

    private func opened(_ opening: Opening) {
        do {
            if let own = opening.own { try requireSame(own) }
            if let notice = places.open(opening.place, hub, known: opening.known) { tell(notice) }
            for (other, text) in opening.read where try !isHere(text) { places.hubs[other] = 0 }
            places.save()
            (confirmed, through, taken) = (opening.known, min(opening.known, opening.last), [])
            // Where an earlier copy of the journal was put back, its own rows come first.
            let isEarlier = opening.known > opening.last
            if isEarlier { places.hubs[hub] = opening.last }
            toRead = Set(
                opening.hubs.filter {
                    ($0.journal != hub || isEarlier) && $0.number > places.hubs[$0.journal] ?? 0
                }
                .map(\.journal))
        } catch { return lost(error) }
        isConnected = true
        if !hasRefused { works() }
        opening.warning.map(tell)
        if isNewHere { tell("the log has rows of this journal that it has lost: they come back") }
        read()
        push()
        server.logChanged()
    }

    private func works() {
        if problem != nil || rowsSent == 0 { tell("connected") }
        (problem, hasRefused) = (nil, false)
        backoff.reset()
    }

    /// Where the log has another row than the journal, both have gone on from the same state.
    private func requireSame(_ own: (number: Int64, text: String)) throws {
        let row = try JournalRow(ofAnyVersion: Array(own.text.utf8)[...])
        let here = try journal.feed(after: Position(own.number - 1), limit: 1).first?.row
        if here?.origin?.identity == row.origin?.identity, here?.receivedAt == row.receivedAt { return }
        throw ProgramError(
            ofLog:
                "row \(own.number) of this journal is another one in the log: an earlier copy was put back and counted on, or another hub writes "
                + "from a copy",
            remedy: "Stop the hub, then: \(server.options.command("log", "fork", target.address))")
    }

    private func isHere(_ text: String) throws -> Bool {
        guard let row = try? JournalRow(ofAnyVersion: Array(text.utf8)[...]) else { return false }
        return try row.origin?.identity.map { try journal.holds($0) } ?? false
    }

    /// There is no connection; it is tried again. What does not pass by itself ends a hub that starts.
    private func lost(_ error: any Error) {
        if reconnection != nil { return }
        let isFirst = !isConnected && problem == nil
        var why = ProgramError(hub: error).message
        if let failure = error as? ProgramError, failure.status == EX_CONFIG {
            if isFirst { return server.fail(failure.ofDatabase(target)) }
            why += failure.remedy.map { " (\($0))" } ?? ""
        }
        if problem != why { tell("\(why). It is tried again; nothing is acknowledged meanwhile") }
        problem = why
        reconnect()
        server.logChanged()
    }

    private func reconnect() {
        if reconnection != nil { return }
        hasRefused = hasRefused || isAppending
        (isConnected, isAppending, isReading) = (false, false, false)
        places.save()
        reconnection = loop.later(backoff.next()) { [self] in
            reconnection = nil
            connect()
        }
    }

    func stop() { places.save() }

    private func tell(_ words: String) {
        Output.tell("\(target.place): \(words)")
    }

    // MARK: Rows out

    /// Puts into the log what it lacks, as one transaction after the other.
    func push() {
        guard isConnected, !isAppending, !isNewHere else { return }
        do {
            var batch = LogConnection.Batch(known: confirmed, through: through)
            let rows = try journal.feed(after: Position(through), limit: Self.page)
            guard let last = rows.last?.row.id.number else {
                if hasRefused { proven() }
                return release()
            }
            batch.through = last
            for row in rows where taken.remove(row.row.id.number) == nil {
                batch.numbers.append(row.row.id.number)
                batch.rows.append(row.row.textInLog)
            }
            // The journal may write under a new id from here on.
            if try journal.id() != hub { return reconnect() }
            if batch.rows.isEmpty {
                through = last
                return push()
            }
            append(batch)
        } catch { lost(error) }
    }

    private func append(_ batch: LogConnection.Batch) {
        isAppending = true
        let hub = hub
        askConnection({ try $0.append(batch, of: hub) }) { [self] others in appended(batch, others) }
    }

    private func appended(_ batch: LogConnection.Batch, _ others: [RowIdentity]) {
        isAppending = false
        if hasRefused { proven() }
        (confirmed, through) = (batch.through, batch.through)
        rowsSent += batch.rows.count - others.count
        conflicts += others.count
        for row in others.prefix(1) {
            tell(
                "it has another row \(row.position.number) of the journal \(row.journalId): an earlier copy of that journal was put back and "
                    + "counted on. \(others.count) rows stay in this journal alone")
        }
        let hub = hub
        askConnection({ try $0.notify(of: hub) }) {}
        release()
        push()
    }

    /// Rows can be put there again.
    private func proven() {
        works()
        server.logChanged()
    }

    /// Acknowledges what is in the log.
    private func release() {
        places.hubs[hub] = confirmed
        if waiting.isEmpty { return }
        let ready = waiting.filter { $0.through <= through }
        waiting.removeAll { $0.through <= through }
        if waiting.isEmpty { giveUpTimer.cancel() }
        for one in ready { one.body() }
    }

    // MARK: Rows in

    private func notified(_ hubs: Set<String>) {
        toRead.formUnion(hubs.subtracting([hub]))
        read()
    }

    private func read() {
        guard isConnected, !isReading else { return }
        guard let next = toRead.contains(hub) ? hub : toRead.min() else { return }
        isReading = true
        let (number, limit) = (places.hubs[next] ?? 0, Self.page)
        askConnection({ try $0.rows(of: next, after: number, limit: limit) }) { [self] rows in
            take(rows, of: next)
        }
    }

    /// Takes over rows of another hub. A journal that is locked takes them later.
    private func take(_ rows: [(number: Int64, text: String)], of other: String) {
        isReading = false
        do {
            let positions = try journal.takeOver(ofLog: rows.map(\.text), at: HubServer.now, tell)
            rowsTaken += positions.count
            taken.formUnion(positions)
        } catch let error as JournalError where error.reason == .busy {
            loop.later(Self.retryPause) { [self] in read() }
            return
        } catch { return lost(error) }
        if let last = rows.last { places.hubs[other] = last.number }
        if rows.count < Self.page {
            toRead.remove(other)
            // Lines have waited for that.
            if other == hub { server.logChanged() }
        }
        if let new = journal.takeNewId() {
            tell(new.text)
            return reconnect()
        }
        if !rows.isEmpty {
            server.rowsWereAppended()
            places.save()
        }
        read()
        push()
    }
}

// MARK: - Rows as the log has them

extension JournalRow {
    /// As the journal that wrote it first has it, whichever it has come through.
    var textInLog: String {
        guard let identity = origin?.identity else { return "" }
        var row = self
        (row.id, row.origin) = (identity.position, nil)
        return row.line(ofJournal: identity.journalId).text
    }
}

extension SQLiteJournal {
    /// Appends rows of the log, and shares what others share, so that doors find the same at each hub.
    /// Returns the positions of those that were not there.
    func takeOver(ofLog texts: [String], at now: Timestamp, _ tell: (String) -> Void) throws -> [Int64] {
        let rows = texts.compactMap { text -> JournalRow? in
            do throws(LineError) { return try JournalRow(ofAnyVersion: Array(text.utf8)[...]) } catch {
                tell("a row of the log is left out: \(error.why): \(text.prefix(120).description.sanitised)")
                return nil
            }
        }
        let answers = try append(rows.map { CounterModel.Request($0) }, receivedAt: now)
        var positions: [Int64] = []
        var refused: [(row: RowIdentity?, why: String)] = []
        for (row, answer) in zip(rows, answers) {
            switch answer.outcome {
            case .accepted(let position), .acceptedInNewEpoch(let position, _):
                positions.append(position.number)
            case .refused(let why): refused.append((row.origin?.identity, why.reason()))
            default: break
            }
        }
        if let first = refused.first {
            tell(
                "\(refused.count) rows of the log are not taken, the first of them row \(first.row?.position.number ?? 0) of the journal "
                    + "\(first.row?.journalId ?? ""): \(first.why)")
        }
        for row in rows {
            guard case .sharing(let sharing) = row.content, sharing.isShared, let id = row.locationId,
                let location = try location(named: id.text)
            else { continue }
            _ = try shareUnlessDecided(location, at: now)
        }
        return positions
    }
}
