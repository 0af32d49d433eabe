package import Adapters
import CounterModel
import CounterStore
import Glibc
import Linux
import NIOCore
package import Reports
import Transfer

/// What counters of people tell, and what it counts: each message becomes the readings that change something and an entry for each
/// person, in one transaction.
final class DeviceReadings {
    /// What the paths begin with to which devices send.
    static let path = "/v1/devices/"
    /// The file of adapters, beside the journal.
    static let fileName = "hub-adapters.toml"

    /// A stream with its readings up to a row of the journal.
    private struct Known {
        var stream: Stream
        var through = Position.start
        /// Of the last of them.
        var location: Identifier?
    }

    private let journal: SQLiteJournal
    private let session: IngestSession
    private let directory: String
    private var file: AdapterFile
    /// The ids of the locations that the file names.
    private var locations: [String: Identifier]
    private let presence: DevicesPresent
    private var zones: [String: ZoneOffsets] = [:]
    private var known: [Identifier: Known] = [:]
    /// Beyond this many, streams are read again when they are asked for.
    fileprivate static let mostKnown = 10_000
    /// Readings and entries on their way into the journal.
    private var waiting: [(stream: Identifier, request: CounterModel.Request)] = []
    /// The paths at which something was understood.
    private var understood: Set<String> = []
    /// What was told of which device, and when.
    private var told: [String: MonotonicTime] = [:]
    /// The same is told of a device once in this time.
    private static let silence = Duration.seconds(3600)

    /// Throws `ProgramError` where the file of adapters has a mistake, or names a location that the journal does not have.
    init(_ journal: SQLiteJournal, _ session: IngestSession, _ loop: any EventLoop, directory: String) throws
    {
        (self.journal, self.session, self.directory) = (journal, session, directory)
        presence = DevicesPresent(session, loop)
        (file, locations) = try Self.read(directory, journal)
    }

    /// Reads the file of adapters again. After an error nothing has changed.
    func reload() throws {
        (file, locations) = try Self.read(directory, journal)
        // Other rules may make other streams.
        known.removeAll()
        try resume()
    }

    /// Devices are there as they were when the hub ended, until they say otherwise, or nothing for too long.
    func resume() throws {
        for device in try journal.devices() where device.isActive {
            guard let seen = device.lastSeenAt, let adapter = file.adapter(of: device.id),
                adapter.tellsPresence
            else { continue }
            let location =
                named(device.id) ?? device.locationId ?? device.lastLocationId
                ?? session.ingestion.ownLocation
            presence.resume(device.id, at: location, every: adapter.every, silentFor: HubServer.now - seen)
        }
    }

    private static func read(_ directory: String, _ journal: SQLiteJournal) throws -> (
        AdapterFile, locations: [String: Identifier]
    ) {
        let path = "\(directory)/\(fileName)"
        let file = try AdapterFile(
            TextFile.text(ifAny: path) ?? "", name: path, zone: ZoneDatabase().localZone)
        var locations: [String: Identifier] = [:]
        for (name, device) in file.locations.sorted(by: { $0.key < $1.key }) {
            guard let location = try journal.location(named: name) else {
                throw ProgramError(
                    "\(path): device \(device): location: there is no location '\(name)'",
                    remedy: "To add it: counter location add \(name.quotedForShell)", status: EX_DATAERR)
            }
            locations[name] = location.id
        }
        return (file, locations)
    }

    /// The filters of the topics whose messages are taken from a broker.
    var filters: [String] { Set(file.adaptersInUse.flatMap(\.filters)).sorted() }

    /// Takes a message that was posted; nil where no adapter is for its path.
    func take(_ message: Message, place: Place) throws -> [ReadingOutcome]? {
        try take([message], by: file.adapters, place)[0]
    }

    /// Takes messages of a broker.
    func take(_ messages: [Message]) throws {
        _ = try take(messages, by: file.adaptersInUse) { device, named, last in
            let ingestion = self.session.ingestion
            let id = named ?? ingestion.assignedLocation(of: device) ?? last ?? ingestion.ownLocation
            return try self.journal.existingLocation(named: id.text)
        }
    }

    /// Where a device counts, given the location that the file names for it, and that of its last reading.
    typealias Place = (_ device: Identifier, _ named: Identifier?, _ last: Identifier?) throws -> Location

    /// Stores what messages change in one transaction, and tells what became of each of their items.
    private func take(_ messages: [Message], by adapters: [Adapter], _ place: Place) throws
        -> [[ReadingOutcome]?]
    {
        guard let now = messages.first?.receivedAt else { return [] }
        do {
            let outcomes = try messages.map { message in
                try file.outcomes(of: message, by: adapters) { device in
                    try? zone(of: place(device, named(device), nil))
                } judge: { reading, adapter in
                    let stream = try stream(of: reading, adapter)
                    let named = adapter.location.flatMap { locations[$0] }
                    let location = try place(reading.stream, named, stream.location)
                    presence.note(reading.stream, at: location.id, isFollowed: adapter.tellsPresence)
                    return (judge(reading, stream, at: location), location.name)
                }
            }
            try commit(at: now)
            if known.count > Self.mostKnown { known.removeAll() }
            for (message, all) in zip(messages, outcomes) {
                for outcome in all ?? [] {
                    tell(outcome, message.place)
                    presence.take(outcome) { device in
                        // A broker may tell of any device that it is there. Those that count are known.
                        let isKnown = outcome.adapter?.counts ?? false
                        return try (isKnown ? journal.known(of: device) : [device]).map { id in
                            (id, try place(id, named(id), nil).id)
                        }
                    }
                }
            }
            return outcomes
        } catch {
            // They have taken what is not stored.
            for request in waiting { known[request.stream] = nil }
            waiting.removeAll()
            throw error
        }
    }

    /// The location that the file names for a stream.
    private func named(_ stream: Identifier) -> Identifier? {
        file.location(of: stream).flatMap { locations[$0] }
    }

    private func zone(of location: Location) throws -> ZoneOffsets {
        if let known = zones[location.timezone] { return known }
        let zone = try ZoneOffsets(of: location.timezone, in: ReadingTime.years)
        zones[location.timezone] = zone
        return zone
    }

    /// Tells what a reading means where something is lost, doubtful or set wrongly, and what is refused.
    private func tell(_ outcome: ReadingOutcome, _ place: String) {
        if outcome.isRefused {
            tellOnce("\(place): \(outcome.adapter?.name ?? ""): \(outcome.words)", about: place)
        }
        guard let device = outcome.device, let verdict = outcome.verdict, verdict.isNotable else { return }
        tellOnce("\(device): \(verdict.rule.text): \(outcome.words)", about: "\(device) \(verdict.rule)")
    }

    /// Tells where messages are posted and nothing is found in them that counts.
    func note(_ outcomes: [ReadingOutcome], at place: String) {
        if !outcomes.allSatisfy(\.isPassed) {
            if understood.count > Self.mostKnown { understood.removeAll() }
            understood.insert(place)
        } else if let first = outcomes.first, !understood.contains(place) {
            tellOnce("\(place): \(first.adapter?.name ?? ""): \(first.words)", about: place)
        }
    }

    func tellOnce(_ words: String, about subject: String) {
        let now = MonotonicTime.now
        if let last = told[subject], now - last < Self.silence { return }
        if told.count > 1_000 { told = told.filter { now - $0.value < Self.silence } }
        told[subject] = now
        Output.tell(words)
    }

    private func judge(_ reading: Reading, _ stream: consuming Known, at location: Location) -> Verdict {
        let id = reading.stream
        known[id] = nil
        var verdict = stream.stream.take(reading)
        stream.location = location.id
        known[id] = stream
        let time = verdict.time ?? reading.receivedAt
        func wait(_ content: RowContent, _ work: CounterModel.Request.Work = .append) {
            let request = CounterModel.Request(
                locationId: location.id, timestamp: time, content, work, order: .ownTime)
            waiting.append((id, request))
        }
        if verdict.isStored { wait(.reading(id, text: reading.text)) }
        if let why = whyNot(id, location) {
            if verdict.numbers.rises { verdict.words += "; but \(why), so nothing counts" }
            verdict.numbers = .zero
        }
        for (type, count) in [(EntryType.in, verdict.numbers.in), (.out, verdict.numbers.out)] {
            guard let count, count > 0 else { continue }
            wait(.entry(Entry(type, deviceId: id, source: .hardware)), .times(count))
        }
        return verdict
    }

    /// Why a device does not count; nil where it does. Its readings are followed all the same.
    private func whyNot(_ device: Identifier, _ location: Location) -> String? {
        if !session.ingestion.isActive(device) { return "the device is disabled" }
        return location.isHidden ? "the location '\(location.name)' is hidden" : nil
    }

    /// The stream, with what others have told of it meanwhile.
    private func stream(of reading: Reading, _ adapter: Adapter) throws -> Known {
        var stream = known[reading.stream] ?? Known(stream: adapter.stream)
        let rows = try journal.readings(
            of: reading.stream, after: stream.through, since: reading.receivedAt - Stream.memory)
        for row in rows {
            (stream.through, stream.location) = (row.position, row.location)
            // One that cannot be read is of a later version.
            let read = Reading(stream: reading.stream, receivedAt: row.receivedAt, text: row.text)
            if let read { stream.stream.follow(read) }
        }
        return stream
    }

    private func commit(at now: Timestamp) throws {
        if waiting.isEmpty { return }
        let answers = try journal.append(waiting.map(\.request), receivedAt: now)
        for (request, answer) in zip(waiting, answers) {
            switch (request.request.row.content, answer.outcome) {
            case (.reading, .accepted(let position)): known[request.stream]?.through = position
            case (_, .refused(let why)):
                Output.tell("\(request.stream): \(why.reason())")
            default: break
            }
        }
        waiting.removeAll()
    }
}

extension ReadingOutcome {
    package static var table: Table<ReadingOutcome> {
        Table([
            .init("message", "MESSAGE", isOptional: true) { .number($0.message) },
            .init("deviceId", "DEVICE") { .text($0.device) },
            .init("locationId", "LOCATION", isOptional: true) { .text($0.location) },
            .init("in", "IN") { .number($0.verdict?.numbers.in) },
            .init("out", "OUT") { .number($0.verdict?.numbers.out) },
            .init("timestamp", "COUNTED AT") { .time($0.verdict?.time) },
            .init("rule", "RULE") { .text($0.verdict?.rule.text) },
            .init("isNotable") { .flag($0.verdict?.isNotable) },
            .init("why", "WHY") { .text($0.words) },
        ])
    }
}

// MARK: - Signs of life

/// Which devices are there. Of those that tell when they come and go (`alive`), or how often something is to be expected of them (`every`), the
/// journal learns it, as it does of input devices.
private final class DevicesPresent {
    private let session: IngestSession
    /// Where each stream counts.
    private var locations: [Identifier: Identifier] = [:]
    /// Those that are there, and until when without a further sign; nil for as long as they do not say that they go.
    private var present: [Identifier: MonotonicTime?] = [:]
    private let timer: DeadlineTimer
    /// So many times as long as `every` a device is believed to be there.
    private static let patience = 3

    init(_ session: IngestSession, _ loop: any EventLoop) {
        self.session = session
        timer = DeadlineTimer(loop)
        timer.onTime = { [unowned self] in removeOverdue() }
    }

    /// `isFollowed`: whether it can be known that it is gone. Of others the journal learns where they count.
    func note(_ stream: Identifier, at location: Identifier, isFollowed: Bool) {
        if !isFollowed, locations[stream] != location {
            session.connect(stream, at: location)
            session.disconnect(stream)
        }
        if locations.count > DeviceReadings.mostKnown {
            locations = locations.filter { present[$0.key] != nil }
        }
        locations[stream] = location
    }

    /// `every`: how often something is expected; nil where it says itself that it goes.
    func resume(_ stream: Identifier, at location: Identifier, every: Duration?, silentFor: Duration) {
        let left = every.map { $0 * Self.patience - silentFor }
        if present[stream] != nil || left.map({ $0 <= .zero }) ?? false { return }
        locations[stream] = location
        connect(stream, until: left.map { .now + $0 })
    }

    private func connect(_ stream: Identifier, until due: MonotonicTime?) {
        if present[stream] == nil, let location = locations[stream] { session.connect(stream, at: location) }
        present[stream] = .some(due)
        if let due { timer.expect(due) }
    }

    /// Takes what a message says of a device; `find` says where one counts, or each of its channels, that has told no number yet.
    func take(
        _ outcome: ReadingOutcome, find: (Identifier) throws -> [(stream: Identifier, location: Identifier)]
    ) {
        guard let device = outcome.device, let adapter = outcome.adapter, adapter.tellsPresence,
            let isUp = outcome.isUp
        else { return }
        var streams = [Identifier(device)].filter { locations[$0] != nil }
        // A sign of life is of all channels of a device.
        if outcome.verdict == nil { streams += locations.keys.filter { $0.text.hasPrefix(device + "/") } }
        if streams.isEmpty, isUp {
            for (stream, location) in (try? find(Identifier(device))) ?? [] {
                locations[stream] = location
                streams.append(stream)
            }
        }
        for stream in streams {
            if isUp {
                connect(stream, until: adapter.every.map { .now + $0 * Self.patience })
            } else {
                remove(stream)
            }
        }
    }

    private func remove(_ stream: Identifier) {
        guard present.removeValue(forKey: stream) != nil else { return }
        session.disconnect(stream)
    }

    private func removeOverdue() -> MonotonicTime? {
        let now = MonotonicTime.now
        for (stream, due) in present where due.map({ $0 <= now }) ?? false { remove(stream) }
        session.notePresence()
        return present.values.compactMap(\.self).min()
    }
}
