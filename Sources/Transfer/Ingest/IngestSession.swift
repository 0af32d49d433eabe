package import CounterModel
package import CounterStore
package import Linux

/// Appends lines to the journal: all queued lines in one transaction, each answered after the commit.
package final class IngestSession {
    /// A line that waits for its answer: queued as a request, or to be answered without one.
    private struct PendingLine {
        let producer: Producer
        let line: Int
        /// The answer to a line without a request; `nil` for a request.
        let answer: IngestAnswer?
        /// The device that sent the line, and the location that it counts into.
        let speaker: (device: Identifier, location: Identifier)?
        let note: String?
    }

    /// From one attempt to write to the journal beside the lines to the next.
    private static let pause = Duration.seconds(1)

    private let journal: SQLiteJournal
    private let writer: JournalWriter
    /// Where each device counts, and whether it does.
    package let ingestion: DeviceIngestionService
    private let follower: JournalFollower
    private let now: () -> Timestamp
    private var presence = DevicePresence()
    private var locations: [Location] = []
    /// The names of the hidden locations by id, into which nothing counts.
    private var hidden: [Identifier: String] = [:]
    private var nextDayEnd: NextDayEnd
    /// In the order of their requests.
    private var pending: [PendingLine] = []
    /// Whether other programs' changes are to be read.
    private var mustReload = false
    /// When to try again what the journal has refused beside the lines; `nil` where it has refused nothing.
    private var retryAt: MonotonicTime?
    /// Why it has.
    private var lastError: JournalError?
    /// How many lines have had each result, by its word.
    package private(set) var results: [String: Int] = [:]
    package var refused: Int { results["refused"] ?? 0 }

    /// The journal's timeout for other programs' locks should be 0.1 s at most, so that signals are handled. `location` is that of
    /// devices that are not assigned to one.
    package init(
        _ journal: SQLiteJournal, location: Identifier, follower: JournalFollower,
        now: @escaping () -> Timestamp
    ) throws(JournalError) {
        (self.journal, self.follower, self.now) = (journal, follower, now)
        nextDayEnd = NextDayEnd(of: [], now: now())
        writer = JournalWriter(journal, retries: .always)
        ingestion = DeviceIngestionService(writer, location: location)
        try reload()
    }

    private func reload() throws(JournalError) {
        ingestion.update(devices: try journal.devicesWithSettings())
        locations = try journal.locations()
        hidden = Dictionary(locations.filter(\.isHidden).map { ($0.id, $0.name) }) { $1 }
        nextDayEnd.follow(locations, now: now())
        mustReload = false
    }

    /// Becomes readable when any program has written to the journal.
    var journalDescriptor: CInt { follower.number }
    /// When to call `advance` even if no descriptor is readable.
    package var deadline: MonotonicTime? {
        let isDue = mustReload || !presence.isStored && !isStuck
        return [follower.deadline, writer.retryAt, nextDayEnd.retryAt, isDue ? retryAt ?? .now : nil]
            .compactMap(\.self).min()
    }
    /// The same by the wall clock, which goes on while the machine sleeps.
    package var wallDeadline: Timestamp? { nextDayEnd.time }
    /// Why the last commit failed; nil once one has gone through.
    package var error: JournalError? { writer.error }
    /// Whether lines are waiting because a commit failed. No further lines are taken meanwhile.
    package var isStuck: Bool { !pending.isEmpty }

    /// Ends days that are over, reloads devices and locations that another program has changed, and retries a failed commit.
    package func advance(at now: MonotonicTime) {
        endDueDays(at: now)
        let hasChanged = follower.hasChanged(at: now)
        if hasChanged { mustReload = true }
        if mustReload { attempt(isNew: hasChanged, reload) }
        if let retryAt = writer.retryAt, now >= retryAt { commit() }
    }

    /// Rows that did not come by this session are in the journal, and its devices and locations may be others.
    package func rowsWereTakenOver() { attempt(isNew: true, reload) }

    package func clockWasSet() {
        endDueDays(at: .now)
        nextDayEnd.follow(locations, now: now())
    }

    private func endDueDays(at moment: MonotonicTime) {
        do throws(JournalError) {
            _ = try nextDayEnd.end(in: journal, locations, now: now(), at: moment)
        } catch {
            Output.complain(error.failure)
        }
    }

    /// Does what the journal may refuse: what is new at once, the rest once the pause after a refusal is over. A reason is told once.
    private func attempt(isNew: Bool = false, _ body: () throws(JournalError) -> Void) {
        if !isNew, let retryAt, .now < retryAt { return }
        do throws(JournalError) {
            try body()
            (retryAt, lastError) = (nil, nil)
        } catch {
            retryAt = .now + Self.pause
            complain(error, after: lastError)
            lastError = error
        }
    }

    /// Queues the lines of a producer that can be taken now, `most` of them at most.
    package func take(from producer: Producer, atMost most: Int) {
        producer.take(most) { number, line in
            producer.queued += 1
            pending.append(receive(number, line, from: producer))
        }
    }

    private func receive(_ number: Int, _ line: LineSplitter.Line, from producer: Producer) -> PendingLine {
        var speaker: (Identifier, Identifier)?
        var answer: IngestAnswer?
        var note: String?
        do throws(LineError) {
            guard case .bytes(let bytes) = line else {
                throw LineError(why: "is longer than \(Producer.maxLine) bytes")
            }
            let fields = try LineFields(json: bytes)
            if fields.isNoRow { answer = IngestAnswer(result: .ignored) }
            speaker = try fields.isNoRow ? nil : queue(fields, producer.terms)
            if let speaker, fields[.locationId] == nil, producer.terms.location == nil {
                note = self.note(of: speaker.0, at: speaker.1)
            }
        } catch { answer = IngestAnswer(result: .refused, why: error.why) }
        return PendingLine(producer: producer, line: number, answer: answer, speaker: speaker, note: note)
    }

    /// That a device counts somewhere only because nobody said where, as one does whose id was mistyped; nil where there is one location.
    private func note(of device: Identifier, at id: Identifier) -> String? {
        let visible = locations.filter { !$0.isHidden }
        guard visible.count > 1, ingestion.assignedLocation(of: device) == nil else { return nil }
        return "the device is not assigned: it counts in '\(visible.first { $0.id == id }?.name ?? id.text)'"
    }

    /// Queues the request of a line.
    /// Returns the device that sent it; nil for a row of another journal, which stands for no device connected here.
    private func queue(_ line: LineFields, _ terms: SenderTerms) throws(LineError) -> (
        Identifier, Identifier
    )? {
        if line.isRow {
            guard terms.sendsRows else {
                throw LineError(why: "the sender may send events only, and no rows")
            }
            let row = try line.row()
            try terms.check(device: nil, location: row.locationId)
            writer.add(Request(row))
            return nil
        }
        var fields = line
        terms.complete(&fields)
        let isNow = terms.mayOmitTime && fields[.timestamp] == nil
        if isNow { fields[.timestamp] = now().iso8601 }
        let (row, entry) = try fields.event(location: ingestion.location)
        let location = row.locationId ?? ingestion.ownLocation
        try terms.check(device: entry.deviceId, location: location)
        if let name = hidden[location] { throw LineError(why: "the location '\(name)' is hidden") }
        guard
            ingestion.receive(
                entry, location: location, timestamp: row.timestamp, order: isNow ? .atReceipt : .ownTime)
        else {
            throw LineError(why: "the device '\(entry.deviceId)' is disabled")
        }
        return (entry.deviceId, location)
    }
}

// MARK: - Storing

extension IngestSession {
    /// Commits the queue and answers its lines. After a failure the queue is kept for a retry.
    package func commit() {
        guard !pending.isEmpty else { return }
        let lastError = writer.error
        do throws(JournalError) {
            answer(try writer.commit(at: now()))
            if let new = journal.takeNewId() { Output.tell(new.text) }
        } catch {
            complain(error, after: lastError)
        }
    }

    /// Reports an error that lasts once, and never that another program has locked the journal.
    private func complain(_ error: JournalError, after last: JournalError?) {
        if error.reason == .busy || error == last { return }
        Output.complain(error.failure)
    }

    private func answer(_ receipts: [Receipt]) {
        var receipts = receipts[...]
        // Where they cannot be read, those of before.
        lazy var locations = (try? journal.locations()) ?? self.locations
        for line in pending {
            let answer = line.answer ?? IngestAnswer(receipts.removeFirst(), locations)
            results[answer.result.rawValue, default: 0] += 1
            if answer.result != .refused { noteSpeaker(of: line) }
            line.producer.queued -= 1
            line.producer.add(answer.text(line: line.line, note: line.note), ofLine: line.line)
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// Gives up the lines that could not be committed: they are not stored, and their senders get no answers.
    package func abandon() {
        for line in pending {
            line.producer.queued -= 1
            line.producer.isAbandoned = true
        }
        pending.removeAll()
        writer.abandon()
    }

    private func noteSpeaker(of line: PendingLine) {
        guard let (device, location) = line.speaker, line.producer.terms.isConnection,
            line.producer.addDevice(device)
        else { return }
        presence.connect(device, location)
    }

    /// Removes a producer whose connection has ended.
    package func leave(_ producer: Producer) {
        for device in producer.devices { presence.disconnect(device) }
    }

    /// A device is there, though it has no connection of its own.
    package func connect(_ device: Identifier, at location: Identifier) { presence.connect(device, location) }

    package func disconnect(_ device: Identifier) { presence.disconnect(device) }

    /// Stores which devices were connected and disconnected, as many as one transaction takes. The next call stores the others, or
    /// tries again where the journal was locked.
    package func notePresence() {
        if isStuck || presence.isStored { return }
        attempt { () throws(JournalError) in
            let change = presence.change
            if !change.came.isEmpty || !change.went.isEmpty {
                try journal.note(came: change.came, went: change.went, at: now(), keysReadBy: nil)
            }
            presence.isTold()
        }
    }

    /// Commits the remaining lines. Throws `ProgramError` (74) where lines could not be stored.
    package func finish() throws(ProgramError) {
        try writer.finish("line", commit: commit)
        while !presence.isStored, !isStuck, retryAt == nil { notePresence() }
    }
}

// MARK: - Answers

/// The answer to one line of a producer, sent once the line is committed or certain not to be.
struct IngestAnswer {
    enum Result: String {
        /// The row was appended.
        case accepted
        /// The journal had the row already; nothing has changed.
        case duplicate
        /// The row was appended. Another event had its sequence number, so the device has restarted its numbers.
        case conflict
        /// The line says nothing that a journal keeps.
        case ignored
        /// Nothing has changed.
        case refused
    }

    let result: Result
    var why: String?
    var position: Position?
    var epoch: Int?

    /// As a line of JSON, with its line end. `line` is the number of the line, from 1; `note` is what the sender of a line that counts
    /// should look at.
    func text(line: Int, note: String?) -> String {
        let object: JSONLine = [
            "line": .number(line), "result": .text(result.rawValue), "why": .text(why),
            "position": .number(position.map { Int($0.number) }), "epoch": .number(epoch),
            "note": .text(result == .accepted ? note : nil),
        ]
        return object.text + "\n"
    }
}

extension IngestAnswer {
    /// The answer to a request; `locations` are the existing locations.
    init(_ receipt: Receipt, _ locations: @autoclosure () -> [Location]) {
        switch receipt.outcome {
        case .accepted(let position), .corrected(let position, _, _), .undone(let position, _),
            .redone(let position, _):
            self.init(result: .accepted, position: position)
        case .duplicate(let position): self.init(result: .duplicate, position: position)
        case .acceptedInNewEpoch(let position, let epoch):
            self.init(
                result: .conflict, why: "the number is another event's: the device has started again",
                position: position, epoch: epoch)
        case .nothingToUndo, .nothingToRedo, .nothingToVoid:
            self.init(result: .duplicate, why: "what it takes back is void already, or not here")
        case .refused(let refusal):
            self.init(result: .refused, why: refusal.reason(receipt.request.row.locationId, locations()))
        }
    }
}

// MARK: - Devices

/// Tracks the number of connections of each device, and which changes the journal has not stored yet.
struct DevicePresence {
    /// The devices that came and went, for `SQLiteJournal.note`.
    typealias Change = (came: [(id: Identifier, name: String, locationId: Identifier)], went: [Identifier])

    /// The largest number of devices in one change, so that no transaction is long, however many devices a connection had.
    static let maxChanged = 1_000

    private var connections: [Identifier: Int] = [:]
    private var locations: [Identifier: Identifier] = [:]
    /// The devices that the journal has stored as connected.
    private var told: Set<Identifier> = []
    /// The devices whose state may have changed since, in the order in which it did.
    private var touched: ArraySlice<Identifier> = []
    private var isTouched: Set<Identifier> = []

    var isStored: Bool { touched.isEmpty }

    /// Records that a device has sent its first event on one more connection.
    mutating func connect(_ device: Identifier, _ location: Identifier) {
        connections[device, default: 0] += 1
        locations[device] = location
        touch(device)
    }

    /// Records the end of a connection on which a device has sent events.
    mutating func disconnect(_ device: Identifier) {
        let left = (connections[device] ?? 1) - 1
        connections[device] = left > 0 ? left : nil
        touch(device)
    }

    private mutating func touch(_ device: Identifier) {
        if isTouched.insert(device).inserted { touched.append(device) }
    }

    /// The changes to store next. Devices on one more or one less of several connections are in neither list; one that came and went
    /// meanwhile is in both, so that the journal stores that it was there.
    var change: Change {
        let next = touched.prefix(Self.maxChanged)
        let came = next.filter { locations[$0] != nil && !told.contains($0) }
        return (came.map { ($0, $0.text, locations[$0] ?? "") }, next.filter { connections[$0] == nil })
    }

    /// Records that the journal has stored all of `change`.
    mutating func isTold() {
        for device in touched.prefix(Self.maxChanged) {
            isTouched.remove(device)
            if connections[device] == nil {
                told.remove(device)
                locations[device] = nil
            } else {
                told.insert(device)
            }
        }
        touched = touched.dropFirst(Self.maxChanged)
        if touched.isEmpty { touched = [] }
    }
}
