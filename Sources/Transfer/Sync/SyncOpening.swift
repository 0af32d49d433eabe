import CounterModel
import CounterStore
import Glibc
import Linux

/// How both sides begin: who they are, what they share, and how far each holds it.
extension SyncSession {
    func open() throws {
        let (_, time) = now()
        sharingVersion = try journal.sharingVersion()
        let locations = try journal.sharedLocations().filter { only?.contains($0.id) ?? true }
        shared = Dictionary(locations.map { ($0.sharing.worldId, $0) }) { first, _ in first }
        send(.hello(own, version: SyncLine.version, at: time, isSynchronised: journal.isSynchronised()))
        locations.forEach { send(.shares($0)) }
        opened = try journal.held(of: locations.map(\.id))
        for location in locations {
            for (journal, rows) in opened.rows[location.id] ?? [:] {
                let stream = SyncStream(subject: .location(location.sharing.worldId), journal: journal)
                held[stream] = rows.highest
                send(.holds(stream, rows.highest, rows))
            }
        }
        let subjects = subjects(of: locations.map(\.id))
        for row in try journal.rowsOfNoLocation().map(\.row) {
            guard let stream = stream(of: row), let number = row.origin?.identity?.position,
                subjects.contains(stream.subject)
            else { continue }
            openedRows[stream, default: []].append((number, row.timestamp))
        }
        for stream in openedRows.keys {
            guard let rows = opened(stream) else { continue }
            held[stream] = rows.highest
            send(.holds(stream, rows.highest, rows))
        }
        send(.ready)
        hasOpened = true
    }

    /// The devices that count at some locations, and the journals with rows there; this one has a name before it has rows.
    private func subjects(of locations: [Identifier]) -> Set<SyncStream.Subject> {
        var subjects: Set<SyncStream.Subject> = [.journal(own.journalId)]
        for location in locations {
            subjects.formUnion((opened.devices[location] ?? []).map { .device($0) })
            subjects.formUnion((opened.rows[location] ?? [:]).keys.map { .journal($0) })
        }
        return subjects
    }

    func hear(_ peer: SyncPeer, version: String, at time: Timestamp, isSynchronised: Bool) throws {
        guard version == SyncLine.version else {
            throw ProgramError(
                "\(peer.name): it speaks version \(version) of counter sync, and this machine version "
                    + SyncLine.version,
                remedy: "Install the same version of counter on both machines.", status: EX_PROTOCOL)
        }
        guard peer.journalId != own.journalId else {
            throw ProgramError(
                "\(peer.name): its journal has the id of this one: it is the same, or a copy on a machine with the same /etc/machine-id, or none",
                remedy: "Start anew on one of them with an empty data directory, and join.",
                status: EX_DATAERR)
        }
        self.peer = peer
        hasRightClock = isSynchronised
        compareClocks(time)
    }

    /// The other side has said what it shares and holds.
    func begin() throws {
        guard let peer else { throw garbage("ready before hello") }
        peerShares = offers
        if let join {
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
        isLive = true
        try nameJournal()
        try findDifferences(from: peer)
        try resume()
    }

    /// Where the other side holds rows of this journal that are lost here, a name would stand in the place of one of them.
    private func nameJournal() throws {
        let hasLost = peerHeld.contains { stream, position in
            stream.journal == own.journalId && position > held[stream] ?? .start
        }
        if !hasLost { try journal.rename(ifNamelessTo: own.name, at: now().1) }
    }

    /// Where the other side holds not the same rows up to its highest one as this one, the one with fewer gets all of them again; both,
    /// where they are as many. So a row that is another one there is found.
    private func findDifferences(from peer: SyncPeer) throws {
        let comparable = peerHeld.filter { peerRows[$0.key] != nil && $0.value <= held[$0.key] ?? .start }
        let known = try journal.rows(of: opened, upTo: byLocation(comparable))
        for (stream, position) in comparable {
            let own: HeldRows?
            if openedRows[stream] != nil {
                own = opened(stream, upTo: position)
            } else {
                own = stream.world.flatMap { shared[$0] }.flatMap { known[$0.id]?[stream.journal] }
            }
            guard let own, let rows = peerRows[stream], own != rows else { continue }
            // Where both hold the same highest row, the other side compares too.
            if own.count <= rows.count, held[stream] ?? .start > position {
                send(.again(stream, .start))
                compared[stream] = position
            }
            guard own.count >= rows.count else { continue }
            if own.count > rows.count {
                let lacking = own.count - rows.count
                tell("\(peer.name) lacked \(lacking) rows of journal \(stream.journal)\(place(of: stream))")
            }
            send(.anew(stream, .start))
            peerHeld[stream] = .start
        }
        peerRows = [:]
    }

    /// What this side held of a device or a journal when it opened.
    private func opened(_ stream: SyncStream, upTo limit: Position? = nil) -> HeldRows? {
        openedRows[stream].map { rows in
            rows.filter { $0.number <= limit ?? $0.number }
                .reduce(into: HeldRows()) { $0.add($1.number, at: $1.time) }
        }
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
        mustResume = false
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
