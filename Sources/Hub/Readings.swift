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
        var through: Position
    }
    /// A reading or an entry on its way into the journal.
    private struct Waiting {
        let stream: Identifier
        let request: CounterModel.Request
    }

    private let journal: SQLiteJournal
    private let session: IngestSession
    private let file: AdapterFile
    /// The ids of the locations that the file names.
    private var locations: [String: Identifier] = [:]
    private var known: [Identifier: Known] = [:]
    private var waiting: [Waiting] = []

    /// - Throws: `ProgramError` where the file of adapters has a mistake, or names a location that the journal does not have.
    init(_ journal: SQLiteJournal, _ session: IngestSession, directory: String) throws {
        (self.journal, self.session) = (journal, session)
        let (path, zone) = ("\(directory)/\(Self.fileName)", ZoneDatabase().localZone)
        guard access(path, F_OK) == 0 || errno != ENOENT else {
            file = try .builtIn(zone: zone)
            return
        }
        file = try AdapterFile(TextFile(path: path, name: path).text, name: path, zone: zone)
        for name in file.locations.sorted() {
            guard let location = try journal.location(named: name) else {
                throw ProgramError(
                    "\(path): there is no location '\(name)'",
                    remedy: "To add it: counter location add \(name.quotedForShell)", status: EX_DATAERR)
            }
            locations[name] = location.id
        }
    }

    /// Takes a message: stores what it changes, and tells what became of each of its items; nil where no adapter is for its path.
    ///
    /// - Parameter place: Where a device counts, given where the file says that it does.
    func take(
        _ message: Message, place: (_ device: Identifier, _ named: Identifier?) throws -> Location
    ) throws -> [ReadingOutcome]? {
        do {
            let outcomes = try file.outcomes(of: message, by: file.adapters) { reading, adapter in
                let location = try place(reading.stream, adapter.location.flatMap { locations[$0] })
                return (try judge(reading, adapter, at: location), location.name)
            }
            try commit(at: message.receivedAt)
            return outcomes
        } catch {
            // They have taken what is not stored.
            for request in waiting { known[request.stream] = nil }
            waiting.removeAll()
            throw error
        }
    }

    private func judge(_ reading: Reading, _ adapter: Adapter, at location: Location) throws -> Verdict {
        let id = reading.stream
        var stream = try stream(of: reading, adapter)
        known[id] = nil
        var verdict = stream.stream.take(reading)
        known[id] = stream
        let time = verdict.time ?? reading.receivedAt
        func wait(_ content: RowContent, _ work: CounterModel.Request.Work = .append) {
            waiting.append(
                Waiting(
                    stream: id,
                    request: .init(
                        locationId: location.id, timestamp: time, content, work, order: .ownTime)))
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
        var stream = known[reading.stream] ?? Known(stream: adapter.stream, through: .start)
        let rows = try journal.readings(
            of: reading.stream, after: stream.through, since: reading.receivedAt - Stream.memory)
        for row in rows {
            stream.through = row.position
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
                Output.complain(ProgramError("\(request.stream): \(why.reason())", status: EX_OK))
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

// MARK: - Over HTTP

/// `POST /v1/devices/…`: a message of a device, as an adapter reads it. The answer is a list of what became of its items.
final class DeviceExchange: Exchange {
    /// In bytes: pictures may be in a message.
    private static let longest = 4 << 20
    /// Of all that are on their way.
    private static let longestTogether = 64 << 20

    private let call: Route.Call
    private let token: Token
    private let location: Location?
    private let place: String
    private var body: [UInt8] = []

    init(_ call: Route.Call) throws {
        guard let token = call.token, let place = FormText.decoded(call.request.path[...], plus: "+") else {
            throw Problem(
                .badRequest, "the message is refused", why: "its path is not encoded as UTF-8 with %XX")
        }
        (self.call, self.token, self.place) = (call, token, place)
        location = try call.location()
    }

    var isHolding: Bool { false }

    func receive(_ bytes: ByteBuffer) {
        guard body.count + bytes.readableBytes <= Self.longest else {
            return call.conversation.refuse(
                Problem(
                    .tooLarge, "the message is refused", why: "it has more than \(Self.longest >> 20) MiB"))
        }
        guard call.server.messageBytes + bytes.readableBytes <= Self.longestTogether else {
            return call.conversation.refuse(
                .busy(
                    .unavailable, why: "too many long messages come at once",
                    remedy: "Send it again in a second."))
        }
        body += bytes.readableBytesView
        call.server.messageBytes += bytes.readableBytes
    }

    func receivedAll() {
        defer { ended() }
        do { call.conversation.answer(try answer()) } catch {
            call.conversation.answer(Problem(error).answer)
        }
    }

    private func answer() throws -> Answer {
        let message = Message(body, at: place, receivedAt: HubServer.now)
        guard let outcomes = try call.server.readings.take(message, place: location(of:_:)) else {
            throw Problem(
                .notFound, "the message is refused", why: "no adapter is for \(place)",
                remedy: "To list them: counter-hub adapter list")
        }
        call.server.committed()
        let rows = outcomes.map(ReadingOutcome.table.json).joined(separator: ",\n ")
        // What is refused will never be taken; a device that is told so does not send it again.
        let isRefused = outcomes.allSatisfy(\.isRefused)
        return Answer(status: isRefused ? .badRequest : .ok, body: "[\(rows)]\n")
    }

    /// By the file, by the request, by what is set of the device, by the token.
    private func location(of device: Identifier, _ named: Identifier?) throws -> Location {
        let ingestion = call.server.session.ingestion
        let assigned = ingestion.isAssigned(device) ? ingestion.location(of: device) : nil
        let id =
            named ?? location?.id ?? assigned ?? token.locations.first ?? ingestion.ownLocation
        guard token.admits(id), let found = try call.server.journal.location(named: id.text) else {
            throw Problem(
                .forbidden, "the message is refused",
                why: "'\(device)' counts into a location that is none of this token's")
        }
        return found
    }

    func becameWritable() {}
    func timedOut() -> Problem? { .tooSlow(HubLimits.progressTime) }
    func stopped() -> Problem? { .stopping }
    func inputEnded() {}

    func ended() {
        call.server.messageBytes -= body.count
        body = []
    }
}
