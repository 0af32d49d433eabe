import CounterModel
import CounterStore
import Descriptors
import Glibc

/// Takes lines into the journal: all that wait in one transaction, each answered once that is committed.
final class IngestSession {
    /// How long a commit may wait for another program before this one looks after its signals again.
    private static let busyTimeout = 0.1
    /// How long to wait before the next try: longer each time.
    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(5)

    /// A line that was taken, in the order of the requests that are queued, or refused at once.
    private struct Taken {
        let producer: Producer
        let line: Int
        /// What to answer without asking the journal; `nil` for a request.
        let refusal: String?
        /// The device that has spoken, and the location that it counts into.
        let speaker: (device: String, location: String)?
    }

    private let journal: SQLiteJournal
    private let service: CounterService<SQLiteJournal>
    private let ingestion: DeviceIngestionService<SQLiteJournal>
    private let follower: JournalFollower
    private var presence: DevicePresence
    private var taken: [Taken] = []
    private var pause = firstPause
    private var retryAt: MonotonicTime?
    /// Why the last commit failed; `nil` once one has gone through.
    private var storageError: JournalError?
    /// How many lines were refused.
    private(set) var refused = 0

    /// Opens the journal.
    ///
    /// - Throws: `Failure`, 77 for a viewer.
    init(_ settings: Settings) throws(Failure) {
        do {
            journal = try SQLiteJournal.opened(settings, busyTimeout: Self.busyTimeout)
            guard journal.role == .admin else { throw JournalError(path: journal.path, reason: .viewerOnly) }
            service = CounterService(repository: journal)
            ingestion = DeviceIngestionService(
                service, location: try Location.named(settings.location, in: journal).id)
            ingestion.update(devices: try journal.devices())
            follower = try JournalFollower(journal, directory: settings.dataDirectory)
            presence = DevicePresence()
        } catch { throw Failure(error) }
    }

    /// Becomes readable when anybody has written to the journal.
    var journalDescriptor: CInt { follower.number }
    /// When to call `advance` though nothing is readable.
    var deadline: MonotonicTime? { [follower.deadline, retryAt].compactMap(\.self).min() }
    /// Whether lines wait that could not be stored: no more are taken meanwhile.
    var isStuck: Bool { !taken.isEmpty }

    /// Looks whether devices were named, assigned or disabled by another program, and tries again what failed.
    func advance(at now: MonotonicTime) {
        if follower.hasChanged(at: now), let devices = try? journal.devices() {
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
        do throws(LineMembers.Unusable) { speaker = try queue(line) } catch { refusal = error.why }
        return Taken(producer: producer, line: number, refusal: refusal, speaker: speaker)
    }

    /// Queues what a line asks.
    ///
    /// - Returns: the device that speaks in it. A row of another journal is nobody's word here.
    private func queue(_ line: LineSplitter.Line) throws(LineMembers.Unusable) -> (String, String)? {
        guard case .bytes(let bytes) = line else {
            throw .init(why: "is longer than \(LineSplitter.longest) bytes")
        }
        let members = try LineMembers(bytes)
        if members.isRow {
            ingestion.receive(try members.row())
            return nil
        }
        let event = try members.event()
        guard ingestion.receive(event) else { throw .init(why: "the device '\(event.deviceId)' is disabled") }
        return (event.deviceId, event.locationId ?? ingestion.location(of: event.deviceId))
    }
}

// MARK: - Storing

extension IngestSession {
    /// Stores what is queued and answers it. Where that fails it keeps waiting, and is tried again.
    func commit() {
        retryAt = nil
        guard !taken.isEmpty else { return }
        do throws(JournalError) {
            answer(try service.commit(receivedAt: WallClock().now))
            pause = Self.firstPause
            storageError = nil
        } catch {
            if error.reason != .busy, error != storageError { Output.complain(Failure(error)) }
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
            try journal.note(came: change.came, went: change.went, at: WallClock().now)
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
            guard storageError?.reason == .busy, MonotonicTime.now < end else { break }
        }
        guard !taken.isEmpty, let storageError else { return notePresence() }
        throw Failure(
            "\(taken.count) lines are not stored: \(storageError)", remedy: storageError.reason.remedy,
            status: EX_IOERR)
    }
}
