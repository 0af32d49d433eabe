import Glibc
public import System

/// The loop of `counter ingest`: signals, changes of the journal by other programs, producers, and new connections.
///
/// At rest it sleeps in `poll(2)`. No producer delays another one.
public final class IngestLoop {
    /// The maximum number of connections. Further clients wait in the socket's queue.
    private static let maxProducers = 128
    /// The timeout for a reader of answers that accepts nothing while the program ends.
    private static let timeout = Duration.seconds(1)

    private let session: IngestSession
    private let signals: SignalDescriptor
    private let listener: StreamListener?
    private var producers: [Producer]
    private var isDone = false
    /// Whether no descriptor was left for a connection. No connection is accepted until one is closed.
    private var isFull = false
    private let clock: WallClockTimer
    private var polled = PollSet()

    /// Reads standard input or, with a listener, the connections to its socket.
    public init(
        _ session: IngestSession, listener: StreamListener?, signals: SignalDescriptor
    ) throws(SystemCallError) {
        clock = try WallClockTimer()
        self.session = session
        self.listener = listener
        self.signals = signals
        producers = listener == nil ? [Producer()] : []
    }

    /// Runs until a signal arrives, or until standard input has ended and all its lines are answered.
    ///
    /// - Throws: `Failure`: 74 where lines could not be stored, or where the reader of standard output has ended.
    public func run() throws {
        let result = Result { while !isDone { try turn() } }
        producers.forEach(session.leave)
        try session.finish()
        try result.get()
        try finishAnswers()
    }

    private func turn() throws {
        let indices = watch()
        polled.add(clock.number)
        try clock.arm(session.wallDeadline?.microseconds)
        try polled.wait(
            until: producers.contains(where: \.isReady) && !session.isStuck ? .now : session.deadline)
        if !polled.result(at: indices.signal).isEmpty { handleSignals() }
        if isDone { return }
        if clock.take() == .clockSet { session.clockWasSet() }
        session.advance(at: .now)
        for producer in producers { try producer.handle(polled) }
        if let index = indices.listener, !polled.result(at: index).isEmpty { try accept() }
        if !session.isStuck {
            producers.forEach(session.take)
            session.commit()
        }
        for producer in producers where producer.hasAnswers { try producer.write() }
        dismissThoseDone()
        session.notePresence()
    }

    private func watch() -> (signal: Int, listener: Int?) {
        polled.removeAll()
        let signal = polled.add(signals.number)
        polled.add(session.journalDescriptor)
        let isOpen = producers.count < Self.maxProducers && !isFull
        let index = isOpen ? listener.map { polled.add($0.number) } : nil
        for producer in producers { producer.watch(&polled, isReading: !session.isStuck) }
        return (signal, index)
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

    private func accept() throws {
        guard let listener else { return }
        do throws(SystemCallError) {
            while producers.count < Self.maxProducers, let connection = try listener.accept() {
                producers.append(Producer(connection))
            }
        } catch {
            guard !producers.isEmpty else { throw error }
            isFull = true
        }
    }

    private func dismissThoseDone() {
        let done = producers.filter(\.isDone)
        if done.isEmpty { return }
        done.forEach(session.leave)
        producers.removeAll(where: \.isDone)
        isFull = false
        if listener == nil { isDone = true }
    }

    /// Writes the remaining answers, as long as their readers accept them.
    private func finishAnswers() throws {
        for producer in producers {
            while producer.hasAnswers {
                var polled = PollSet()
                polled.add(producer.output, CInt(POLLOUT))
                try polled.wait(until: .now + (listener == nil ? Self.timeout : .zero))
                if polled.result(at: 0).isEmpty { break }
                try producer.write()
            }
        }
    }
}
