import Glibc
package import Linux

/// The loop of `counter ingest`: signals, changes of the journal by other programs, producers, and new connections.
///
/// At rest it sleeps in `poll(2)`. No producer delays another one.
package final class IngestLoop {
    /// The maximum number of connections. For a further one, another is closed (`ConnectionStanding`).
    private static let maxProducers = 128
    private static let maxAccepted = 16
    /// The maximum number of lines in one transaction, shared by the producers: it keeps other programs out for as long as it takes.
    private static let maxLines = 2_000
    /// The timeout for a reader of answers that accepts nothing while the program ends.
    private static let timeout = Duration.seconds(1)

    private let session: IngestSession
    private let signals: SignalDescriptor
    private let listener: StreamListener?
    private var producers: [DescriptorProducer]
    private var isDone = false
    private var pause = AcceptPause()
    private var hasToldOfLimit = false
    private let clock: WallClockTimer
    private var polled = PollSet()

    /// Reads standard input or, with a listener, the connections to its socket.
    package init(
        _ session: IngestSession, listener: StreamListener?, signals: SignalDescriptor
    ) throws(SystemCallError) {
        clock = try WallClockTimer()
        (self.session, self.listener, self.signals) = (session, listener, signals)
        producers = listener == nil ? [DescriptorProducer(SenderTerms())] : []
    }

    /// Runs until a signal arrives, or until standard input has ended and all its lines are answered.
    /// Throws `ProgramError`: 74 where lines could not be stored, or where the reader of standard output has ended.
    package func run() throws {
        let result = Result { while !isDone { try turn() } }
        producers.forEach(session.leave)
        try session.finish()
        try result.get()
        try finishAnswers()
    }

    private func turn() throws {
        watch()
        try clock.arm(session.wallDeadline?.microseconds)
        try polled.wait(
            until: producers.contains(where: \.isReady) && !session.isStuck
                ? .now : [session.deadline, pause.end].compactMap(\.self).min())
        if polled.isReady(signals.number) { handleSignals() }
        if isDone { return }
        if clock.take() == .clockSet { session.clockWasSet() }
        session.advance(at: .now)
        for producer in producers { try producer.handle(polled) }
        if let listener, polled.isReady(listener.number) { accept(from: listener) }
        if !session.isStuck {
            let share = max(1, Self.maxLines / max(1, producers.count(where: \.isReady)))
            for producer in producers { session.take(from: producer, atMost: share) }
            session.commit()
        }
        for producer in producers where producer.hasAnswers { try producer.write() }
        dismissThoseDone()
        session.notePresence()
    }

    private func watch() {
        polled.removeAll()
        polled.add(signals.number)
        polled.add(session.journalDescriptor)
        polled.add(clock.number)
        // A connection whose lines wait for their answers is not closed for another one.
        let isOpen = (producers.count < Self.maxProducers || !session.isStuck) && pause.isOver(at: .now)
        if let listener, isOpen { polled.add(listener.number) }
        for producer in producers { producer.watch(&polled, isReading: !session.isStuck) }
    }

    private func handleSignals() {
        while let signal = signals.next() {
            switch signal {
            case SIGTERM, SIGINT, SIGHUP, SIGQUIT: isDone = true
            case SIGTSTP: SignalDescriptor.stopProcess()
            default: break
            }
        }
    }

    private func accept(from listener: StreamListener) {
        do throws(SystemCallError) {
            for _ in 0..<Self.maxAccepted {
                guard let connection = try listener.accept() else { return }
                producers.append(DescriptorProducer(connection))
                makeRoom()
            }
        } catch { pause.begin(at: .now) }
    }

    private func makeRoom() {
        guard producers.count > Self.maxProducers,
            let index = ConnectionStanding.indexToClose(producers.map(\.standing))
        else { return }
        session.leave(producers.remove(at: index))
        if !hasToldOfLimit {
            Output.complain(
                ProgramError(
                    "more than \(Self.maxProducers) connections: for each new one, another is closed",
                    remedy: "A program closes a connection that it does not use.", status: EX_TEMPFAIL))
        }
        hasToldOfLimit = true
    }

    private func dismissThoseDone() {
        let done = producers.filter(\.isDone)
        if done.isEmpty { return }
        done.forEach(session.leave)
        producers.removeAll(where: \.isDone)
        pause.cancel()
        if listener == nil { isDone = true }
    }

    /// Writes the remaining answers, as long as their readers accept them.
    private func finishAnswers() throws {
        for producer in producers {
            while producer.hasAnswers {
                let deadline = MonotonicTime.now + (listener == nil ? Self.timeout : .zero)
                if try PollSet.result(of: producer.output, CInt(POLLOUT), until: deadline).isEmpty { break }
                try producer.write()
            }
        }
    }
}
