import CounterModel
import CounterStore
import Glibc
import Linux

/// How both sides begin: who they are, what they share, and how far each holds it.
extension SyncSession {
    func open() throws {
        let (_, time) = now()
        sharingVersion = try journal.sharingVersion()
        let locations = try journal.sharedLocations()
        shared = Dictionary(locations.map { ($0.sharing.worldId, $0) }) { first, _ in first }
        if !locations.isEmpty { try journal.rename(ifNamelessTo: own.name, at: time) }
        send(.hello(own, version: SyncLine.version, at: time))
        locations.forEach { send(.shares($0)) }
        opened = try journal.held(of: locations.map(\.id))
        for location in locations {
            for (journal, rows) in opened.rows[location.id] ?? [:] {
                let stream = SyncStream(subject: .location(location.sharing.worldId), journal: journal)
                held[stream] = rows.highest
                send(.holds(stream, rows.highest, rows: rows.count))
            }
        }
        let subjects = subjects(of: locations.map(\.id))
        for row in try journal.rowsOfNoLocation().map(\.row) {
            guard let stream = stream(of: row), let number = row.origin?.identity?.position,
                subjects.contains(stream.subject)
            else { continue }
            openedRows[stream, default: []].append(number)
        }
        for (stream, numbers) in openedRows {
            let highest = numbers.max() ?? .start
            held[stream] = highest
            send(.holds(stream, highest, rows: numbers.count))
        }
        send(.ready)
        hasOpened = true
    }

    /// The devices that count at some locations, and the journals with rows there.
    private func subjects(of locations: [Identifier]) -> Set<SyncStream.Subject> {
        Set(
            locations.flatMap { opened.devices[$0] ?? [] }.map { .device($0) }
                + locations.flatMap { opened.rows[$0].map { Array($0.keys) } ?? [] }.map { .journal($0) })
    }

    func hear(_ peer: SyncPeer, version: String, at time: Timestamp) throws {
        guard version == SyncLine.version else {
            throw ProgramError(
                "\(peer.name): it speaks version \(version) of counter sync, and this machine version "
                    + SyncLine.version,
                remedy: "Install the same version of counter on both machines.", status: EX_PROTOCOL)
        }
        guard peer.journalId != own.journalId else {
            throw ProgramError(
                "\(peer.name): its journal is a copy of this one, and has the same id",
                remedy:
                    "Two machines need two journals. Start anew on one of them with another data directory.",
                status: EX_DATAERR)
        }
        self.peer = peer
        compareClocks(time)
    }

    /// The other side has said what it shares and holds.
    func begin() throws {
        guard let peer else { throw garbage("ready before hello") }
        peerShares = offers
        if case .connect(let join) = purpose {
            try join(peer, offers)
            try open()
        }
        let theirs = Set(offers.map(\.sharing.worldId))
        let ownNames = shared.values.map(\.name)
        shared = shared.filter { theirs.contains($0.key) }
        guard !shared.isEmpty else { throw nothingInCommon(peer, ownNames) }
        let isCommon = { (stream: SyncStream) in stream.world.map { self.shared[$0] != nil } ?? true }
        held = held.filter { isCommon($0.key) }
        peerHeld = peerHeld.filter { isCommon($0.key) }
        worlds = shared.reduce(into: [:]) { $0[$1.value.id] = $1.key }
        try refuseLostRows(of: peer, own)
        try refuseLostRows(of: own, peer)
        isLive = true
        try findHoles(of: peer)
        try resume()
    }

    /// A journal that lacks rows of its own would give their numbers to others.
    private func refuseLostRows(of loser: SyncPeer, _ holder: SyncPeer) throws {
        let (theirs, others) = loser == own ? (held, peerHeld) : (peerHeld, held)
        for (stream, position) in others where stream.journal == loser.journalId {
            let known = theirs[stream] ?? .start
            guard position > known, let location = stream.world.flatMap({ shared[$0] }) else { continue }
            throw ProgramError(
                "the journal of \(loser.name) lacks rows of its own that \(holder.name) holds, after row \(known.number) in "
                    + "'\(location.name)': an earlier copy of it was put back",
                remedy:
                    "Begin with an empty data directory on \(loser.name), and join what \(holder.name) shares.",
                status: EX_DATAERR)
        }
    }

    /// Where the other side holds fewer rows up to its highest one than this one, it gets all of them again.
    private func findHoles(of peer: SyncPeer) throws {
        let behind = peerHeld.filter { stream, position in
            peerRows[stream] != nil && opened(stream).map { position < $0.highest } ?? false
        }
        let after = try journal.countRows(after: byLocation(behind))
        for (stream, position) in peerHeld {
            guard let rows = peerRows[stream], let own = opened(stream), position <= own.highest else {
                continue
            }
            let later: Int?
            if position == own.highest {
                later = 0
            } else if let numbers = openedRows[stream] {
                later = numbers.contains(position) ? numbers.count { $0 > position } : nil
            } else {
                later = stream.world.flatMap { shared[$0] }.flatMap { after[$0.id]?[stream.journal] }
            }
            guard let later, own.count - later > rows else { continue }
            let lacking = own.count - later - rows
            tell("\(peer.name) lacked \(lacking) rows of journal \(stream.journal)\(place(of: stream))")
            send(.anew(stream, .start))
            peerHeld[stream] = .start
        }
        peerRows = [:]
    }

    /// What this side held of a stream when it opened.
    private func opened(_ stream: SyncStream) -> HeldLocations.Rows? {
        if let numbers = openedRows[stream] {
            return .init(highest: numbers.max() ?? .start, count: numbers.count)
        }
        return stream.world.flatMap { shared[$0] }.flatMap { opened.rows[$0.id]?[stream.journal] }
    }

    private func byLocation(_ positions: [SyncStream: Position]) -> [Identifier: [String: Position]] {
        positions.reduce(into: [:]) { result, known in
            guard let location = known.key.world.flatMap({ shared[$0] }) else { return }
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
    func resume() throws {
        visited = [:]
        unacknowledged = []
        let known = subjects(of: locations).union(introduced.keys)
        let named = Set(openedRows.keys.map(\.subject)).union(introduced.keys)
        toIntroduce = ArraySlice(known.intersection(named))
        introduced = known.subtracting(named).reduce(into: [:]) { $0[$1] = opened.through }
        cursor = try journal.position(beforeRowsLackingIn: byLocation(peerHeld), of: opened)
        isBehind = true
    }
}
