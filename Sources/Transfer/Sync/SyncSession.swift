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
    /// How many rows are one transaction.
    private static let batch = 2_048
    /// How many lines an opening may have.
    private static let maxOpening = 100_000
    /// How many streams are remembered: the other side could make up new ones without end.
    private static let maxStreams = 2 * maxOpening
    /// How often the other side may ask for the rows of a stream again, each time after some were lost on the way.
    private static let maxRepeats = 100
    /// How many devices a side may have connected.
    private static let maxDevices = 10_000
    private static let maxNotices = 16
    package static let signOfLife = Duration.seconds(20)
    /// How long the other side may be silent, or not read.
    package static let timeout = Duration.seconds(60)
    /// How soon the other side has to answer once the network has changed.
    private static let answerTimeout = Duration.seconds(10)
    /// From this on clocks are apart, in seconds.
    private static let clockLimit = 5.0
    /// How many readings of the other side's clock are compared, one each 20 s. A break that delays all of them ends the connection.
    private static let clockTimes = 4
    /// As many rows at once are followed by more: their commit waits for those.
    private static let many = 64

    /// Called with what the other side shares, before this side says what it shares.
    package typealias Join = (_ peer: SyncPeer, _ offers: [SharedLocation]) throws -> Void
    private typealias Received = (row: JournalRow, stream: SyncStream, number: Position)

    let journal: SQLiteJournal
    let own: SyncPeer
    /// Nil where the other side has started this one.
    let join: Join?
    /// The locations that the other side may be told of; nil for all that are shared.
    let only: Set<Identifier>?
    let now: () -> (MonotonicTime, Timestamp)

    private var input = LineSplitter(longest: longestLine)
    /// What is to be sent.
    package internal(set) var output: ArraySlice<UInt8> = []

    package internal(set) var peer: SyncPeer?
    /// Whether NTP keeps the clock of the other side right.
    var hasRightClock = false
    var hasOpened = false
    var openingLines = 0
    var offers: [SharedLocation] = []
    /// What the other side shares; nil until it has said all.
    package internal(set) var peerShares: [SharedLocation]?
    /// What this side held when it opened: of the locations that it shares, and of none.
    var opened = HeldLocations()
    var openedRows: [SyncStream: [(number: Position, time: Timestamp)]] = [:]
    /// By the id for the world, what this side shares, and then what both share.
    var shared: [String: SharedLocation] = [:]
    /// The ids for the world, by the ids here.
    var worlds: [Identifier: String] = [:]
    var sharingVersion = Position.start
    /// Whether both sides have opened.
    package internal(set) var isLive = false

    /// How far each side holds the rows of each stream.
    var held: [SyncStream: Position] = [:]
    var peerHeld: [SyncStream: Position] = [:]
    /// Which rows that were, when the connection was opened.
    var peerRows: [SyncStream: HeldRows] = [:]
    /// Up to which position of the journal the other side has been sent what it lacks.
    var cursor = Position.start
    var isBehind = false
    /// The highest row of each journal up to there, whether it was sent or not.
    var visited: [SyncStream: Position] = [:]
    var unacknowledged: ArraySlice<(position: Position, stream: SyncStream, number: Position)> = []
    /// The devices and journals of which the other side has been sent what it lacks, each with the position up to which, and those
    /// that wait for it.
    var introduced: [SyncStream.Subject: Position] = [:]
    var toIntroduce: ArraySlice<SyncStream.Subject> = []
    private var received: [Received] = []
    /// Whether so many rows wait for their commit that it is worth to wait for more.
    var isReceivingMany: Bool { received.count >= Self.many }
    private var toAcknowledge: Set<SyncStream> = []
    /// Calls its argument once what was committed may be acknowledged: at once, unless it is to be stored elsewhere too.
    package var whenStored: (@escaping () -> Void) -> Void = { $0() }
    /// The devices of the other side: those that it names, those that it has named, and those that are noted.
    private var arriving: [SyncDevice] = []
    private var arrived: [SyncDevice]?
    var connected: ConnectedDevices
    /// The journals of which the other side holds another history: nothing more of them is taken.
    private var parted: Set<String> = []
    /// The first row of each journal that is another one here.
    private var differing: [String: Received] = [:]
    /// The rows in whose places the other side has said that it holds others.
    private var differences: [(stream: SyncStream, number: Position)] = []
    /// The streams that come again because they differ, up to which row. A fork begins with the first row of all of them.
    var compared: [SyncStream: Position] = [:]
    /// The streams of which a row was missing, and is asked for.
    private var holes: Set<SyncStream> = []
    /// How often the other side has asked for a stream's rows again; whether it waits for that, and for a sign of life.
    private var repeats: [SyncStream: Int] = [:]
    var mustResume = false
    private var mustAnswer = false

    private(set) var lastHeard: MonotonicTime
    /// When the other side was asked to answer, until something comes.
    private var asked: MonotonicTime?
    var lastSaid: MonotonicTime
    var lastTaken: MonotonicTime
    var hasSaidEven = false
    private var peerUnsent: Int?

    /// What the user should know of this connection, each once: how far clocks are apart, rows that were refused.
    package var notices: [String] { [clockNotice].compactMap(\.self) + told }
    private var told: [String] = []
    /// When something of the other side came last.
    package private(set) var lastContact: Timestamp?
    package private(set) var rowsReceived = 0
    package internal(set) var rowsSent = 0
    /// The last times of the other side when they came, in seconds after this one's.
    private var clockDifferences: ArraySlice<Double> = []
    /// How many seconds the clock of the other side is ahead of this one; 0 where that is hardly so.
    package var secondsAhead: Int {
        // On the way a time gets older, never newer, so the latest is nearest to the truth.
        let seconds = clockDifferences.max() ?? 0
        return abs(seconds) < Self.clockLimit ? 0 : Int(seconds.rounded())
    }

    package init(
        _ journal: SQLiteJournal, name: String, join: Join?, only: Set<Identifier>? = nil,
        now: @escaping () -> (MonotonicTime, Timestamp)
    ) throws {
        self.journal = journal
        connected = ConnectedDevices(journal)
        (self.join, self.only, self.now) = (join, only, now)
        try journal.followMachine()
        own = SyncPeer(journalId: try journal.id(), name: name)
        (lastHeard, lastSaid, lastTaken) = (now().0, now().0, now().0)
        if let new = journal.takeNewId() { tell(new.text) }
        if join == nil { try open() }
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

    var unsent: Int { hasMore ? max(1, unacknowledged.count) : unacknowledged.count }
    var hasMore: Bool { isBehind || !toIntroduce.isEmpty }

    /// When `advance` is to be called, though nothing has come.
    package var deadline: MonotonicTime {
        let silence = lastHeard + Self.timeout
        guard hasOpened else { return silence }
        return min(lastSaid + Self.signOfLife, asked.map { $0 + Self.answerTimeout } ?? silence, silence)
    }
}

// MARK: - Time

extension SyncSession {
    /// Does what is due: a sign of life, or the end of a connection whose other side is silent.
    package func advance() throws {
        let (time, _) = now()
        if let asked, time - asked >= Self.answerTimeout {
            throw lost("not reached since the network has changed")
        }
        if time - lastHeard >= Self.timeout { throw lost("silent for \(Self.timeout.components.seconds) s") }
        if !output.isEmpty, time - lastTaken >= Self.timeout { throw lost("does not read") }
        if hasOpened, time - lastSaid >= Self.signOfLife { try sendSignOfLife() }
    }

    private func lost(_ why: String) -> ProgramError {
        ProgramError(
            "\(name): \(why)",
            remedy: join == nil ? "It connects again by itself." : "Is it on, and reached by the network?",
            status: EX_TEMPFAIL)
    }

    /// Asks the other side whether it is still reached.
    package func networkChanged() throws {
        guard isLive, asked == nil else { return }
        try sendSignOfLife(asksForAnswer: true)
        asked = now().0
    }
}

// MARK: - Notices

extension SyncSession {
    var name: String { peer?.name ?? "the other side" }

    func tell(_ notice: String) {
        if told.count < Self.maxNotices, !told.contains(notice) { told.append(notice) }
    }

    func compareClocks(_ theirs: Timestamp) {
        clockDifferences.append(Double(theirs.microseconds - now().1.microseconds) / 1_000_000)
        clockDifferences = clockDifferences.suffix(Self.clockTimes)
    }

    private var clockNotice: String? {
        SyncStatus.clockWords(of: name, secondsAhead: secondsAhead).map {
            "\($0): what both do meanwhile is ordered by their clocks. Set both by the network: timedatectl set-ntp true"
        }
    }

    /// Where a row is, to follow its number.
    func place(of stream: SyncStream) -> String {
        switch stream.subject {
        case .location(let world): shared[world].map { " of '\($0.name)'" } ?? ""
        case .device(let id): " of the device '\(id)'"
        case .journal: ""
        }
    }
}

// MARK: - Input

extension SyncSession {
    /// Takes bytes in, and carries out the lines that are complete. What reads or writes the journal waits for what comes
    /// soon after, unless it is the `last`; see `settle`. Throws `ProgramError`, `JournalError`, `SyncRestart`; then the
    /// connection is to be ended.
    package func receive(_ bytes: UnsafeRawBufferPointer, last: Bool = true) throws {
        // What has been done meanwhile is no silence of the other side.
        defer { lastHeard = now().0 }
        let date = now().1
        asked = nil
        input.append(bytes)
        while let line = input.next() {
            guard case .bytes(let line) = line else {
                throw garbage("a line is longer than \(Self.longestLine) bytes")
            }
            try receive(line: line)
            if isLive { lastContact = date }
        }
        if last { try settle() }
    }

    /// Commits the rows that wait for it, and does once what the other side has asked for since, however often that was.
    package func settle() throws {
        try commit()
        try noteDifferences()
        // What the devices are called comes before that they are connected.
        noteDevices()
        if mustAnswer { try sendSignOfLife() }
        mustAnswer = false
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
        case .hello(let peer, let version, let time, let isSynchronised):
            try hear(peer, version: version, at: time, isSynchronised: isSynchronised)
        case .shares(let location): if !isLive { offers.append(location) }
        case .holds(let stream, let position, let rows):
            if !isLive { peerRows[stream] = rows }
            try admit(stream)
            acknowledge(stream, position)
        case .ready: if !isLive { try begin() }
        case .row(let row, let stream, let number, let after): try receive(row, stream, number, after)
        case .again(let stream, let position):
            // Nothing is missing there of a stream of which there is nothing here.
            guard isLive, held[stream] != nil else { return }
            repeats[stream, default: 0] += 1
            guard repeats[stream, default: 0] <= Self.maxRepeats else {
                throw garbage("it asks for rows again without end")
            }
            peerHeld[stream] = position
            (mustResume, isBehind) = (true, true)
        case .refused(let stream, let position, let why): noteRefused(stream, position, why)
        case .differs(let stream, let position): differences.append((stream, position))
        case .anew(let stream, let position):
            guard isLive, travels(stream) else { return }
            try admit(stream)
            tell(
                "rows of journal \(stream.journal)\(place(of: stream)) were missing here; \(name) sends them again"
            )
            held[stream] = position
        case .present(let device):
            guard isLive else { return }
            guard arriving.count < Self.maxDevices else { throw garbage("it names devices without end") }
            arriving.append(device)
        case .alive(let unsent, let time, let asksForAnswer):
            peerUnsent = unsent
            if asksForAnswer { mustAnswer = true }
            // What waited behind rows has an old time.
            if unsent == 0 { compareClocks(time) }
            (arrived, arriving) = (arriving, [])
        case .restart: throw SyncRestart()
        case .end(let error):
            try noteDifferences()
            throw ProgramError(
                "\(name) has ended the connection: \(error.message)", remedy: error.remedy,
                status: error.status)
        case .other: break
        }
    }

    func garbage(_ what: String) -> ProgramError {
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

    private func noteRefused(_ stream: SyncStream, _ number: Position, _ why: String) {
        tell(
            "\(name) does not take row \(number.number) of journal \(stream.journal)\(place(of: stream)): \(why). It stays here."
        )
    }

    private func noteDifferences() throws {
        if differences.isEmpty { return }
        // Rows that were lost here, and have come with it, begin a new id: then it is no fork.
        try commit()
        for (stream, number) in differences {
            try requireNoFork(stream, number)
            noteRefused(stream, number, Refusal.otherHistory.reason())
        }
        differences = []
    }

    /// Tells both sides of a row that this one does not take. The others follow.
    private func refuse(_ stream: SyncStream, _ number: Position, why: String) {
        tell(
            "row \(number.number) of journal \(stream.journal)\(place(of: stream)) is not taken: \(why). \(name) keeps it."
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

    private func admit(_ stream: SyncStream) throws {
        if peerHeld[stream] != nil || held[stream] != nil || holes.contains(stream) { return }
        guard max(peerHeld.count, held.count, holes.count) < Self.maxStreams else {
            throw garbage("it names journals without end")
        }
    }

    private func receive(
        _ row: Result<JournalRow, LineError>, _ stream: SyncStream, _ number: Position, _ after: Position
    ) throws {
        guard isLive, travels(stream), !parted.contains(stream.journal) else { return }
        try admit(stream)
        guard after <= held[stream] ?? .start else {
            // All after it come again too.
            if holes.insert(stream).inserted {
                tell(
                    "rows of journal \(stream.journal)\(place(of: stream)) are missing after \(held[stream]?.number ?? 0); "
                        + "they are asked for again")
                send(.again(stream, held[stream] ?? .start))
            }
            return
        }
        holes.remove(stream)
        if number >= compared[stream] ?? .start { compared[stream] = nil }
        held[stream] = max(held[stream] ?? .start, number)
        // What it sends it holds.
        peerHeld[stream] = max(peerHeld[stream] ?? .start, number)
        toAcknowledge.insert(stream)
        switch row {
        case .failure(let error): refuse(stream, number, why: error.why)
        case .success(var row):
            row.locationId = stream.world.flatMap { shared[$0]?.id }
            if case .unknown(let content) = row.content {
                tell(
                    "\(name) sends rows of a kind that only later versions know: \(content.type). They are kept, and count nothing here."
                )
            }
            received.append((row, stream, number))
        }
        if received.count >= Self.batch { try commit() }
    }

    private func travels(_ stream: SyncStream) -> Bool { stream.world.map { shared[$0] != nil } ?? true }

    /// The present, by which a clock is ahead: that of the other side where NTP keeps its clock right, and not this one's.
    private var present: Timestamp {
        let time = now().1
        return hasRightClock && !journal.isSynchronised() ? time + .seconds(secondsAhead) : time
    }

    private func commit() throws {
        if !received.isEmpty {
            let answers = try journal.append(received.map { Request($0.row) }, receivedAt: present)
            for (answer, row) in zip(answers, received) {
                guard case .refused(let refusal) = answer.outcome else { continue }
                guard refusal == .otherHistory else {
                    refuse(row.stream, row.number, why: refusal.reason(row.row.locationId, []))
                    continue
                }
                let known = differing[row.stream.journal]
                if known.map({ row.number < $0.number }) ?? true { differing[row.stream.journal] = row }
            }
            for (journal, row) in differing where !compared.keys.contains(where: { $0.journal == journal }) {
                guard parted.insert(journal).inserted else { continue }
                send(.differs(row.stream, row.number))
                try requireNoFork(row.stream, row.number)
                refuse(row.stream, row.number, why: Refusal.otherHistory.reason(row.row.locationId, []))
            }
            if let new = journal.takeNewId() { tell(new.text) }
            rowsReceived += received.count
            received.removeAll(keepingCapacity: true)
            isBehind = true
        }
        if toAcknowledge.isEmpty { return }
        let stored = toAcknowledge.map { ($0, held[$0] ?? .start) }
        toAcknowledge.removeAll(keepingCapacity: true)
        whenStored { [weak self] in
            for (stream, position) in stored { self?.send(.holds(stream, position, nil)) }
        }
    }

    /// Keeps the devices of the other side as connected here, until it says otherwise or the connection ends.
    private func noteDevices() {
        guard let devices = arrived else { return }
        arrived = nil
        let places = Dictionary(
            devices.compactMap { device in shared[device.world].map { (device.id, $0.id) } }
        ) { $1 }
        let known = devices.filter { places[$0.id] != nil }.map { (id: $0.id, name: $0.name) }
        connected.note(known, at: now().1) { places[$0] ?? "" }
    }
}

/// The other side has another row in the place of one that was written here.
package struct SyncFork: ExplainedError {
    package let at: Position
    fileprivate let own, peer: String

    package var failure: ProgramError {
        ProgramError(
            "row \(at.number) of the journal of \(own) is another one on \(peer): an earlier copy of that journal was put back, and "
                + "counted on before its later rows came back",
            remedy: "On \(own): counter sync --fork, and what was counted since has a new journal id.",
            status: EX_DATAERR)
    }
}

/// The other side shares other locations now: the connection is made again.
package struct SyncRestart: Error {}
