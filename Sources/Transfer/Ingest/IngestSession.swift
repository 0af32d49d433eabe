public import CounterModel
import Glibc
public import System

/// Reports changes of the journal by other programs.
public protocol JournalWatch: AnyObject {
    /// A descriptor that becomes readable when any program has written to the journal.
    var number: CInt { get }
    /// When to call `hasChanged` even if the descriptor is not readable; `nil` at rest.
    var deadline: MonotonicTime? { get }
    /// Whether another program has committed since the last call.
    func hasChanged(at now: MonotonicTime) -> Bool
}

/// Appends lines to the journal: all queued lines in one transaction, each answered after the commit.
public final class IngestSession<Repository: DeviceRepository> {
    /// The pause before the first retry; each further one is longer.
    private static var firstPause: Duration { .milliseconds(50) }
    private static var longestPause: Duration { .seconds(5) }

    /// A line that was taken from a producer, in the order of the queue: queued as a request, or refused at once.
    private struct Taken {
        let producer: Producer
        let line: Int
        /// The reason of a line that was refused without a request; `nil` for a request.
        let refusal: String?
        /// The device that sent the line, and the location that it counts into.
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
    /// The error of the last commit; `nil` after a success.
    private var storageError: Repository.Failure?
    /// The number of refused lines.
    public private(set) var refused = 0

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - journal: The journal. Its timeout for other programs' locks should be 0.1 s at most, so that signals are
    ///     handled.
    ///   - location: The id of the location for devices that are not assigned to one.
    ///   - watch: Reports other programs' changes.
    ///   - rules: The checks for rows.
    ///   - now: The current time of our clock.
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

    /// Becomes readable when any program has written to the journal.
    var journalDescriptor: CInt { watch.number }
    /// When to call `advance` even if no descriptor is readable.
    var deadline: MonotonicTime? { [watch.deadline, retryAt].compactMap(\.self).min() }
    /// Whether lines are waiting because a commit failed. No further lines are taken meanwhile.
    var isStuck: Bool { !taken.isEmpty }

    /// Reloads devices that another program has renamed, assigned or disabled, and retries a failed commit.
    func advance(at now: MonotonicTime) {
        if watch.hasChanged(at: now), let devices = try? journal.devices(of: nil) {
            ingestion.update(devices: devices)
        }
        if let retryAt, now >= retryAt { commit() }
    }

    /// Queues the lines of a producer that can be taken now.
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

    /// Queues the request of a line.
    ///
    /// - returns: The device that sent it; nil for a row of another journal, which stands for no device connected here.
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
    /// Commits the queue and answers its lines. After a failure the queue is kept for a retry.
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

    /// Removes a producer whose connection has ended.
    func leave(_ producer: Producer) {
        for device in producer.devices { presence.disconnect(device) }
    }

    /// Stores which devices were connected and disconnected since the last call. While the journal is locked, the changes are
    /// kept for the next call.
    func notePresence() {
        if isStuck { return }
        guard let change = presence.change else { return presence.isTold() }
        do {
            try journal.note(came: change.came, went: change.went, at: now(), keysReadBy: nil)
            presence.isTold()
        } catch { return }
    }

    /// Commits the remaining lines. Retries for some seconds at most where another program has locked the journal.
    ///
    /// - Throws: `Failure` (74) where lines could not be stored.
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
