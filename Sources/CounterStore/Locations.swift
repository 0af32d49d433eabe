package import CounterModel
import Glibc
package import Linux
import SQL

extension SQLiteJournal {
    /// All locations, in the order in which they were added.
    package func locations() throws(JournalError) -> [Location] { try read(LocationTable.all) }

    /// Adds a location with the level 0 and its settings, in one transaction. `location`: its settings must be valid. `time`:
    /// when its settings take effect; by default before all else. Returns false if the id is taken; then nothing has changed.
    package func add(
        _ location: Location, userId: String? = nil, at time: Timestamp = Timestamp.journalTimes.lowerBound,
        receivedAt: Timestamp? = nil
    ) throws(JournalError) -> Bool {
        let settings = location.ownSettings
        precondition(settings.allSatisfy(\.isValid), "a setting is out of its range")
        return try appending(at: receivedAt ?? time) { transaction in
            guard try LocationTable.key(transaction.db, id: location.id) == nil else { return false }
            let added = RowContent.location(name: location.name, timezone: location.timezone)
            for content in [added] + settings.map(RowContent.setting) {
                _ = try transaction.answer(
                    Request(locationId: location.id, userId: userId, timestamp: time, content))
            }
            return true
        }
    }

    package func state(of locationId: Identifier) throws(JournalError) -> CounterState? {
        try read { db in try LocationProjection(db, locationId: locationId)?.state() }
    }

    /// The committed state of a location; with level 0 and no event if there is no such location.
    package func stateOrZero(of id: Identifier) throws(JournalError) -> CounterState {
        try state(of: id) ?? CounterState(locationId: id, level: 0)
    }
}

// MARK: - Rules

/// The rules for finding, adding and changing the locations of a journal. Each change is made by this process's user.
extension SQLiteJournal {
    /// The location with this id or name; nil where there is none.
    package func location(named name: String) throws(JournalError) -> Location? {
        let all = try locations()
        return all.first { $0.id == Identifier(name) } ?? all.first { $0.name == name }
    }

    /// The location that the journal began with, where it is the only one and nobody has named it, set it or counted there.
    package func untouchedDefault() throws(JournalError) -> Location? {
        let all = try locations()
        guard all.count == 1, all[0].id == Location.defaultId, all[0].name == Location.defaultId.text,
            try stateOrZero(of: all[0].id).position == .start
        else { return nil }
        return all[0]
    }

    /// The location with this id or name. Throws `JournalError`; `ProgramError` (66) where there is none, which lists the
    /// existing locations, and how to create it unless that makes no sense.
    package func existingLocation(named name: String, orCreate: Bool = true) throws -> Location {
        if let found = try location(named: name) { return found }
        let visible = try locations().filter { !$0.isHidden }
        let names = visible.flatMap { [$0.id.text, $0.name] }
        let existing = visible.map { $0.id.text.distinct(from: [name]) }.joined(separator: ", ")
        throw ProgramError(
            "there is no location '\(name.distinct(from: names))'",
            remedy: "\(names.suggestion(for: name))Existing: \(existing)."
                + (orCreate ? " Create it with: counter location add \(name.quotedForShell)" : ""),
            status: EX_NOINPUT)
    }

    /// The location with this id or name, if counts may go into it. Throws `ProgramError`: 66 where there is none, 69 where it is
    /// hidden; `JournalError`.
    package func countedLocation(named name: String) throws -> Location {
        try existingLocation(named: name).requireVisible()
    }

    /// The location with this id or name, if it is visible. Throws `ProgramError` where there is none, or where it is hidden;
    /// `JournalError`.
    package func visibleLocation(named name: String) throws -> Location {
        let location = try existingLocation(named: name)
        guard !location.isHidden else {
            throw ProgramError("'\(location.name)' is no longer shown", status: EX_UNAVAILABLE)
        }
        return location
    }

    /// Adds a location whose name and id are free. `from`: from when its settings hold; nil from now on. Throws `ProgramError`
    /// (65) where the id was taken meanwhile; `ZoneError`, `JournalError`.
    package func add(new location: Location, from: Timestamp? = nil, at now: Timestamp) throws {
        try ZoneDatabase().require(location.timezone)
        for name in [location.id.text, location.name] { try requireFree(name, for: nil) }
        if let key = location.key { try requireFree(key, for: nil) }
        guard try add(location, userId: LoginName.current, at: from ?? now, receivedAt: now) else {
            throw ProgramError("there is a location '\(location.id)' already", status: EX_DATAERR)
        }
    }

    /// Refuses a name that is the name or the id of a location, whatever its case. `id`: the location that is to have it; nil for
    /// a new one. Throws `ProgramError` (65), `JournalError`.
    package func requireFree(_ name: String, for id: Identifier?) throws {
        let small = name.lowercased()
        let other = try locations().first {
            $0.id != id && [$0.id.text.lowercased(), $0.name.lowercased()].contains(small)
        }
        if let other { throw ProgramError(taken: name, by: other) }
    }

    /// Refuses the key of another location, hidden or not. `id`: the location that is to have it; nil for a new one. Throws
    /// `ProgramError` (65), `JournalError`.
    private func requireFree(_ key: LocationKey, for id: Identifier?) throws {
        guard let other = try locations().first(where: { $0.id != id && $0.key == key }) else { return }
        throw ProgramError(
            "the key \(key) counts into '\(other.name)' already",
            remedy:
                "Choose another key, or free it: counter location set \(other.id.text.quotedForShell) --key none",
            status: EX_DATAERR)
    }

    /// Sets the properties that differ, in one transaction. Throws `ProgramError` (65) where another location has the name or the
    /// key; `ZoneError`, `JournalError`.
    package func change(_ known: Location, to wanted: Location, at now: Timestamp) throws {
        if wanted.timezone != known.timezone { try ZoneDatabase().require(wanted.timezone) }
        if wanted.name != known.name { try requireFree(wanted.name, for: known.id) }
        if let key = wanted.key, key != known.key { try requireFree(key, for: known.id) }
        let requests = known.changes(to: wanted).map {
            Request(locationId: known.id, userId: LoginName.current, timestamp: now, .setting($0))
        }
        if !requests.isEmpty { _ = try append(requests, receivedAt: now) }
    }

    /// Refuses to hide the location that is counted where none is named, and the last visible one. `usual`: the id or name of the
    /// location that the settings count into where none is named. Throws `ProgramError` (69), `JournalError`.
    package func requireOther(than location: Location, usual: String) throws {
        if location.id == Identifier(usual) || location.name == usual {
            throw ProgramError(
                "'\(location.name)' is what counter counts into where no location is named",
                remedy: "Set location to another one in config.toml or COUNTER_LOCATION first.",
                status: EX_UNAVAILABLE)
        }
        if try locations().allSatisfy({ $0.isHidden || $0.id == location.id }) {
            throw ProgramError(
                "'\(location.name)' is the last location", remedy: "Add another one first.",
                status: EX_UNAVAILABLE)
        }
    }
}

extension Location {
    /// Refuses a hidden location, into which nothing counts. Throws `ProgramError` (69).
    package func requireVisible() throws(ProgramError) -> Location {
        guard isHidden else { return self }
        throw ProgramError(
            "'\(name)' is hidden; nothing was counted", remedy: remedyToShow, status: EX_UNAVAILABLE)
    }

    package var remedyToShow: String { "To show it again: counter location unhide \(name.quotedForShell)" }
}

extension ProgramError {
    /// The name for a new location is already the name or the id of another one.
    package init(taken name: String, by other: Location) {
        let alike = [other.id.text, other.name].first { $0.distinct(from: [name]) != $0 }
        let which =
            if let alike {
                ": '\(alike.utf8.escaped)', which looks like '\(name.utf8.escaped)'"
            } else if other.id.text == name && other.name == name { "" } else if other.id.text == name {
                ": it is called '\(other.name)'"
            } else if other.name == name { ": its id is '\(other.id)'" } else {
                ": '\(other.name)', and names that differ in case only are one"
            }
        self.init(
            "there is a location '\(name)' already\(which)",
            remedy: other.isHidden
                ? "It is hidden. \(other.remedyToShow)"
                : "Choose another name, or change it: counter location set \(other.id.text.quotedForShell) …",
            status: EX_DATAERR)
    }
}

// MARK: - The table

enum LocationTable {
    /// Inserts a location with an empty first segment and level 0. Until a row adds it, it is called by its id, in UTC. Returns
    /// its key.
    @discardableResult
    static func insert(_ db: Connection, id: Identifier) throws -> Int64 {
        try db.statement("INSERT INTO location (id) VALUES (:id)").bind("id", id).run()
        let key = db.lastInsertedKey
        let first = Segment(reset: 0, begin: Segment.beginningOfTime, start: 0, sum: 0)
        try SegmentTable.insert(db, first, location: key)
        try db.statement(
            "INSERT INTO counterState VALUES (:location, 0, NULL, :first, NULL, :first, :first, 0, NULL)"
        ).bind("location", key).bind("first", Segment.beginningOfTime).run()
        return key
    }

    static func all(_ db: Connection) throws -> [Location] {
        let keys = try db.statement("SELECT key FROM location ORDER BY key").integers()
        let all = try keys.map { try location(db, key: $0).orCorrupt() }
        let names = Dictionary(grouping: zip(keys, all)) { Identifier($1.name.lowercased()) }
        if names.count == all.count { return all }
        // A location that another machine has shared may have the name of one that is here.
        let sharings = try SharingTable.all(db)
        return zip(keys, all).map { key, location in
            guard names[Identifier(location.name.lowercased())]?.count != 1,
                let machine = sharings[key]?.own?.machine
            else { return location }
            var location = location
            location.name += " (\(machine))"
            return location
        }
    }

    static func location(_ db: Connection, key: Int64) throws -> Location? {
        let found = try db.statement(find).bind("key", key).first { row in
            let (id, text): (Identifier, String?) = (try row["id"], row["added"])
            let (name, timezone) = added(text ?? Self.text(id.text, "UTC"))
            return Location(id: id, name: name, timezone: timezone)
        }
        guard var location = found else { return nil }
        for setting in try settings(db, key: key) { location.apply(setting) }
        return location
    }

    private static let find = FixedText(
        """
        SELECT id, (SELECT text FROM journal AS added WHERE kind = \(RowKind.location)
            AND added.locationKey = location.key
            ORDER BY orderedAt DESC, \(Schema.place(of: "added")) DESC LIMIT 1) AS added
        FROM location WHERE key = :key
        """)

    /// How the row that adds a location is stored: its zone and, on the next line, its name.
    static func text(_ name: String, _ timezone: String) -> String { timezone + "\n" + name }

    static func added(_ text: String) -> (name: String, timezone: String) {
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[1]), String(parts[0])) : (text, "UTC")
    }

    /// All settings in order, so that the last of each applies. The index has only such rows, and few of them.
    private static func settings(_ db: Connection, key: Int64) throws -> [LocationSetting] {
        let sql = """
            SELECT setting, text FROM journal WHERE kind = \(RowKind.setting) AND locationKey = :location
            ORDER BY setting, \(Schema.orderedAt), \(Schema.place(of: "journal"))
            """
        return try db.statement(sql).bind("location", key).all { try LocationSetting($0) }
    }

    static func key(_ db: Connection, id: Identifier) throws -> Int64? {
        try db.statement("SELECT key FROM location WHERE id = :id").bind("id", id).integer()
    }

    /// The text of the last setting of a property, as an expression of SQL; up to a position where one is given.
    static func setting(_ property: LocationProperty, of locationKey: String, upTo position: String? = nil)
        -> String
    {
        """
        (SELECT text FROM journal AS setting WHERE kind = \(RowKind.setting) AND setting = \(property.key)
            AND setting.locationKey = \(locationKey)\(position.map { " AND setting.position <= \($0)" } ?? "")
            ORDER BY \(Schema.orderedAt) DESC, \(Schema.place(of: "setting")) DESC LIMIT 1)
        """
    }
}
