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

/// What a journal held of some locations at a time.
package struct HeldLocations: Sendable {
    package struct Rows: Hashable, Sendable {
        package fileprivate(set) var highest = Position.start
        package fileprivate(set) var count = 0

        package init(highest: Position = .start, count: Int = 0) {
            (self.highest, self.count) = (highest, count)
        }
    }

    /// By the id of the journal that wrote them.
    package fileprivate(set) var rows: [Identifier: [String: Rows]] = [:]
    /// The devices that have counted there, or were assigned to it.
    package fileprivate(set) var devices: [Identifier: Set<Identifier>] = [:]
    /// The last row of the journal then.
    package fileprivate(set) var through = Position.start

    package init() {}
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

    /// What this journal holds of some locations: rows of its own, and of others. Reads the whole journal once.
    package func held(of locations: [Identifier]) throws(JournalError) -> HeldLocations {
        try read { db in
            let streams = try StreamNames(db, of: locations)
            var held = HeldLocations()
            held.through = Position(try db.statement("SELECT max(position) FROM journal").integer() ?? 0)
            var (rows, devices) = ([Stream: HeldLocations.Rows](), Set<DevicePlace>())
            // Rows of one stream, and of one device, mostly follow each other.
            var (stream, run, place) = (nil as Stream?, HeldLocations.Rows(), nil as DevicePlace?)
            try db.statement(
                """
                SELECT locationKey, fileKey, line, position, deviceKey FROM journal
                WHERE locationKey IN (SELECT key FROM location WHERE id IN (SELECT value FROM json_each(:ids)))
                """
            ).bind("ids", JSONLine.list(locations.map(\.text))).forEach { row in
                let location: Int64 = try row[0]
                let file = streams.file(row[1])
                if stream?.location != location || stream?.file != file {
                    if let stream { rows[stream] = run }
                    let new = Stream(location: location, file: file)
                    (stream, run) = (new, rows[new] ?? HeldLocations.Rows())
                }
                run.highest = max(run.highest, Position(try row[file == 0 ? 3 : 2]))
                run.count += 1
                guard let device = row[4] as Int64?, place?.device != device || place?.location != location
                else { return }
                let new = DevicePlace(location: location, device: device)
                devices.insert(new)
                place = new
            }
            if let stream { rows[stream] = run }
            for (stream, rows) in rows {
                guard let (location, journal) = streams.names(of: stream) else { continue }
                held.rows[location, default: [:]][journal] = rows
            }
            for place in devices {
                guard let location = streams.locations[place.location] else { continue }
                let id = try db.statement("SELECT id FROM device WHERE key = :key").bind("key", place.device)
                    .text()
                held.devices[location, default: []].insert(Identifier(try id.orCorrupt()))
            }
            return held
        }
    }

    /// How many rows this journal holds after some, of each location and journal; none is told where the row itself is not here.
    package func countRows(
        after positions: [Identifier: [String: Position]]
    ) throws(JournalError) -> [Identifier: [String: Int]] {
        try read { db in
            let streams = try StreamNames(db, of: Array(positions.keys))
            var counts: [Stream: (rows: Int, isThere: Bool)] = [:]
            let journals = Set(positions.values.flatMap(\.keys))
            for journal in journals {
                guard let file = streams.file(of: journal),
                    let first = positions.values.compactMap({ $0[journal] }).min()
                else { continue }
                let sql =
                    file == 0
                    ? """
                    SELECT locationKey, fileKey, position FROM journal
                    WHERE position >= :first AND locationKey IS NOT NULL
                    """
                    : """
                    SELECT locationKey, fileKey, line FROM journal
                    WHERE fileKey = :file AND line >= :first AND locationKey IS NOT NULL
                    """
                let statement = try db.statement(sql).bind("first", first.number)
                try (file == 0 ? statement : statement.bind("file", file)).forEach { row in
                    let stream = Stream(location: try row[0], file: streams.file(row[1]))
                    let number = Position(try row[2])
                    guard stream.file == file, let (location, _) = streams.names(of: stream),
                        let limit = positions[location]?[journal], number >= limit
                    else { return }
                    if number == limit {
                        counts[stream, default: (0, false)].isThere = true
                    } else {
                        counts[stream, default: (0, false)].rows += 1
                    }
                }
            }
            return counts.reduce(into: [:]) { result, known in
                guard known.value.isThere, let (location, journal) = streams.names(of: known.key) else {
                    return
                }
                result[location, default: [:]][journal] = known.value.rows
            }
        }
    }

    /// The position before the first row that another journal lacks, by what it holds; `held.through` where it lacks none of those.
    package func position(
        beforeRowsLackingIn theirs: [Identifier: [String: Position]], of held: HeldLocations
    ) throws(JournalError) -> Position {
        try read { db in
            let ownId = try IdentityTable.id(db)
            var first = held.through.number
            let sql = """
                SELECT min(position) FROM journal WHERE fileKey = (SELECT key FROM file WHERE hash = :hash)
                AND line > :held AND locationKey = (SELECT key FROM location WHERE id = :location)
                """
            for (location, rows) in held.rows {
                for (journal, rows) in rows {
                    let theirs = theirs[location]?[journal] ?? .start
                    guard theirs < rows.highest else { continue }
                    if journal == ownId {
                        first = min(first, theirs.number)
                    } else if let missing = try db.statement(sql).bind("held", theirs.number)
                        .bind("hash", ImportLine.journalPrefix + journal).bind("location", location).integer()
                    {
                        first = min(first, missing - 1)
                    }
                }
            }
            return Position(first)
        }
    }
}

/// The rows of a location that one journal wrote, by their keys here; file 0 is this journal, whose rows may come as lines of files too.
private struct Stream: Hashable {
    let location, file: Int64
}

private struct DevicePlace: Hashable {
    let location, device: Int64
}

/// What the keys of streams stand for.
private struct StreamNames {
    let locations: [Int64: Identifier]
    private let journals: [Int64: String]
    private let ownId: String

    init(_ db: Connection, of locations: [Identifier]) throws {
        ownId = try IdentityTable.id(db)
        let ids = JSONLine.list(locations.map(\.text))
        let known = try db.statement(
            "SELECT key, id FROM location WHERE id IN (SELECT value FROM json_each(:ids))"
        )
        .bind("ids", ids).all { (try $0["key"] as Int64, try $0["id"] as Identifier) }
        self.locations = Dictionary(known) { first, _ in first }
        let files = try db.statement("SELECT key, hash FROM file WHERE hash GLOB :pattern")
            .bind("pattern", ImportLine.journalPrefix + "*").all { row in
                let hash: String = try row["hash"]
                return (try row["key"] as Int64, String(hash.dropFirst(ImportLine.journalPrefix.count)))
            }
        journals = Dictionary(files) { first, _ in first }
    }

    /// That of a row by its `fileKey`.
    func file(_ key: Int64?) -> Int64 { key.flatMap { journals[$0] == nil ? nil : $0 } ?? 0 }

    /// That of a journal; nil where nothing of it is here.
    func file(of journal: String) -> Int64? {
        journal == ownId ? 0 : journals.first { $0.value == journal }?.key
    }

    func names(of stream: Stream) -> (location: Identifier, journal: String)? {
        locations[stream.location].map { ($0, journals[stream.file] ?? ownId) }
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
