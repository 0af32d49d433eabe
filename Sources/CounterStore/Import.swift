package import CounterModel
package import Linux
import SQL

extension SQLiteJournal {
    /// Stores many items in their order, reading a group at a time, which is one transaction; after its commit `stored` gets the
    /// result of each. What is here already changes nothing, so an import that was interrupted at any moment is finished by running
    /// it again. Where it throws, earlier groups stay committed.
    package func `import`(
        _ items: some Sequence<ImportItem>, receivedAt: Timestamp, groupSize: Int = 10_000,
        stored: ([ImportResult]) -> Void = { _ in }
    ) throws(JournalError) -> ImportSummary {
        var summary = ImportSummary()
        var group: [ImportItem] = []
        group.reserveCapacity(groupSize)
        func store() throws(JournalError) {
            guard !group.isEmpty else { return }
            let (results, hasRecovered) = try appending(at: receivedAt) { transaction in
                (try group.map { try transaction.store($0) }, transaction.hasRecovered)
            }
            if hasRecovered { newId = .restored }
            results.forEach { summary.note($0) }
            stored(results)
            group.removeAll(keepingCapacity: true)
        }
        // `for item in items` copies each item: 3 % of an import's instructions.
        var iterator = items.makeIterator()
        while let item = iterator.next() {
            group.append(consume item)
            if group.count >= groupSize { try store() }
        }
        try store()
        return summary
    }
}

package enum ImportItem: Hashable, Sendable {
    /// What a file of a version before 0.4.0 has beside its rows.
    case former(FormerItem)
    /// A row with an origin. One whose origin or sequence number is known already changes nothing.
    case row(JournalRow)
    /// The end of a day of which a file had counts, after all of them.
    case endOfDay(FileDay)
}

/// What versions before 0.4.0 kept, and exported, beside the rows.
package enum FormerItem: Hashable, Sendable {
    /// A location, with the name and zone with which it was added. One that is here already keeps its own, unless it has no rows
    /// yet, as `default` in an empty journal.
    case location(Location)
    /// A device with its settings; one that is known here stays as it is.
    case device(Device)
    /// The id of a device that was forgotten. If it is not known here, the rows of this import do not make it known.
    case forgottenDevice(Identifier)
    case connection(PastConnection)
}

package enum ImportResult: Hashable, Sendable {
    case row(Receipt)
    /// The end of a day of a file; nil where there was nothing to end.
    case endOfDay(Receipt?)
    /// It is here now, or was before.
    case stored
    /// Nothing has changed: the connection's device or location is not here.
    case unknownConnection
}

/// How many rows of an import had which outcome; those that were refused are told of one by one.
package struct ImportSummary: Hashable, Sendable {
    package private(set) var accepted = 0
    package private(set) var duplicate = 0
    /// How many were appended although another event has their number: each opens a new epoch.
    package private(set) var conflict = 0
    /// How many days of the file were ended, which are in none of the others.
    package private(set) var endedDays = 0

    mutating func note(_ result: ImportResult) {
        switch result {
        case .row(let receipt):
            switch receipt.outcome {
            case .accepted, .corrected, .undone, .redone: accepted += 1
            case .acceptedInNewEpoch: conflict += 1
            case .duplicate, .nothingToUndo, .nothingToRedo, .nothingToVoid: duplicate += 1
            case .refused: break
            }
        case .endOfDay(let receipt?):
            if case .corrected = receipt.outcome { endedDays += 1 }
        case .endOfDay, .stored, .unknownConnection: break
        }
    }
}

// MARK: - Files that were imported

/// Whether a journal has a file, by the hash of its content. One whose rows are all taken back can be imported again.
package struct ImportedFile {
    /// The hash under which the next import of the file stores its lines.
    package let hash: String
    /// Whether it was imported, and all of that taken back.
    package let isTakenBack: Bool

    fileprivate init(_ hash: String, _ db: Connection) throws {
        let isStored = """
            SELECT 1 FROM journal JOIN file ON file.key = fileKey
            WHERE hash = :hash AND kind IN \(RowKind.voidable) LIMIT 1
            """
        var imports = 0
        while try db.statement(isStored).bind("hash", Self.hash(hash, ofImport: imports)).integer() != nil {
            imports += 1
        }
        let standing = "SELECT 1 \(Self.standing) LIMIT 1"
        isTakenBack = try imports > 0 && db.statement(standing).bind("hash", hash).integer() == nil
        self.hash = Self.hash(hash, ofImport: isTakenBack ? imports : max(0, imports - 1))
    }

    private static func hash(_ hash: String, ofImport number: Int) -> String {
        number == 0 ? hash : "\(hash) again \(number)"
    }

    /// The counts, corrections and resets of the lines of a file, and the ends of its days, that are not taken back. Later imports and
    /// ends of days have hashes that begin with the file's own and a space.
    fileprivate static let standing = """
        FROM journalRow JOIN location ON location.key = locationKey
        WHERE fileKey IN (SELECT key FROM file WHERE hash = :hash OR hash > :hash || ' ' AND hash < :hash || '!')
        AND kind IN \(RowKind.voidable) AND voidedBy IS NULL
        """
}

extension SQLiteJournal {
    package func importedFile(_ hash: String) throws(JournalError) -> ImportedFile {
        try read { db in try ImportedFile(hash, db) }
    }

    /// What a file has brought and is not taken back, the last row first.
    package func rows(ofFile hash: String) throws(JournalError) -> [(
        position: Position, location: Identifier
    )] {
        try read { db in
            try db.statement("SELECT position, location.id \(ImportedFile.standing) ORDER BY position DESC")
                .bind("hash", hash).all { (try $0["position"], try $0["id"]) }
        }
    }

    /// Takes rows of a file back, a group at a time. A void is a row of the file too, so that no redo takes it for an undo.
    /// Returns how many were taken back.
    package func takeBack(
        _ rows: [(position: Position, location: Identifier)], ofFile hash: String, userId: String,
        at now: Timestamp, groupSize: Int = 10_000
    ) throws(JournalError) -> Int {
        var count = 0
        for start in stride(from: 0, to: rows.count, by: groupSize) {
            let voids = rows[start..<min(start + groupSize, rows.count)].map { row in
                let line = ImportLine(fileHash: "\(hash) taken back", number: Int(row.position.number))
                return Request(
                    JournalRow(
                        origin: .line(line), locationId: row.location, userId: userId, timestamp: now,
                        receivedAt: now, .void(row.position)))
            }
            let answers = try append(voids, receivedAt: now)
            count += answers.count(where: \.outcome.isAccepted)
        }
        return count
    }
}

extension AppendTransaction {
    fileprivate func store(_ item: ImportItem) throws -> ImportResult {
        switch item {
        case .row(let row): return .row(try answer(Request(row)))
        case .endOfDay(let day): return .endOfDay(try end(day))
        case .former(.location(let location)): try take(location)
        case .former(.device(let device)): try take(device)
        case .former(.forgottenDevice(let id)):
            if try DeviceTable.known(db, id: id) == nil { try decide(.device(id, .isForgotten)) }
        case .former(.connection(let connection)):
            return try take(connection) ? .stored : .unknownConnection
        }
        return .stored
    }

    /// Its settings are among the rows, so it was added before them all.
    private func take(_ location: Location) throws {
        if let key = try LocationTable.key(db, id: location.id) {
            let known = try LocationTable.location(db, key: key).orCorrupt()
            let isUntouched = try projection(of: location.id).orCorrupt().position == 0
            if !isUntouched || (known.name, known.timezone) == (location.name, location.timezone) { return }
        }
        var request = Request(
            locationId: location.id, timestamp: Timestamp.journalTimes.lowerBound,
            .location(name: location.name, timezone: location.timezone), order: .given)
        request.row.orderedAt = request.row.timestamp
        _ = try answer(request)
    }

    private func take(_ device: Device) throws {
        if try DeviceTable.known(db, id: device.id) != nil { return }
        _ = try deviceKey(device.id)
        if device.name != device.id.text { try decide(.device(device.id, .name(device.name))) }
        if let location = device.locationId, try LocationTable.key(db, id: location) != nil {
            try decide(.device(device.id, .location), at: location)
        }
        if !device.isActive { try decide(.device(device.id, .isActive(false))) }
        let sql: StaticString = "UPDATE device SET lastSeenAt = :seen, keysReadBy = :reader WHERE id = :id"
        try db.statement(sql).bind("seen", device.lastSeenAt).bind("reader", device.keysReadBy)
            .bind("id", device.id).run()
    }

    /// False where its device or location is not here.
    private func take(_ connection: PastConnection) throws -> Bool {
        guard let location = try LocationTable.key(db, id: connection.locationId),
            let device = try DeviceTable.known(db, id: connection.deviceId)
        else { return false }
        let sql: StaticString = """
            INSERT INTO presence SELECT :device, :location, :since, :until, 0, 0 WHERE NOT EXISTS (
                SELECT 1 FROM presence INDEXED BY presenceOf
                WHERE deviceKey = :device AND locationKey = :location AND since = :since)
            """
        try db.statement(sql).bind("device", device).bind("location", location)
            .bind("since", connection.from).bind("until", connection.to).run()
        return true
    }
}
