public import CounterModel
import Glibc
public import System

/// What tells that another program has changed the journal.
public protocol JournalWatch: AnyObject {
    /// The descriptor that becomes readable when anybody has written to it.
    var number: CInt { get }
    /// When to look again though nothing was told; `nil` at rest.
    var deadline: MonotonicTime? { get }
    /// Whether another program has committed since the last look.
    func hasChanged(at now: MonotonicTime) -> Bool
}

/// Takes lines into the journal: all that wait in one transaction, each answered once that is committed.
public final class IngestSession<Repository: DeviceRepository> {
    /// How long to wait before the next try: longer each time.
    private static var firstPause: Duration { .milliseconds(50) }
    private static var longestPause: Duration { .seconds(5) }

    /// A line that was taken, in the order of the requests that are queued, or refused at once.
    private struct Taken {
        let producer: Producer
        let line: Int
        /// What to answer without asking the journal; `nil` for a request.
        let refusal: String?
        /// The device that has spoken, and the location that it counts into.
        let speaker: (device: String, location: String)?
    }

    private let journal: Repository
    private let service: CounterService<Repository>
    private let ingestion: DeviceIngestionService<Repository>
    private let watch: any JournalWatch
    private let rules: RowRules
    private let now: () -> Timestamp
    private var presence = DevicePresence()
    private var taken: [Taken] = []
    private var pause: Duration
    private var retryAt: MonotonicTime?
    /// Why the last commit failed; `nil` once one has gone through.
    private var storageError: Repository.Failure?
    /// How many lines were refused.
    public private(set) var refused = 0

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - journal: Where the lines go. It should wait for other programs 0.1 s at most, so that signals are looked after.
    ///   - location: The id of the location that counts what nobody has assigned.
    ///   - watch: What tells of other programs' changes.
    ///   - rules: What a row has to be like.
    ///   - now: Our clock.
    /// - Throws: The journal's error.
    public init(
        _ journal: Repository, location: String, watch: any JournalWatch, rules: RowRules,
        now: @escaping () -> Timestamp
    ) throws(Repository.Failure) {
        self.journal = journal
        self.watch = watch
        self.rules = rules
        self.now = now
        pause = Self.firstPause
        service = CounterService(repository: journal)
        ingestion = DeviceIngestionService(service, location: location)
        ingestion.update(devices: try journal.devices(of: nil))
    }

    /// Becomes readable when anybody has written to the journal.
    var journalDescriptor: CInt { watch.number }
    /// When to call `advance` though nothing is readable.
    var deadline: MonotonicTime? { [watch.deadline, retryAt].compactMap(\.self).min() }
    /// Whether lines wait that could not be stored: no more are taken meanwhile.
    var isStuck: Bool { !taken.isEmpty }

    /// Looks whether devices were named, assigned or disabled by another program, and tries again what failed.
    func advance(at now: MonotonicTime) {
        if watch.hasChanged(at: now), let devices = try? journal.devices(of: nil) {
            ingestion.update(devices: devices)
        }
        if let retryAt, now >= retryAt { commit() }
    }

    /// Queues the lines of a producer that may be taken now.
    func take(from producer: Producer) {
        producer.take { number, line in
            producer.queued += 1
            taken.append(self.taken(number, line, from: producer))
        }
    }

    private func taken(_ number: Int, _ line: LineSplitter.Line, from producer: Producer) -> Taken {
        var speaker: (String, String)?
        var refusal: String?
        do throws(LineError) { speaker = try queue(line) } catch { refusal = error.why }
        return Taken(producer: producer, line: number, refusal: refusal, speaker: speaker)
    }

    /// Queues what a line asks.
    ///
    /// - Returns: the device that speaks in it. A row of another journal is nobody's word here.
    private func queue(_ line: LineSplitter.Line) throws(LineError) -> (String, String)? {
        guard case .bytes(let bytes) = line else {
            throw LineError(why: "is longer than \(LineSplitter.longest) bytes")
        }
        let fields = try LineFields(json: bytes)
        if fields.isRow {
            ingestion.receive(try fields.row(rules))
            return nil
        }
        let event = try fields.event(rules)
        guard ingestion.receive(event) else {
            throw LineError(why: "the device '\(event.deviceId)' is disabled")
        }
        return (event.deviceId, event.locationId ?? ingestion.location(of: event.deviceId))
    }
}

// MARK: - Storing

extension IngestSession {
    /// Stores what is queued and answers it. Where that fails it keeps waiting, and is tried again.
    func commit() {
        retryAt = nil
        guard !taken.isEmpty else { return }
        do throws(Repository.Failure) {
            answer(try service.commit(receivedAt: now()))
            pause = Self.firstPause
            storageError = nil
        } catch {
            if !error.isBusy, error != storageError {
                Output.complain(Failure("\(error)", remedy: error.remedy, status: EX_IOERR))
            }
            storageError = error
            retryAt = .now + pause
            pause = min(pause + pause, Self.longestPause)
        }
    }

    private func answer(_ receipts: [Receipt]) {
        var next = receipts.makeIterator()
        lazy var locations = (try? journal.locations()) ?? []
        for line in taken {
            let result: IngestAnswer.Result
            if let refusal = line.refusal {
                result = .refused(why: refusal)
            } else if let receipt = next.next() {
                result = IngestAnswer.Result(receipt, locations)
            } else {
                preconditionFailure("each request has its receipt")
            }
            if case .refused = result { refused += 1 } else { noteSpeaker(of: line) }
            line.producer.queued -= 1
            line.producer.add(IngestAnswer(line: line.line, result: result))
        }
        taken.removeAll(keepingCapacity: true)
    }

    private func noteSpeaker(of line: Taken) {
        guard let (device, location) = line.speaker, line.producer.speaks(for: device) else { return }
        presence.connect(device, location)
    }

    /// Notes that a producer is gone.
    func leave(_ producer: Producer) {
        for device in producer.devices { presence.disconnect(device) }
    }

    /// Tells the journal which devices came and went since it was told last. Where it is held they are told with what
    /// happens next.
    func notePresence() {
        if isStuck { return }
        guard let change = presence.change else { return presence.isTold() }
        do {
            try journal.note(came: change.came, went: change.went, at: now())
            presence.isTold()
        } catch { return }
    }

    /// Stores what still waits, as long as another program holds the journal for some seconds at most.
    ///
    /// - Throws: `Failure` (74) where something could not be stored.
    func finish() throws(Failure) {
        let end = MonotonicTime.now + Self.longestPause
        while !taken.isEmpty {
            commit()
            guard storageError?.isBusy == true, MonotonicTime.now < end else { break }
        }
        guard !taken.isEmpty, let storageError else { return notePresence() }
        throw Failure(
            "\(taken.count) lines are not stored: \(storageError)", remedy: storageError.remedy,
            status: EX_IOERR)
    }
}
