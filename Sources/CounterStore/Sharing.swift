package import CounterModel
package import Linux
import SQL

/// A location that this journal shares with others.
package struct SharedLocation: Hashable, Sendable {
    package let id: Identifier
    package let sharing: LocationSharing
    package let name, timezone: String

    package init(id: Identifier, sharing: LocationSharing, name: String, timezone: String) {
        (self.id, self.sharing, self.name, self.timezone) = (id, sharing, name, timezone)
    }
}

/// The rows of one journal that another one holds in a location.
package struct HeldRows: Hashable, Sendable {
    package private(set) var highest = Position.start
    package private(set) var count = 0
    /// The same for the same rows in any order; another one, but for chance, for others.
    package private(set) var digest: UInt64 = 0

    package init(highest: Position = .start, count: Int = 0, digest: UInt64 = 0) {
        (self.highest, self.count, self.digest) = (highest, count, digest)
    }

    fileprivate mutating func add(_ number: Position, at time: Int64, upTo limit: Position?) {
        if let limit, number > limit { return }
        highest = max(highest, number)
        count += 1
        // The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
        var bits = UInt64(bitPattern: number.number) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(bitPattern: time)
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        digest &+= bits ^ (bits >> 31)
    }

    fileprivate mutating func add(_ other: HeldRows) {
        highest = max(highest, other.highest)
        count += other.count
        digest &+= other.digest
    }
}

private struct Stream: Hashable {
    let location, journal: Int64
}

extension SQLiteJournal {
    /// The locations that are shared now, in the order in which they were added.
    package func sharedLocations() throws(JournalError) -> [SharedLocation] {
        try read { db in
            try db.statement("SELECT key FROM location ORDER BY key").integers().compactMap { key in
                let sharing = try SharingTable.last(db, location: key, own: true)
                guard let sharing, sharing.isShared else { return nil }
                let location = try LocationTable.location(db, key: key).orCorrupt()
                return SharedLocation(
                    id: location.id, sharing: sharing, name: location.name, timezone: location.timezone)
            }
        }
    }

    /// Changes whenever a location is shared, joined or left here.
    package func sharingVersion() throws(JournalError) -> Position {
        try access { db in
            let sql = "SELECT max(position) FROM journal WHERE kind = \(RowKind.sharing) AND fileKey IS NULL"
            return Position(try db.statement(sql).integer() ?? 0)
        }
    }

    /// Shares a location, or leaves it.
    ///
    /// - returns: False where that is so already.
    package func setShared(_ isShared: Bool, _ location: Location, at now: Timestamp) throws(JournalError)
        -> Bool
    {
        let known = try read { db in
            let key = try LocationTable.key(db, id: location.id).orCorrupt()
            let own = try SharingTable.last(db, location: key, own: true)
            // What was taken over from another journal keeps its id for the world.
            return (own: own, any: try own ?? SharingTable.last(db, location: key, own: false))
        }
        if known.own?.isShared ?? false == isShared { return false }
        var sharing =
            if let any = known.any { any } else { LocationSharing(worldId: try newWorldId()) }
        sharing.isShared = isShared
        if known.own == nil { sharing.machine = nil }
        try append(sharing, to: location.id, at: now)
        return true
    }

    private func newWorldId() throws(JournalError) -> String {
        try access { db in try db.statement("SELECT lower(hex(randomblob(16)))").text().orCorrupt() }
    }

    private func append(
        _ sharing: LocationSharing, to location: Identifier, at now: Timestamp
    ) throws(JournalError) {
        _ = try append(
            [
                Request(
                    locationId: location, userId: LoginName.current, timestamp: now, .sharing(sharing))
            ], receivedAt: now)
    }

    /// Joins a location that another machine shares: it becomes a location of this journal too.
    ///
    /// - returns: The location; nil where it is shared here already.
    package func join(_ offer: SharedLocation, from machine: String, at now: Timestamp) throws -> Location? {
        var sharing = offer.sharing
        (sharing.isShared, sharing.machine) = (true, machine)
        let known = try read { db in
            try db.statement("SELECT id, key FROM location ORDER BY key").all { row in
                (id: try row["id"] as Identifier, key: try row["key"] as Int64)
            }.first { location in
                try SharingTable.last(db, location: location.key, own: false)?.worldId == sharing.worldId
            }
        }
        if let known {
            let own = try access { try SharingTable.last($0, location: known.key, own: true) }
            if own?.isShared == true { return nil }
            sharing.machine = own.map { $0.machine } ?? machine
            try append(sharing, to: known.id, at: now)
            return try location(named: known.id.text)
        }
        let taken = Set(try locations().map(\.id))
        // A journal that has counted nothing yet gives its first location.
        let untouched = try untouchedDefault()?.id
        var (id, number) = (untouched ?? offer.id, 2)
        while untouched == nil, taken.contains(id) {
            id = Identifier("\(offer.id)-\(number)")
            number += 1
        }
        try write { db in
            let transaction = try AppendTransaction(db, receivedAt: now)
            let contents: [RowContent] = [
                .location(name: offer.name, timezone: offer.timezone), .sharing(sharing),
            ]
            for content in contents {
                _ = try transaction.answer(
                    Request(locationId: id, userId: LoginName.current, timestamp: now, content))
            }
            try transaction.finish()
        }
        return try location(named: id.text)
    }

    /// The rows of each journal that this one holds in some locations, its own too.
    ///
    /// - parameter limits: Up to which rows they are counted; all where it is nil.
    package func heldRows(
        of locations: [Identifier], upTo limits: [Identifier: [String: Position]]? = nil
    ) throws(JournalError) -> [Identifier: [String: HeldRows]] {
        try read { db in
            let ids = try JournalIds(db)
            let names = try db.statement(
                "SELECT key, id FROM location WHERE id IN (SELECT value FROM json_each(:ids))"
            )
            .bind("ids", JSONLine.list(locations.map(\.text)))
            .all { (key: try $0["key"] as Int64, id: try $0["id"] as Identifier) }
            let locations = Dictionary(names.map { ($0.key, $0.id) }) { first, _ in first }
            let files = try db.statement("SELECT key, hash FROM file WHERE hash GLOB :pattern")
                .bind("pattern", ImportLine.journalPrefix + "*").all { row in
                    let hash: String = try row["hash"]
                    return (
                        key: try row["key"] as Int64,
                        id: String(hash.dropFirst(ImportLine.journalPrefix.count))
                    )
                }
            let journals = Dictionary(files.map { ($0.key, $0.id) }) { first, _ in first }
            // The keys of a location and of the journal's rows; below 0 for the ids of this one. A line of a file is a row of it.
            var held: [Stream: HeldRows] = [:]
            try db.statement(
                "SELECT locationKey, fileKey, line, position, timestamp FROM journal WHERE locationKey IS NOT NULL"
            ).forEach { row in
                let (location, position): (Int64, Int64) = (try row[0], try row[3])
                guard let id = locations[location] else { return }
                let file = (row[1] as Int64?).flatMap { journals[$0] == nil ? nil : $0 }
                let key = file ?? ids.key(at: position)
                let limit = limits.map { $0[id]?[journals[key] ?? ids.id(of: key)] ?? .start }
                held[Stream(location: location, journal: key), default: HeldRows()]
                    .add(Position(file == nil ? position : try row[2]), at: try row[4], upTo: limit)
            }
            return held.reduce(into: [:]) { result, known in
                guard let location = locations[known.key.location] else { return }
                let journal = journals[known.key.journal] ?? ids.id(of: known.key.journal)
                result[location, default: [:]][journal, default: HeldRows()].add(known.value)
            }
        }
    }

    /// The position before the first row of some locations that another journal lacks, by what it holds; the last one where it lacks none.
    package func position(
        beforeRowsLackingIn held: [Identifier: [String: Position]], of locations: [Identifier]
    ) throws(JournalError) -> Position {
        let own = try heldRows(of: locations)
        return try read { db in
            let ids = try JournalIds(db)
            var first = try db.statement("SELECT max(position) FROM journal").integer() ?? 0
            let here = """
                SELECT position FROM journal WHERE position > :held AND position >= :from AND position < :to
                AND \(Schema.isOwn) AND locationKey = (SELECT key FROM location WHERE id = :location)
                ORDER BY position LIMIT 1
                """
            let takenOver = """
                SELECT min(position) FROM journal WHERE fileKey = (SELECT key FROM file WHERE hash = :hash)
                AND line > :held AND locationKey = (SELECT key FROM location WHERE id = :location)
                """
            for (location, rows) in own {
                for (journal, rows) in rows {
                    let theirs = held[location]?[journal] ?? .start
                    guard theirs < rows.highest else { continue }
                    var missing = try db.statement(takenOver).bind("held", theirs.number)
                        .bind("hash", ImportLine.journalPrefix + journal).bind("location", location).integer()
                    if let positions = ids.positions(of: journal) {
                        let own = try db.statement(here).bind("held", theirs.number).bind(
                            "location", location
                        )
                        .bind("from", positions.lowerBound).bind("to", positions.upperBound).integer()
                        missing = [missing, own].compactMap(\.self).min()
                    }
                    if let missing { first = min(first, missing - 1) }
                }
            }
            return Position(first)
        }
    }
}

/// The SQL of rows about sharing.
enum SharingTable {
    /// What the last one of a location says; `own` are those that this journal has written.
    static func last(_ db: Connection, location: Int64, own: Bool) throws -> LocationSharing? {
        let sql = """
            SELECT value, text FROM journal WHERE kind = \(RowKind.sharing) AND locationKey = :location
            \(own ? "AND fileKey IS NULL" : "") ORDER BY position DESC LIMIT 1
            """
        return try db.statement(sql).bind("location", location).first { try LocationSharing($0) }
    }
}
