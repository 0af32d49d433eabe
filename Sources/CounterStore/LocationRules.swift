package import CounterModel
import Glibc
package import Linux

/// The rules for finding, adding and changing the locations of a journal. Each change is made by this process's user.
extension SQLiteJournal {
    /// The location with this id or name; nil where there is none.
    ///
    /// - throws: `JournalError`
    package func location(named name: String) throws(JournalError) -> Location? {
        let all = try locations()
        return all.first { $0.id == Identifier(name) } ?? all.first { $0.name == name }
    }

    /// The location with this id or name.
    ///
    /// - throws: `ProgramError` (66) where there is none; its text lists the existing locations. `JournalError`
    package func existingLocation(named name: String) throws -> Location {
        if let found = try location(named: name) { return found }
        let visible = try locations().filter { !$0.isHidden }
        let names = visible.flatMap { [$0.id.text, $0.name] }
        let existing = visible.map { $0.id.text.distinct(from: [name]) }.joined(separator: ", ")
        throw ProgramError(
            "there is no location '\(name.distinct(from: names))'",
            remedy: "\(names.suggestion(for: name))Existing: \(existing). "
                + "Create it with: counter location add \(name.quotedForShell)",
            status: EX_NOINPUT)
    }

    /// The location with this id or name, if counts may go into it.
    ///
    /// - throws: `ProgramError`: 66 where there is none, 69 where it is hidden; `JournalError`
    package func countedLocation(named name: String) throws -> Location {
        try existingLocation(named: name).requireVisible()
    }

    /// The location with this id or name, if it is visible.
    ///
    /// - throws: `ProgramError` where there is none, or where it is hidden; `JournalError`
    package func visibleLocation(named name: String) throws -> Location {
        let location = try existingLocation(named: name)
        guard !location.isHidden else {
            throw ProgramError("'\(location.name)' is no longer shown", status: EX_UNAVAILABLE)
        }
        return location
    }

    /// Adds a location whose name and id are free.
    ///
    /// - parameters:
    ///     - location: The location.
    ///     - from: From when its settings hold; nil from now on.
    ///     - now: The present moment.
    /// - throws: `ProgramError` (65) where the id was taken meanwhile; `ZoneError`, `JournalError`
    package func add(new location: Location, from: Timestamp? = nil, at now: Timestamp) throws {
        try ZoneDatabase().require(location.timezone)
        for name in [location.id.text, location.name] { try requireFree(name, for: nil) }
        if let key = location.key { try requireFree(key, for: nil) }
        guard try add(location, userId: LoginName.current, at: from ?? now, receivedAt: now) else {
            throw ProgramError("there is a location '\(location.id)' already", status: EX_DATAERR)
        }
    }

    /// Refuses a name that is the name or the id of a location, whatever its case.
    ///
    /// - parameters:
    ///     - name: The name or id.
    ///     - id: The id of the location that is to have it; nil for a new one.
    /// - throws: `ProgramError` (65), `JournalError`
    package func requireFree(_ name: String, for id: Identifier?) throws {
        let small = name.lowercased()
        let other = try locations().first {
            $0.id != id && [$0.id.text.lowercased(), $0.name.lowercased()].contains(small)
        }
        if let other { throw ProgramError(taken: name, by: other) }
    }

    /// Refuses the key of another location, hidden or not.
    ///
    /// - parameters:
    ///     - key: The key.
    ///     - id: The id of the location that is to have it; nil for a new one.
    /// - throws: `ProgramError` (65), `JournalError`
    private func requireFree(_ key: LocationKey, for id: Identifier?) throws {
        guard let other = try locations().first(where: { $0.id != id && $0.key == key }) else { return }
        throw ProgramError(
            "the key \(key) counts into '\(other.name)' already",
            remedy:
                "Choose another key, or free it: counter location set \(other.id.text.quotedForShell) --key none",
            status: EX_DATAERR)
    }

    /// Sets the properties that differ, in one transaction.
    ///
    /// - throws: `ProgramError` (65) where another location has the name or the key; `ZoneError`, `JournalError`
    package func change(_ known: Location, to wanted: Location, at now: Timestamp) throws {
        if wanted.timezone != known.timezone { try ZoneDatabase().require(wanted.timezone) }
        if wanted.name != known.name { try requireFree(wanted.name, for: known.id) }
        if let key = wanted.key, key != known.key { try requireFree(key, for: known.id) }
        let requests = known.changes(to: wanted).map {
            Request(locationId: known.id, userId: LoginName.current, timestamp: now, change: .setting($0))
        }
        if !requests.isEmpty { _ = try append(requests, receivedAt: now) }
    }

    /// Refuses to hide the location that is counted where none is named, and the last visible one.
    ///
    /// - parameters:
    ///     - location: The location to hide.
    ///     - usual: The id or name of the location that the settings count into where none is named.
    /// - throws: `ProgramError` (69), `JournalError`
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
    /// Refuses a hidden location, into which nothing counts.
    ///
    /// - throws: `ProgramError` (69)
    package func requireVisible() throws(ProgramError) -> Location {
        guard isHidden else { return self }
        throw ProgramError(
            "'\(name)' is hidden; nothing was counted", remedy: remedyToShow, status: EX_UNAVAILABLE)
    }

    /// How to show a hidden location again.
    package var remedyToShow: String { "To show it again: counter location show \(name.quotedForShell)" }
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
