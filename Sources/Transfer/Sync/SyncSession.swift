package import CounterModel
package import CounterStore
import Glibc
package import Linux

/// One side of a connection between two journals: bytes that came in, bytes to send. It knows no descriptor and no process.
///
/// Both sides open with what they share and hold. Then each sends the rows that the other lacks in the order in which its journal
/// holds them, as those of other programs come too, and the other acknowledges them after its commit. What has to be resumed
/// follows from what the other side says that it holds.
package final class SyncSession {
    /// In bytes, without its line end.
    static let longestLine = 65_536
    /// How many bytes may wait to be sent before no more rows are read.
    private static let maxOutput = 262_144
    /// How many rows may wait for their acknowledgement.
    private static let maxUnacknowledged = 8_192
    /// How many rows are one transaction.
    private static let batch = 2_048
    /// How many rows one read returns.
    private static let page = 512
    /// How many lines an opening may have.
    private static let maxOpening = 1_000_000
    private static let maxNotices = 16
    /// As whose the journal knows the devices of other machines: `ProcessIdentity.program` of counter-sync.
    private static let program = "counter sync"
    package static let signOfLife = Duration.seconds(20)
    /// How long the other side may be silent, or not read.
    package static let timeout = Duration.seconds(60)
    /// From this on clocks are apart.
    private static let clockLimit = Duration.seconds(5)

    /// What an opened connection is for.
    package enum Purpose {
        /// The other side has started this one.
        case serve
        /// `join` is called with what the other side shares, before this side says what it shares.
        case connect(join: (_ peer: SyncPeer, _ offers: [SharedLocation]) throws -> Void)
    }

    private struct Unacknowledged {
        let position: Position
        let stream: SyncStream
        let number: Position
    }

    private struct Received {
        let row: JournalRow
        let stream: SyncStream
        let number: Position
    }

    private let journal: SQLiteJournal
    private let own: SyncPeer
    private let purpose: Purpose
    private let now: () -> (MonotonicTime, Timestamp)

    private var input = LineSplitter(longest: longestLine)
    /// What is to be sent.
    package private(set) var output: ArraySlice<UInt8> = []

    package private(set) var peer: SyncPeer?
    private var hasOpened = false
    private var openingLines = 0
    private var offers: [SharedLocation] = []
    /// By the id for the world, what this side shares, and then what both share.
    private var shared: [String: SharedLocation] = [:]
    /// The ids for the world, by the ids here.
    private var worlds: [Identifier: String] = [:]
    private var sharingVersion = Position.start
    /// Whether both sides have opened.
    package private(set) var isLive = false

    /// How far each side holds the rows of each journal in each location.
    private var held: [SyncStream: Position] = [:]
    private var peerHeld: [SyncStream: Position] = [:]
    /// Which rows that were, when the connection was opened.
    private var peerRows: [SyncStream: HeldRows] = [:]
    /// Up to which position of the journal the other side has been sent what it lacks.
    private var cursor = Position.start
    private var isBehind = false
    /// The highest row of each journal up to there, whether it was sent or not.
    private var visited: [SyncStream: Position] = [:]
    private var unacknowledged: ArraySlice<Unacknowledged> = []
    private var received: [Received] = []
    private var toAcknowledge: Set<SyncStream> = []
    /// The devices of the other side: those that it names, and those that are noted.
    private var arriving: [SyncDevice] = []
    private var connected: ConnectedDevices
    /// The journals of which the other side holds another history: nothing more of them is taken.
    private var parted: Set<String> = []
    /// The streams of which a row was missing, and is asked for.
    private var holes: Set<SyncStream> = []

    private var lastHeard: MonotonicTime
    private var lastSaid: MonotonicTime
    private var lastTaken: MonotonicTime
    private var hasSaidEven = false
    private var peerUnsent: Int?

    /// What the user should know of this connection, each once: how far clocks are apart, rows that were refused.
    package private(set) var notices: [String] = []
    /// When something of the other side came last.
    package private(set) var lastContact: Timestamp?
    package private(set) var rowsReceived = 0
    package private(set) var rowsSent = 0
    package private(set) var clockOffset = Duration.zero

    package init(
        _ journal: SQLiteJournal, name: String, _ purpose: Purpose,
        now: @escaping () -> (MonotonicTime, Timestamp)
    ) throws {
        self.journal = journal
        connected = ConnectedDevices(journal)
        self.purpose = purpose
        self.now = now
        try journal.followMachine()
        own = SyncPeer(journalId: try journal.id(), name: name)
        (lastHeard, lastSaid, lastTaken) = (now().0, now().0, now().0)
        if let new = journal.takeNewId() { tell(new.text) }
        if case .serve = purpose { try open() }
    }

    /// The position up to which the other side holds all rows that both share.
    package var acknowledged: Position {
        guard let first = unacknowledged.first else { return cursor }
        return Position(first.position.number - 1)
    }

    /// The ids of the locations that both sides share.
    package var locations: [Identifier] { shared.values.map(\.id).sorted { $0.text < $1.text } }

    /// Whether each side holds what the other one does.
    package var isEven: Bool { isLive && unsent == 0 && peerUnsent == 0 && received.isEmpty }

    private var unsent: Int { isBehind ? max(1, unacknowledged.count) : unacknowledged.count }

    /// When `advance` is to be called, though nothing has come.
    package var deadline: MonotonicTime {
        let silence = lastHeard + Self.timeout
        return hasOpened ? min(lastSaid + Self.signOfLife, silence) : silence
    }
}

// MARK: - Opening

extension SyncSession {
    private func open() throws {
        let (_, time) = now()
        sharingVersion = try journal.sharingVersion()
        let locations = try journal.sharedLocations()
        shared = Dictionary(locations.map { ($0.sharing.worldId, $0) }) { first, _ in first }
        send(.hello(own, version: SyncLine.version, at: time))
        locations.forEach { send(.shares($0)) }
        let rows = try journal.heldRows(of: locations.map(\.id))
        for location in locations {
            for (journal, rows) in rows[location.id] ?? [:] {
                let stream = SyncStream(world: location.sharing.worldId, journal: journal)
                held[stream] = rows.highest
                send(.holds(stream, rows.highest, rows))
            }
        }
        send(.ready)
        hasOpened = true
    }

    private func hear(_ peer: SyncPeer, version: String, at time: Timestamp) throws {
        guard version == SyncLine.version else {
            throw ProgramError(
                "\(peer.name): it speaks version \(version) of counter sync, and this machine version "
                    + SyncLine.version,
                remedy: "Install the same version of counter on both machines.", status: EX_PROTOCOL)
        }
        guard peer.journalId != own.journalId else {
            throw ProgramError(
                "\(peer.name): its journal is a copy of this one, and has the same id: no /etc/machine-id tells its machine from this one",
                remedy: "Start anew on one of them with an empty data directory, and join.",
                status: EX_DATAERR)
        }
        self.peer = peer
        clockOffset = time - now().1
        if max(clockOffset, .zero - clockOffset) >= Self.clockLimit {
            let seconds = clockOffset.components.seconds
            tell(
                "the clock of \(peer.name) is \(abs(seconds)) s \(seconds > 0 ? "ahead of" : "behind") this one: what both do "
                    + "meanwhile is ordered by their clocks. Set both by the network: timedatectl set-ntp true"
            )
        }
    }

    private func tell(_ notice: String) {
        if notices.count < Self.maxNotices, !notices.contains(notice) { notices.append(notice) }
    }

    /// The other side has said what it shares and holds.
    private func begin() throws {
        guard let peer else { throw garbage("ready before hello") }
        if case .connect(let join) = purpose {
            try join(peer, offers)
            try open()
        }
        let theirs = Set(offers.map(\.sharing.worldId))
        let ownNames = shared.values.map(\.name)
        shared = shared.filter { theirs.contains($0.key) }
        guard !shared.isEmpty else { throw nothingInCommon(peer, ownNames) }
        held = held.filter { shared[$0.key.world] != nil }
        peerHeld = peerHeld.filter { shared[$0.key.world] != nil }
        worlds = shared.reduce(into: [:]) { $0[$1.value.id] = $1.key }
        isLive = true
        try findDifferences(from: peer)
        try resume()
    }

    /// Where the other side holds not the same rows up to its highest one as this one, the one with fewer gets all of them again; both,
    /// where they are as many. So a row that is another one there is found.
    private func findDifferences(from peer: SyncPeer) throws {
        let known = try journal.heldRows(of: locations, upTo: byLocation(peerHeld))
        for (stream, position) in peerHeld {
            guard let rows = peerRows[stream], let location = shared[stream.world],
                let highest = held[stream], highest >= position,
                case let own = known[location.id]?[stream.journal] ?? HeldRows(), own != rows
            else { continue }
            // Where both hold the same highest row, the other side compares too.
            if own.count <= rows.count, highest > position { send(.again(stream, .start)) }
            guard own.count >= rows.count else { continue }
            if own.count > rows.count {
                tell(
                    "\(peer.name) lacked \(own.count - rows.count) rows of journal \(stream.journal) in '\(location.name)'"
                )
            }
            send(.anew(stream, .start))
            peerHeld[stream] = .start
        }
        peerRows = [:]
    }

    private func byLocation(_ positions: [SyncStream: Position]) -> [Identifier: [String: Position]] {
        positions.reduce(into: [:]) { result, known in
            guard let location = shared[known.key.world] else { return }
            result[location.id, default: [:]][known.key.journal] = known.value
        }
    }

    private func nothingInCommon(_ peer: SyncPeer, _ ownNames: [String]) -> ProgramError {
        if offers.isEmpty, ownNames.isEmpty {
            return ProgramError(
                "nothing is shared, here or on \(peer.name)",
                remedy: "Share a location: counter location share NAME", status: EX_UNAVAILABLE)
        }
        let theirs = offers.map { "'\($0.name)'" }.joined(separator: ", ")
        return ProgramError(
            "no location is shared on both machines"
                + (offers.isEmpty ? "" : "; \(peer.name) shares \(theirs)"),
            remedy: offers.isEmpty
                ? "Join what is shared here on the other machine: counter sync --join all PEER"
                : "Join what it shares: counter sync --join all PEER",
            status: EX_UNAVAILABLE)
    }

    /// Goes on sending after the last row that the other side holds.
    private func resume() throws {
        visited = [:]
        unacknowledged = []
        cursor = try journal.position(beforeRowsLackingIn: byLocation(peerHeld), of: locations)
        isBehind = true
    }
}

// MARK: - Input

extension SyncSession {
    /// Takes bytes in, and carries out the lines that are complete. Rows wait for those that come at once after them, unless they are
    /// the `last`.
    ///
    /// - Throws: `ProgramError`, `JournalError`, `SyncRestart`; then the connection is to be ended.
    package func receive(_ bytes: UnsafeRawBufferPointer, last: Bool = true) throws {
        let (time, date) = now()
        lastHeard = time
        input.append(bytes)
        while let line = input.next() {
            guard case .bytes(let line) = line else {
                throw garbage("a line is longer than \(Self.longestLine) bytes")
            }
            try receive(line: line)
            if isLive { lastContact = date }
        }
        guard last else { return }
        try commit()
        try produce()
    }

    private func receive(line bytes: ArraySlice<UInt8>) throws {
        let line: SyncLine
        do throws(LineError) { line = try SyncLine(bytes) } catch {
            throw garbage("\(error.why): '\(String(decoding: bytes.prefix(80), as: UTF8.self).sanitised)'")
        }
        if !isLive {
            openingLines += 1
            guard openingLines <= Self.maxOpening else { throw garbage("it shares without end") }
        }
        switch line {
        case .hello(let peer, let version, let time): try hear(peer, version: version, at: time)
        case .shares(let location): if !isLive { offers.append(location) }
        case .holds(let stream, let position, let rows):
            if !isLive { peerRows[stream] = rows }
            acknowledge(stream, position)
        case .ready: if !isLive { try begin() }
        case .row(let row, let stream, let number, let after): try receive(row, stream, number, after)
        case .again(let stream, let position):
            guard isLive else { return }
            peerHeld[stream] = position
            try resume()
        case .refused(let stream, let position, let why): noteRefused(stream, position, why)
        case .differs(let stream, let position):
            try requireNoFork(stream, position)
            noteRefused(stream, position, Refusal.otherHistory.reason())
        case .anew(let stream, let position):
            guard isLive, let location = shared[stream.world] else { return }
            tell(
                "rows of journal \(stream.journal) in '\(location.name)' were missing here; \(name) sends them again"
            )
            held[stream] = position
        case .present(let device): if isLive { arriving.append(device) }
        case .alive(let unsent):
            peerUnsent = unsent
            noteDevices()
        case .restart: throw SyncRestart()
        case .end(let error):
            throw ProgramError(
                "\(name) has ended the connection: \(error.message)", remedy: error.remedy,
                status: error.status)
        case .other: break
        }
    }

    private func garbage(_ what: String) -> ProgramError {
        if peer == nil {
            return ProgramError(
                "the other side does not speak counter sync: \(what)",
                remedy: "Its shell must print nothing at login without a terminal; look at its .bashrc.",
                status: EX_PROTOCOL)
        }
        return ProgramError(
            "\(peer?.name ?? ""): \(what)", remedy: "Install the same version of counter on both machines.",
            status: EX_PROTOCOL)
    }

    private var name: String { peer?.name ?? "the other side" }

    private func noteRefused(_ stream: SyncStream, _ number: Position, _ why: String) {
        let place = shared[stream.world].map { " of '\($0.name)'" } ?? ""
        tell(
            "\(name) does not take row \(number.number) of journal \(stream.journal)\(place): \(why). It stays here."
        )
    }

    /// Tells both sides of a row that this one does not take. The others follow.
    private func refuse(_ stream: SyncStream, _ number: Position, why: String) {
        let place = shared[stream.world].map { " of '\($0.name)'" } ?? ""
        tell(
            "row \(number.number) of journal \(stream.journal)\(place) is not taken: \(why). \(name) keeps it."
        )
        send(.refused(stream, number, why: why))
    }

    /// A row of this journal that is another one on the other side was written after an earlier copy of the journal was put back.
    private func requireNoFork(_ stream: SyncStream, _ number: Position) throws {
        guard try journal.ids().areHere(RowIdentity(journalId: stream.journal, position: number)) else {
            return
        }
        throw SyncFork(at: number, own: own.name, peer: name)
    }

    private func receive(
        _ row: Result<JournalRow, LineError>, _ stream: SyncStream, _ number: Position, _ after: Position
    ) throws {
        guard isLive, let location = shared[stream.world], !parted.contains(stream.journal) else { return }
        guard after <= held[stream] ?? .start else {
            // All after it come again too.
            if holes.insert(stream).inserted {
                tell(
                    "rows of journal \(stream.journal) are missing after \(held[stream]?.number ?? 0) in "
                        + "'\(location.name)'; they are asked for again")
                send(.again(stream, held[stream] ?? .start))
            }
            return
        }
        holes.remove(stream)
        held[stream] = max(held[stream] ?? .start, number)
        // What it sends it holds.
        peerHeld[stream] = max(peerHeld[stream] ?? .start, number)
        toAcknowledge.insert(stream)
        switch row {
        case .failure(let error): refuse(stream, number, why: error.why)
        case .success(var row):
            row.locationId = location.id
            if case .unknown(let content) = row.content {
                tell(
                    "\(name) sends rows of a kind that only later versions know: \(content.type). They are kept, and count nothing here."
                )
            }
            received.append(Received(row: row, stream: stream, number: number))
        }
        if received.count >= Self.batch { try commit() }
    }

    private func commit() throws {
        if !received.isEmpty {
            let answers = try journal.append(received.map { Request($0.row) }, receivedAt: now().1)
            for (answer, row) in zip(answers, received) {
                guard case .refused(let refusal) = answer.outcome else { continue }
                if refusal == .otherHistory {
                    guard parted.insert(row.stream.journal).inserted else { continue }
                    send(.differs(row.stream, row.number))
                    try requireNoFork(row.stream, row.number)
                }
                refuse(row.stream, row.number, why: refusal.reason(row.row.locationId, []))
            }
            if let new = journal.takeNewId() { tell(new.text) }
            rowsReceived += received.count
            received.removeAll(keepingCapacity: true)
            isBehind = true
        }
        for stream in toAcknowledge { send(.holds(stream, held[stream] ?? .start, nil)) }
        toAcknowledge.removeAll(keepingCapacity: true)
    }

    /// Keeps the devices of the other side as connected here, until it says otherwise or the connection ends.
    private func noteDevices() {
        let places = Dictionary(
            arriving.compactMap { device in shared[device.world].map { (device.id, $0.id) } }
        ) { $1 }
        let present = arriving.filter { places[$0.id] != nil }.map { (id: $0.id, name: $0.name) }
        connected.note(present, at: now().1) { places[$0] ?? "" }
        arriving = []
    }
}

// MARK: - Output

extension SyncSession {
    private func send(_ line: SyncLine) { send(line.text) }

    private func send(_ text: String) {
        if output.isEmpty { lastTaken = now().0 }
        output += text.utf8
        output.append(UInt8(ascii: "\n"))
        lastSaid = now().0
    }

    /// The connection has ended: what was connected to the other side is no longer.
    package func close() { connected.note([], at: now().1) { $0 } }

    /// Tells the other side why this one ends.
    package func end(_ error: ProgramError) { send(.end(error)) }

    /// Notes that bytes of `output` were sent.
    package func sent(_ count: Int) throws {
        output.removeFirst(count)
        if output.isEmpty { output = [] }
        lastTaken = now().0
        try produce()
    }

    /// Notes that another program has committed.
    package func journalChanged() throws {
        guard hasOpened else { return }
        if try journal.sharingVersion() != sharingVersion {
            send(.restart)
            throw SyncRestart()
        }
        isBehind = true
        try produce()
    }

    /// Does what is due: a sign of life, or the end of a connection whose other side is silent.
    package func advance() throws {
        let (time, _) = now()
        if time - lastHeard >= Self.timeout {
            throw ProgramError(
                "\(name): silent for \(Self.timeout.components.seconds) s",
                remedy: "It is tried again.", status: EX_TEMPFAIL)
        }
        if !output.isEmpty, time - lastTaken >= Self.timeout {
            throw ProgramError("\(name): does not read", remedy: "It is tried again.", status: EX_TEMPFAIL)
        }
        if hasOpened, time - lastSaid >= Self.signOfLife { try sendSignOfLife() }
    }

    /// The devices that are connected here go with it. Those of other machines are told by them.
    private func sendSignOfLife() throws {
        if isLive {
            for device in try journal.devices() {
                guard let connection = device.connection, connection.program != Self.program,
                    let world = worlds[device.locationId ?? connection.locationId]
                else { continue }
                send(.present(SyncDevice(world: world, id: device.id, name: device.name)))
            }
        }
        send(.alive(unsent: unsent))
    }

    /// Adds rows that the other side lacks, as many as there is room for.
    private func produce() throws {
        guard isLive else { return }
        while isBehind, output.count < Self.maxOutput, unacknowledged.count < Self.maxUnacknowledged {
            let (rows, through) = try journal.feed(after: cursor, of: locations, limit: Self.page)
            try rows.forEach(add)
            isBehind = rows.count == Self.page
            cursor = through
        }
        if unsent == 0, !hasSaidEven { try sendSignOfLife() }
        hasSaidEven = unsent == 0
    }

    private func add(_ row: FeedRow) throws {
        guard let identity = row.row.origin?.identity, let location = row.row.locationId,
            let world = worlds[location]
        else { return }
        let stream = SyncStream(world: world, journal: identity.journalId)
        let last = visited[stream]
        visited[stream] = max(last ?? .start, identity.position)
        // One that stands after its successors here has filled a hole.
        let fillsHole = last.map { identity.position < $0 } ?? false
        let theirs = peerHeld[stream] ?? .start
        guard identity.position > theirs || fillsHole else { return }
        send(SyncLine.text(of: row, world: world, after: last ?? theirs))
        unacknowledged.append(
            Unacknowledged(position: row.row.id, stream: stream, number: identity.position))
        rowsSent += 1
    }

    private func acknowledge(_ stream: SyncStream, _ position: Position) {
        peerHeld[stream] = max(peerHeld[stream] ?? .start, position)
        while let first = unacknowledged.first, first.number <= peerHeld[first.stream] ?? .start {
            unacknowledged.removeFirst()
        }
        if unacknowledged.isEmpty { unacknowledged = [] }
    }
}

/// The other side has another row in the place of one that was written here.
package struct SyncFork: Error {
    package let at: Position
    fileprivate let own, peer: String

    var failure: ProgramError {
        ProgramError(
            "row \(at.number) of the journal of \(own) is another one on \(peer): an earlier copy of that journal was put back, and "
                + "counted on before its later rows came back",
            remedy: "On \(own): counter sync --fork, and what was counted since has a new journal id.",
            status: EX_DATAERR)
    }
}

/// The other side shares other locations now: the connection is made again.
package struct SyncRestart: Error {}
