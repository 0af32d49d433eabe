package import CounterModel
import CounterStore
import Glibc
import Linux

/// A line of `counter sync`. The lines of rows are those of the feed, with two members more: `world`, the location's id for the world,
/// and `follows`, the row's predecessor in its stream (`SyncStream`), 0 where there is none. A row of no location has no `world`; a line
/// about such a stream has `deviceId`, or neither for the names of a journal.
///
/// ```
/// {"type":"hello","text":"1","journal":J,"name":"door-3","timestamp":T}       who it is, by its clock; with "value":1, which NTP keeps right
/// {"type":"shares","world":W,"locationId":L,"name":N,"timezone":Z}            a location that it shares
/// {"type":"holds","world":W,"journal":J,"position":P,"value":N,"text":D}      how far it holds a journal's rows there: N rows, with a digest
/// {"type":"ready"}                                                            the end of the opening
/// {"type":"in",…,"world":W,"follows":P}                                       a row
/// {"type":"again","world":W,"journal":J,"position":P}                         a row is missing after this one
/// {"type":"anew","world":W,"journal":J,"position":P}                          rows are missing there: it sends all after this one
/// {"type":"refused","world":W,"journal":J,"position":P,"reason":"…"}          it does not take this row
/// {"type":"differs","world":W,"journal":J,"position":P}                       it holds another row in the place of this one
/// {"type":"present","world":W,"deviceId":D,"name":N}                          a device that is connected, before "alive"
/// {"type":"alive","value":N,"timestamp":T}                                    it has N rows that are not acknowledged, by its clock
/// {"type":"alive",…,"text":"answer"}                                          the same, and the other side is to say at once that it lives
/// {"type":"restart"}                                                          it shares other locations now
/// {"type":"end","reason":"…","text":"…"}                                      it cannot go on
/// ```
enum SyncLine {
    case hello(SyncPeer, version: String, at: Timestamp, isSynchronised: Bool)
    case shares(SharedLocation)
    /// In the opening, with the rows up to there, and after each commit.
    case holds(SyncStream, Position, HeldRows?)
    case ready
    case row(Result<JournalRow, LineError>, SyncStream, Position, after: Position)
    case refused(SyncStream, Position, why: String)
    case differs(SyncStream, Position)
    case again(SyncStream, Position)
    case anew(SyncStream, Position)
    case present(SyncDevice)
    case alive(unsent: Int, at: Timestamp, asksForAnswer: Bool)
    case restart
    case end(ProgramError)
    /// Of a later version.
    case other

    static let version = "1"
    private static let answer = "answer"
}

/// A side of a connection.
package struct SyncPeer: Hashable, Sendable {
    package let journalId: String
    /// The name of its machine.
    package let name: String

    package init(journalId: String, name: String) { (self.journalId, self.name) = (journalId, name) }
}

/// Rows of one journal that travel one after the other.
struct SyncStream: Hashable {
    enum Subject: Hashable {
        /// All of a location, by its id for the world.
        case location(String)
        /// What is set of a device wherever it counts: its name, whether it counts, that it is forgotten.
        case device(Identifier)
        /// The names of a journal, by its id.
        case journal(String)
    }

    let subject: Subject
    let journal: String

    /// The id for the world of its location; nil where it is of none.
    var world: String? { if case .location(let world) = subject { world } else { nil } }
}

/// A device that is connected to a side, and counts into a location that both share.
struct SyncDevice: Hashable {
    let world: String
    let id: Identifier
    let name: String
}

// MARK: - Writing

extension SyncLine {
    var text: String { json.text }

    private var json: JSONLine {
        switch self {
        case .hello(let peer, let version, let time, let isSynchronised):
            return [
                "type": .text("hello"), "text": .text(version), "journal": .text(peer.journalId),
                "name": .text(peer.name), "timestamp": .time(time),
                "value": .number(isSynchronised ? 1 : nil),
            ]
        case .shares(let location):
            return [
                "type": .text("shares"), "world": .text(location.sharing.worldId),
                "locationId": .text(location.id.text), "name": .text(location.name),
                "timezone": .text(location.timezone),
            ]
        case .holds(let stream, let position, let rows):
            var line = stream.line("holds", position)
            line.add([
                "value": .number(rows?.count),
                "text": .text((rows?.digest).map { String($0, radix: 16) }),
            ])
            return line
        case .ready: return ["type": .text("ready")]
        case .differs(let stream, let position): return stream.line("differs", position)
        case .again(let stream, let position): return stream.line("again", position)
        case .anew(let stream, let position): return stream.line("anew", position)
        case .present(let device):
            return [
                "type": .text("present"), "world": .text(device.world), "deviceId": .text(device.id.text),
                "name": .text(device.name),
            ]
        case .refused(let stream, let position, let why):
            var line = stream.line("refused", position)
            line.add(["reason": .text(why)])
            return line
        case .alive(let unsent, let time, let asksForAnswer):
            return [
                "type": .text("alive"), "value": .number(unsent), "timestamp": .time(time),
                "text": .text(asksForAnswer ? Self.answer : nil),
            ]
        case .restart: return ["type": .text("restart")]
        case .end(let error):
            return [
                "type": .text("end"), "reason": .text(error.message), "text": .text(error.remedy),
            ]
        case .row, .other: return [:]
        }
    }

    static func text(of row: FeedRow, world: String?, after: Position) -> String {
        var line = row.row.line(ofJournal: row.journalId)
        line.add(["world": .text(world), "follows": .number(Int(after.number))])
        return line.text
    }
}

extension SyncStream {
    fileprivate func line(_ type: String, _ position: Position) -> JSONLine {
        let device: Identifier? = if case .device(let id) = subject { id } else { nil }
        return [
            "type": .text(type), "world": .text(world), "deviceId": .text(device?.text),
            "journal": .text(journal), "position": .number(Int(position.number)),
        ]
    }
}

// MARK: - Reading

extension SyncLine {
    init(_ bytes: ArraySlice<UInt8>) throws(LineError) {
        let fields = try LineFields(json: bytes)
        let type = try fields.required(.type)
        if fields[.follows] != nil {
            self = try Self.row(of: type, fields, bytes)
            return
        }
        switch type {
        case "hello":
            let peer = SyncPeer(journalId: try fields.required(.journal), name: try fields.required(.name))
            self = .hello(
                peer, version: fields[.text] ?? "", at: try fields.requiredTime(.timestamp),
                isSynchronised: try fields.number(.value) == 1)
        case "shares":
            self = .shares(
                SharedLocation(
                    id: try fields.requiredId(.locationId),
                    sharing: LocationSharing(worldId: try fields.required(.world)),
                    name: try fields.required(.name), timezone: try fields.required(.timezone)))
        case "holds":
            let position = try fields.position(.position)
            let digest = fields[.text].flatMap { UInt64($0, radix: 16) } ?? 0
            let rows = try fields.number(.value).map {
                HeldRows(highest: position, count: $0, digest: digest)
            }
            self = .holds(try fields.stream(), position, rows)
        case "ready": self = .ready
        case "differs": self = .differs(try fields.stream(), try fields.position(.position))
        case "again": self = .again(try fields.stream(), try fields.position(.position))
        case "anew": self = .anew(try fields.stream(), try fields.position(.position))
        case "present":
            self = .present(
                SyncDevice(
                    world: try fields.required(.world), id: try fields.requiredId(.deviceId),
                    name: try fields.required(.name)))
        case "refused":
            self = .refused(
                try fields.stream(), try fields.position(.position), why: try fields.required(.reason))
        case "alive":
            self = .alive(
                unsent: try fields.number(.value) ?? 0, at: try fields.requiredTime(.timestamp),
                asksForAnswer: fields[.text] == Self.answer)
        case "restart": self = .restart
        case "end":
            self = .end(
                ProgramError(try fields.required(.reason), remedy: fields[.text], status: EX_UNAVAILABLE))
        default: self = .other
        }
    }

    fileprivate static func row(
        _ fields: LineFields, _ bytes: ArraySlice<UInt8>
    ) throws(LineError) -> JournalRow {
        try fields.row { (type) throws(LineError) in
            UnknownContent(type: type, members: try Self.ownMembers(bytes, from: fields[.journal] ?? ""))
        }
    }

    /// Which row it is must be told; what else breaks a rule concerns this row alone.
    private static func row(
        of type: String, _ fields: LineFields, _ bytes: ArraySlice<UInt8>
    ) throws(LineError) -> SyncLine {
        let identity = try fields.identity()
        let after = try fields.position(.follows)
        let subject: SyncStream.Subject
        switch (fields[.world], type) {
        case (let world?, _): subject = .location(world)
        case (nil, "device"): subject = .device(try fields.requiredId(.deviceId))
        case (nil, "journal"): subject = .journal(identity.journalId)
        // Of a later version, about what only that one knows.
        case (nil, _): return .other
        }
        let stream = SyncStream(subject: subject, journal: identity.journalId)
        let row = Result { () throws(LineError) in try Self.row(fields, bytes) }
        return .row(row, stream, identity.position, after: after)
    }

    /// What every row has, and the sender writes anew.
    private static let common: Set<String> = [
        "type", "timestamp", "locationId", "userId", "receivedAt", "orderedAt", "journal", "position",
        "originJournal", "originPosition", "count", "level", "world", "follows",
    ]

    /// The members that a row has by its kind. A row that it names without a journal is one of the sender's.
    private static func ownMembers(
        _ bytes: ArraySlice<UInt8>, from sender: String
    ) throws(LineError) -> [String] {
        let members = try LineFields.members(json: bytes).filter { !common.contains($0.name) }
        let names = Set(members.map(\.name))
        var texts = members.map(\.text)
        if names.contains("target"), !names.contains("targetJournal") {
            texts.append("\"targetJournal\":\"\(sender)\"")
        }
        return texts
    }
}

extension JournalRow {
    /// Reads a row of a journal; one of a kind that this version does not know is kept as it is.
    package init(ofAnyVersion bytes: ArraySlice<UInt8>) throws(LineError) {
        self = try SyncLine.row(try LineFields(json: bytes), bytes)
    }
}

extension LineFields {
    fileprivate func stream() throws(LineError) -> SyncStream {
        let journal = try required(.journal)
        let device = self[.deviceId] == nil ? nil : try requiredId(.deviceId)
        let subject: SyncStream.Subject =
            self[.world].map { .location($0) } ?? device.map { .device($0) } ?? .journal(journal)
        return SyncStream(subject: subject, journal: journal)
    }

    fileprivate func position(_ column: LineColumn) throws(LineError) -> Position {
        let number = try requiredNumber(column)
        guard number >= 0 else { throw LineError(why: "\(column.rawValue) is 0 or more") }
        return Position(Int64(number))
    }
}
