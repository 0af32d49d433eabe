import CounterStore
import Linux
import NIOCore
import NIOHTTP1
import Transfer

/// The commit turn: the lines that all senders have sent, and what follows from every commit.
extension HubServer {
    /// How long lines wait for a journal that cannot be written, before their senders are told that they are not stored.
    private static let patience = Duration.seconds(5)
    /// The maximum number of lines in one transaction; those of others wait as long as it takes.
    private static let maxLines = 1_024
    /// The next commit is made while the log takes the one before; what comes meanwhile is one more.
    private static let mostUnconfirmedCommits = 2

    func add(_ sender: any LineSender) {
        if log != nil { sender.producer.confirmed = 0 }
        senders[ObjectIdentifier(sender)] = sender
    }

    func remove(_ sender: any LineSender) {
        guard senders.removeValue(forKey: ObjectIdentifier(sender)) != nil else { return }
        session.leave(sender.producer)
        notePresence()
    }

    /// Lines have come, or rows of a door: they are committed with all others of this turn of the loop, without a wake-up.
    func linesWait() {
        if isCommitScheduled { return }
        isCommitScheduled = true
        loop.assumeIsolated().execute { [self] in
            isCommitScheduled = false
            commit()
        }
    }

    private func commit() {
        if syncs.commit() { session.rowsWereTakenOver() }
        if !session.isStuck {
            let ready = senders.values.filter(\.producer.isReady)
            let most = max(1, Self.maxLines / max(1, ready.count))
            for sender in ready {
                let before = sender.producer.queued
                session.take(from: sender.producer, atMost: min(most, sender.share.available))
                sender.share.take(sender.producer.queued - before)
            }
        }
        storeLines()
        committed()
    }

    func storeLines() {
        guard session.isStuck, log?.isReady ?? true, unconfirmedCommits < Self.mostUnconfirmedCommits else {
            return
        }
        session.commit()
        guard !session.isStuck, let log else { return }
        let answered = senders.values.filter(\.producer.hasAnswers).map { ($0, $0.producer.answered) }
        unconfirmedCommits += 1
        log.whenStored { [self] in
            unconfirmedCommits -= 1
            for (sender, count) in answered { sender.producer.confirmed = count }
            linesWait()
        } orElse: { [self] in
            for (sender, count) in answered
            where sender.producer.confirmed < count && senders[ObjectIdentifier(sender)] != nil {
                sender.unconfirmed()
            }
        }
    }

    /// Calls back once what the journal holds now may be acknowledged; before that, where the log takes too long.
    func whenStored(_ body: @escaping () -> Void, orElse giveUp: @escaping () -> Void = {}) {
        if let log { log.whenStored(body, orElse: giveUp) } else { body() }
    }

    /// The log can be reached again, or no longer.
    func logChanged() {
        if log?.isReady ?? true, session.isStuck { linesWait() } else { committed() }
    }

    /// Refuses what would have to be acknowledged while the log is away.
    func requireLog() throws(Problem) {
        guard let log, !log.isReady else { return }
        throw .busy(
            .serviceUnavailable, why: "PostgreSQL is away: \(logProblem)", remedy: "Send it again later.")
    }

    private var logProblem: String { log?.problem ?? "it does not answer" }

    var storageProblem: String {
        if let error = session.error { return "\(error.reason)" }
        return log == nil ? "the journal could not be written" : logProblem
    }

    /// What is told where the log has not confirmed in time what the journal has: all that was sent, or up to a `line`.
    func unconfirmed(through line: Int? = nil) -> Problem {
        let part = line.map { " up to line \($0)" } ?? ""
        let rest = line == nil ? "" : " Send again what comes after that."
        return Problem(
            .serviceUnavailable, "what was sent is stored here\(part), and not yet in PostgreSQL",
            why: logProblem, remedy: "It counts. Send again only what has a sequenceNumber.\(rest)")
    }

    /// Answers what was committed, gives up what cannot be, and sends what the journal has got.
    func committed() {
        log?.push()
        if session.error == nil, log?.isReady ?? true {
            failingSince = nil
        } else if session.isStuck {
            giveUpAfterPatience()
        }
        for sender in Array(senders.values) { sender.answered() }
        live.push()
        syncs.push()
        broker?.countsMayHaveChanged()
        notePresence()
        let ready = senders.values.filter(\.producer.isReady)
        if ready.isEmpty || session.isStuck { return }
        if ready.contains(where: \.share.isAny) { return linesWait() }
        shareTimer?.cancel()
        shareTimer = loop.later(ready.map(\.share.pause).min() ?? .zero) { [self] in linesWait() }
    }

    /// Rows that are no lines of a sender are in the journal.
    func rowsWereAppended() {
        session.rowsWereTakenOver()
        committed()
    }

    private func giveUpAfterPatience() {
        let since = failingSince ?? .now
        failingSince = since
        let left = Self.patience - (.now - since)
        if left <= .zero {
            metrics.abandonedLines += senders.values.reduce(0) { $0 + $1.producer.queued }
            session.abandon()
        } else if session.error == nil, patienceTimer == nil {
            // The session tries again by itself, not so what waits for the log.
            patienceTimer = loop.later(left) { [self] in
                patienceTimer = nil
                committed()
            }
        }
    }

    private func notePresence() {
        session.notePresence()
        armJournalTimers()
    }
}
