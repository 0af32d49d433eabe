import CounterModel
import CounterStore
package import Linux

/// What a side sends: the rows that the other one lacks, in the order in which its journal holds them, and signs of life.
extension SyncSession {
    /// As whose the journal knows the devices of other machines: `ProcessIdentity.program` of counter-sync.
    private static let program = "counter sync"
    /// How many bytes may wait to be sent before no more rows are read.
    private static let maxOutput = 262_144
    /// How many rows may wait for their acknowledgement.
    private static let maxUnacknowledged = 8_192
    /// How many rows one read returns.
    private static let page = 512

    func send(_ line: SyncLine) { send(line.text) }

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

    /// The devices that are connected here go with it. Those of other machines are told by them.
    func sendSignOfLife(asksForAnswer: Bool = false) throws {
        if isLive {
            for device in try journal.devices() {
                guard let connection = device.connection, connection.program != Self.program,
                    let world = worlds[device.locationId ?? connection.locationId]
                else { continue }
                try introduce(.device(device.id))
                send(.present(SyncDevice(world: world, id: device.id, name: device.name)))
            }
        }
        send(.alive(unsent: unsent, at: now().1, asksForAnswer: asksForAnswer))
    }

    /// Adds rows that the other side lacks, as many as there is room for.
    func produce() throws {
        guard isLive else { return }
        if mustResume { try resume() }
        while hasMore, output.count < Self.maxOutput, unacknowledged.count < Self.maxUnacknowledged {
            if let subject = toIntroduce.popFirst() {
                try introduce(subject)
                continue
            }
            let (rows, through) = try journal.feed(after: cursor, of: locations, limit: Self.page)
            for row in rows {
                guard let stream = stream(of: row.row) else { continue }
                switch stream.subject {
                case .location:
                    add(row, of: stream)
                    try introduceAll(of: row.row, stream)
                // One that counts nowhere that both share is not told of.
                case .device, .journal:
                    guard let through = introduced[stream.subject], row.row.id > through else { continue }
                    add(row, of: stream)
                }
            }
            isBehind = rows.count == Self.page
            cursor = through
        }
        if unsent == 0, !hasSaidEven { try sendSignOfLife() }
        hasSaidEven = unsent == 0
    }

    private func add(_ row: FeedRow, of stream: SyncStream) {
        guard let number = row.row.origin?.identity?.position else { return }
        let last = visited[stream]
        visited[stream] = max(last ?? .start, number)
        // Another connection may have brought it.
        held[stream] = max(held[stream] ?? .start, number)
        // One that stands after its successors here has filled a hole.
        let fillsHole = last.map { number < $0 } ?? false
        let theirs = peerHeld[stream] ?? .start
        guard number > theirs || fillsHole else { return }
        send(SyncLine.text(of: row, world: stream.world, after: last ?? theirs))
        unacknowledged.append((max(row.row.id, Position(cursor.number + 1)), stream, number))
        rowsSent += 1
    }

    func acknowledge(_ stream: SyncStream, _ position: Position) {
        peerHeld[stream] = max(peerHeld[stream] ?? .start, position)
        while let first = unacknowledged.first, first.number <= peerHeld[first.stream] ?? .start {
            unacknowledged.removeFirst()
        }
        if unacknowledged.isEmpty { unacknowledged = [] }
    }
}

// MARK: - Devices and journals

/// The rows of no location: what devices and journals are called. They go to the other side before, or right after, the first row of
/// a shared location that names the device or is of the journal, and as they come from then on.
extension SyncSession {
    /// nil for a row of a location that is not shared.
    func stream(of row: JournalRow) -> SyncStream? {
        guard let journal = row.origin?.identity?.journalId else { return nil }
        guard let location = row.locationId else {
            let subject = row.content.deviceId.map { SyncStream.Subject.device($0) } ?? .journal(journal)
            return SyncStream(subject: subject, journal: journal)
        }
        return worlds[location].map { SyncStream(subject: .location($0), journal: journal) }
    }

    private func introduceAll(of row: JournalRow, _ stream: SyncStream) throws {
        try introduce(.journal(stream.journal))
        if let device = row.content.deviceId { try introduce(.device(device)) }
    }

    /// Sends what the other side lacks of a device or a journal.
    private func introduce(_ subject: SyncStream.Subject) throws {
        guard introduced[subject] == nil else { return }
        introduced[subject] = try journal.lastPosition()
        let rows: [FeedRow]
        switch subject {
        case .device(let id): rows = try journal.rowsOfNoLocation(device: id)
        case .journal: rows = try journal.rowsOfNoLocation(device: nil)
        case .location: return
        }
        for row in rows {
            if let stream = stream(of: row.row), stream.subject == subject { add(row, of: stream) }
        }
    }
}
