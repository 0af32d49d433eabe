import CounterModel
import Linux
import TestSupport
import Testing

@testable import CounterStore
@testable import Transfer

/// The journals of a door and an office, and what is done in them.
class SyncPlace {
    static let noon = Timestamp(seconds: 1_792_404_000)
    let folder: ScratchFolder
    let door, office: SQLiteJournal

    init() throws {
        folder = try ScratchFolder()
        (door, office) = (try Self.journal("door", in: folder), try Self.journal("office", in: folder))
    }

    private static func journal(_ name: String, in folder: ScratchFolder) throws -> SQLiteJournal {
        try SQLiteJournal(directory: folder.path(of: name), timezone: "UTC")
    }

    func journal(_ name: String) throws -> SQLiteJournal { try Self.journal(name, in: folder) }

    func count(_ number: Int, in journal: SQLiteJournal, at seconds: Int = 0) throws {
        let now = Self.noon + .seconds(seconds)
        let entry = Entry(.in, deviceId: "key", source: .hardware)
        let request = Request(locationId: "default", timestamp: now, .entry(entry))
        _ = try journal.append(Array(repeating: request, count: number), receivedAt: now)
    }

    /// `office` joins what `door` shares.
    func share() throws {
        #expect(try door.setShared(true, door.existingLocation(named: "default"), at: Self.noon))
        try share(from: door, to: office)
    }

    func share(from one: SQLiteJournal, to other: SQLiteJournal) throws {
        let offer = try #require(try one.sharedLocations().first)
        #expect(try other.join([offer], from: "a machine", at: Self.noon)[0] != nil)
    }

    /// Connects two journals, and passes on what both have to say.
    @discardableResult
    func sync(_ one: SQLiteJournal, _ other: SQLiteJournal, ahead: Duration = .zero) throws -> Link {
        let link = try Link(one, other, ahead: ahead)
        try link.run()
        return link
    }

    func expectNothingToSend(_ one: SQLiteJournal, _ other: SQLiteJournal) throws {
        let again = try sync(one, other)
        #expect(again.both.map(\.rowsSent) == [0, 0])
        #expect(again.both.allSatisfy { $0.notices.isEmpty && $0.isEven })
    }

    /// The id for the world of the location that the door shares.
    func world() throws -> String { try #require(try door.sharedLocations().first).sharing.worldId }

    func level(_ journal: SQLiteJournal) throws -> Int? { try journal.state(of: "default")?.level }

    func expectSame(_ one: SQLiteJournal, _ other: SQLiteJournal) throws {
        #expect(try rows(of: one) == rows(of: other))
        #expect(try level(one) == level(other))
        for journal in [one, other] { #expect(try journal.verify().isEmpty) }
    }

    private struct Told: Hashable {
        let origin: RowOrigin?
        let orderedAt: Timestamp
        let content: RowContent
    }

    private func rows(of journal: SQLiteJournal) throws -> Set<Told> {
        Set(
            try journal.feed(after: .start, limit: 10_000)
                .map { Told(origin: $0.row.origin, orderedAt: $0.row.orderedAt, content: $0.row.content) })
    }
}

/// Two sessions whose bytes are passed from one to the other.
struct Link {
    let one, other: SyncSession
    var both: [SyncSession] { [one, other] }

    init(_ one: SyncSession, _ other: SyncSession) { (self.one, self.other) = (one, other) }

    static let time = Timestamp(seconds: 1_792_404_600)

    /// `one` is served, `other` connects; the clock of `one` may be ahead.
    init(
        _ one: SQLiteJournal, _ other: SQLiteJournal, ahead: @autoclosure @escaping () -> Duration = .zero,
        at now: @autoclosure @escaping () -> MonotonicTime = .now
    ) throws {
        self.one = try SyncSession(one, name: "one", join: nil) { (now(), Self.time + ahead()) }
        self.other = try SyncSession(other, name: "other", join: { _, _ in }) { (now(), Self.time) }
    }

    /// Passes bytes on until both are silent, or so many have passed. Returns how many have.
    @discardableResult
    func run(piece: Int = 65_536, upTo limit: Int = .max) throws -> Int {
        var passed = 0
        while both.contains(where: { !$0.output.isEmpty }) {
            for (from, to) in [(one, other), (other, one)] {
                let bytes = Array(from.output.prefix(min(piece, limit - passed)))
                if passed >= limit { return passed }
                if bytes.isEmpty { continue }
                try from.sent(bytes.count)
                try to.hear(bytes)
                passed += bytes.count
            }
        }
        return passed
    }

    /// What one has got meanwhile goes to the other.
    func pass(changesOf session: SyncSession) throws {
        try session.journalChanged()
        try run()
    }

    func loseOutput(of session: SyncSession) { try? session.sent(session.output.count) }
}

extension SyncSession {
    func hear(_ bytes: some Collection<UInt8>) throws { try Array(bytes).withUnsafeBytes { try receive($0) } }
    func hear(_ text: String) throws { try hear(text.utf8) }
}
