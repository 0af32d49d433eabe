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

/// The rows of one journal that another one holds in a location, or of a device.
package struct HeldRows: Hashable, Sendable {
    package private(set) var highest = Position.start
    package private(set) var count = 0
    /// The same for the same rows in any order; another one, but for chance, for others.
    package private(set) var digest: UInt64 = 0

    package init(highest: Position = .start, count: Int = 0, digest: UInt64 = 0) {
        (self.highest, self.count, self.digest) = (highest, count, digest)
    }

    package mutating func add(_ number: Position, at time: Timestamp) {
        highest = max(highest, number)
        count += 1
        // The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
        var bits =
            UInt64(bitPattern: number.number) &* 0x9E37_79B9_7F4A_7C15
            ^ UInt64(bitPattern: time.microseconds)
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        digest &+= bits ^ (bits >> 31)
    }

    fileprivate mutating func add(_ other: HeldRows) {
        highest = max(highest, other.highest)
        count += other.count
        digest &+= other.digest
    }

    /// Those up to one, by those after it.
    fileprivate func upTo(_ limit: Position, without later: HeldRows) -> HeldRows {
        HeldRows(highest: limit, count: count - later.count, digest: digest &- later.digest)
    }
}

/// What a journal held of some locations at a time.
package struct HeldLocations: Sendable {
    /// By the id of the journal that wrote them.
    package fileprivate(set) var rows: [Identifier: [String: HeldRows]] = [:]
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
            try SharingTable.all(db).sorted { $0.key < $1.key }.compactMap { key, sharing in
                guard let own = sharing.own, own.isShared else { return nil }
                let location = try LocationTable.location(db, key: key).orCorrupt()
                return SharedLocation(
                    id: location.id, sharing: own, name: location.name, timezone: location.timezone)
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

    /// Shares a location, or leaves it. Returns false where that is so already.
    package func setShared(_ isShared: Bool, _ location: Location, at now: Timestamp) throws(JournalError)
        -> Bool
    {
        let known = try sharing(of: location)
        if known?.own?.isShared ?? false == isShared { return false }
        // What was taken over from another journal keeps its id for the world.
        var sharing =
            if let last = known?.own ?? known?.last { last } else {
                LocationSharing(
                    worldId: try access {
                        try $0.statement("SELECT lower(hex(randomblob(16)))").text().orCorrupt()
                    })
            }
        sharing.isShared = isShared
        if known?.own == nil { sharing.machine = nil }
        let request = Request(
            locationId: location.id, userId: LoginName.current, timestamp: now, .sharing(sharing))
        _ = try append([request], receivedAt: now)
        return true
    }

    /// Shares a location, as others do, unless this journal has ever shared or left it.
    package func shareUnlessDecided(_ location: Location, at now: Timestamp) throws(JournalError) -> Bool {
        try sharing(of: location)?.own == nil ? setShared(true, location, at: now) : false
    }

    private func sharing(of location: Location) throws(JournalError) -> SharingTable.Last? {
        try read { db in
            try SharingTable.all(db)[LocationTable.key(db, id: location.id).orCorrupt()]
        }
    }

    /// Joins locations that another machine shares: they become locations of this journal too. Returns the location here
    /// for each; nil where it is shared here already.
    package func join(_ offers: [SharedLocation], from machine: String, at now: Timestamp) throws
        -> [Location?]
    {
        var taken = Set(try locations().map(\.id))
        // A journal that has counted nothing yet gives its first location.
        var untouched = try untouchedDefault()?.id
        var ids: [Identifier?] = []
        try appending(at: now) { transaction in
            var known = try SharingTable.byWorld(transaction.db)
            for offer in offers {
                var sharing = offer.sharing
                (sharing.isShared, sharing.machine) = (true, machine)
                let id: Identifier
                if let (location, own) = known[sharing.worldId] {
                    if own?.isShared == true {
                        ids.append(nil)
                        continue
                    }
                    if let own { sharing.machine = own.machine }
                    id = location
                } else {
                    id = untouched ?? Self.free(offer.id, taken)
                    untouched = nil
                    taken.insert(id)
                    let added = RowContent.location(name: offer.name, timezone: offer.timezone)
                    try transaction.decide(added, at: id, by: LoginName.current)
                }
                try transaction.decide(.sharing(sharing), at: id, by: LoginName.current)
                known[sharing.worldId] = (id, sharing)
                ids.append(id)
            }
        }
        let all = Dictionary(try locations().map { ($0.id, $0) }) { first, _ in first }
        return ids.map { $0.flatMap { all[$0] } }
    }

    private static func free(_ id: Identifier, _ taken: Set<Identifier>) -> Identifier {
        var (free, number) = (id, 2)
        while taken.contains(free) {
            free = Identifier("\(id)-\(number)")
            number += 1
        }
        return free
    }

    /// What this journal holds of some locations: rows of its own, and of others. Reads the whole journal once.
    package func held(of locations: [Identifier]) throws(JournalError) -> HeldLocations {
        try read { db in
            let streams = try StreamNames(db, of: locations)
            var held = HeldLocations()
            held.through = try JournalTable.lastPosition(db)
            // By the key of the location.
            var (rows, devices) = ([Stream: HeldRows](), [Int64: Set<Int64>]())
            // Rows of one stream, and of one device, mostly follow each other.
            var (stream, run, last) = (nil as Stream?, HeldRows(), nil as (location: Int64, device: Int64)?)
            try db.statement(
                """
                SELECT locationKey, fileKey, line, position, timestamp, deviceKey FROM journal
                WHERE locationKey IN (SELECT key FROM location WHERE id IN (SELECT value FROM json_each(:ids)))
                """
            ).bind("ids", JSONLine.list(locations.map(\.text))).forEach { row in
                let position: Int64 = try row[3]
                let new = Stream(location: try row[0], journal: streams.journal(file: row[1], at: position))
                if stream != new {
                    if let stream { rows[stream] = run }
                    (stream, run) = (new, rows[new] ?? HeldRows())
                }
                run.add(Position(new.isOwn ? position : try row[2]), at: Timestamp(microseconds: try row[4]))
                guard let device = row[5] as Int64?,
                    last?.device != device || last?.location != new.location
                else { return }
                devices[new.location, default: []].insert(device)
                last = (new.location, device)
            }
            if let stream { rows[stream] = run }
            for (stream, rows) in rows {
                guard let (location, journal) = streams.names(of: stream) else { continue }
                held.rows[location, default: [:]][journal, default: HeldRows()].add(rows)
            }
            let id = try db.statement("SELECT id FROM device WHERE key = :key")
            for (location, devices) in devices {
                guard let location = streams.locations[location] else { continue }
                held.devices[location] = Set(
                    try devices.map { Identifier(try id.bind("key", $0).text().orCorrupt()) })
            }
            return held
        }
    }

    /// What of that were rows up to some. Reads only those after them.
    package func rows(
        of held: HeldLocations, upTo limits: [Identifier: [String: Position]]
    ) throws(JournalError) -> [Identifier: [String: HeldRows]] {
        try read { db in
            let (ids, streams) = (try JournalIds(db), try StreamNames(db, of: Array(limits.keys)))
            var later: [Identifier: [String: HeldRows]] = [:]
            func add(_ statement: Statement, of journal: String) throws {
                try statement.bind("through", held.through).forEach { row in
                    let number = Position(try row[1])
                    guard let location = streams.locations[try row[0]],
                        let limit = limits[location]?[journal], number > limit
                    else { return }
                    later[location, default: [:]][journal, default: HeldRows()]
                        .add(number, at: Timestamp(microseconds: try row[2]))
                }
            }
            for journal in Set(limits.values.flatMap(\.keys)) {
                let first = limits.compactMap { location, limits in
                    limits[journal].flatMap {
                        $0 < held.rows[location]?[journal]?.highest ?? .start ? $0 : nil
                    }
                }.min()
                guard let first else { continue }
                let takenOver = """
                    SELECT locationKey, line, timestamp FROM journal
                    WHERE fileKey = (SELECT key FROM file WHERE hash = :hash) AND line > :first
                    AND +position <= :through AND locationKey IS NOT NULL
                    """
                try add(
                    db.statement(takenOver).bind("hash", ImportLine.journalPrefix + journal)
                        .bind("first", first), of: journal)
                guard let own = ids.positions(of: journal) else { continue }
                let here = """
                    SELECT locationKey, position, timestamp FROM journal
                    WHERE position > :first AND position < :end AND position <= :through
                    AND \(Schema.isOwn) AND locationKey IS NOT NULL
                    """
                try add(
                    db.statement(here).bind("first", max(first.number, own.lowerBound - 1))
                        .bind("end", own.upperBound), of: journal)
            }
            return limits.reduce(into: [:]) { result, known in
                let (location, limits) = known
                result[location] = limits.reduce(into: [:]) { result, known in
                    let (journal, limit) = known
                    result[journal] = (held.rows[location]?[journal] ?? HeldRows())
                        .upTo(limit, without: later[location]?[journal] ?? HeldRows())
                }
            }
        }
    }

    /// The position before the first row that another journal lacks, by what it holds; `held.through` where it lacks none of those.
    package func position(
        beforeRowsLackingIn theirs: [Identifier: [String: Position]], of held: HeldLocations
    ) throws(JournalError) -> Position {
        try read { db in
            let ids = try JournalIds(db)
            var first = held.through.number
            let takenOver = """
                SELECT min(position) FROM journal WHERE fileKey = (SELECT key FROM file WHERE hash = :hash)
                AND line > :held AND locationKey = (SELECT key FROM location WHERE id = :location)
                """
            for (location, rows) in held.rows {
                for (journal, rows) in rows {
                    let theirs = theirs[location]?[journal] ?? .start
                    guard theirs < rows.highest else { continue }
                    if let own = ids.positions(of: journal) {
                        first = min(first, max(theirs.number, own.lowerBound - 1))
                    }
                    if let missing = try db.statement(takenOver).bind("held", theirs)
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

/// The rows of a location that one journal wrote, by their keys here: that of another journal's file, or one below 0 for each id of this
/// one, whose rows may come as lines of files too.
private struct Stream: Hashable {
    let location, journal: Int64

    var isOwn: Bool { journal < 0 }
}

private struct StreamNames {
    let locations: [Int64: Identifier]
    private let journals: [Int64: String]
    private let ids: JournalIds

    init(_ db: Connection, of locations: [Identifier]) throws {
        ids = try JournalIds(db)
        let known = try db.statement(
            "SELECT key, id FROM location WHERE id IN (SELECT value FROM json_each(:ids))"
        )
        .bind("ids", JSONLine.list(locations.map(\.text)))
        .all { (try $0["key"] as Int64, try $0["id"] as Identifier) }
        self.locations = Dictionary(known) { first, _ in first }
        journals = Dictionary(try JournalTable.files(db).map { ($0.key, $0.id) }) { first, _ in first }
    }

    /// That of a row by its `fileKey` and position.
    func journal(file: Int64?, at position: Int64) -> Int64 {
        file.flatMap { journals[$0] == nil ? nil : $0 } ?? ids.key(at: position)
    }

    func names(of stream: Stream) -> (location: Identifier, journal: String)? {
        locations[stream.location].map {
            ($0, stream.isOwn ? ids.id(of: stream.journal) : journals[stream.journal] ?? "")
        }
    }
}

enum SharingTable {
    /// What the last row of a location says, and the last one that this journal has written.
    typealias Last = (location: Identifier, last: LocationSharing, own: LocationSharing?)

    /// By the keys of the locations.
    static func all(_ db: Connection) throws -> [Int64: Last] {
        let sql = """
            SELECT locationKey, id, fileKey, value, text FROM journal JOIN location ON key = locationKey
            WHERE kind = \(RowKind.sharing) ORDER BY locationKey, position
            """
        var all: [Int64: Last] = [:]
        try db.statement(sql).forEach { row in
            let (location, file): (Int64, Int64?) = (try row["locationKey"], row["fileKey"])
            let sharing = try LocationSharing(row)
            all[location] = (try row["id"], sharing, file == nil ? sharing : all[location]?.own)
        }
        return all
    }

    /// The locations by their ids for the world, each with what this journal has written last.
    static func byWorld(_ db: Connection) throws -> [String: (location: Identifier, own: LocationSharing?)] {
        let known = try all(db).sorted { $0.key < $1.key }
            .map { ($1.last.worldId, (location: $1.location, own: $1.own)) }
        return Dictionary(known) { first, _ in first }
    }
}
