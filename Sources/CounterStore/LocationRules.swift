public import CounterModel
internal import Glibc
public import System
import Zones

/// The rules for finding, adding and changing the locations of a journal. Each change is made by this process's user.
extension SQLiteJournal {
    /// The location with this id or name; nil where there is none.
    ///
    /// - throws: `JournalError`
    public func location(named name: String) throws(JournalError) -> Location? {
        let all = try locations()
        return all.first { $0.id == name } ?? all.first { $0.name == name }
    }

    /// The location with this id or name.
    ///
    /// - throws: `Failure` (66) where there is none; its text lists the existing locations. `JournalError`
    public func existingLocation(named name: String) throws -> Location {
        if let found = try location(named: name) { return found }
        let visible = try locations().filter { !$0.isHidden }
        let suggestion = visible.flatMap { [$0.id, $0.name] }.suggestion(for: name)
        throw System.Failure(
            "there is no location '\(name)'",
            remedy: "\(suggestion)Existing: \(visible.map(\.id).joined(separator: ", ")). "
                + "Create it with: counter location add \(name.quotedForShell)",
            status: EX_NOINPUT)
    }

    /// The location with this id or name, if it is visible.
    ///
    /// - throws: `Failure` where there is none, or where it is hidden; `JournalError`
    public func visibleLocation(named name: String) throws -> Location {
        let location = try existingLocation(named: name)
        guard !location.isHidden else {
            throw System.Failure("'\(location.name)' is no longer shown", status: EX_UNAVAILABLE)
        }
        return location
    }

    /// Adds a location whose name and id are free.
    ///
    /// - parameters:
    ///     - location: The location.
    ///     - from: From when its settings hold; nil from now on.
    ///     - now: The present moment.
    /// - throws: `Failure` (65) where the id was taken meanwhile; `ZoneError`, `JournalError`
    public func add(new location: Location, from: Timestamp? = nil, at now: Timestamp) throws {
        try ZoneDatabase().require(location.timezone)
        guard try add(location, userId: LoginName.current, at: from ?? now, receivedAt: now) else {
            throw System.Failure("there is a location '\(location.id)' already", status: EX_DATAERR)
        }
    }

    /// Sets the properties that differ, in one transaction.
    ///
    /// - throws: `Failure` (65) where another location has the name; `ZoneError`, `JournalError`
    public func change(_ known: Location, to wanted: Location, at now: Timestamp) throws {
        if wanted.timezone != known.timezone { try ZoneDatabase().require(wanted.timezone) }
        if let other = try location(named: wanted.name), other.id != known.id {
            throw System.Failure(taken: wanted.name, by: other)
        }
        let requests = known.changes(to: wanted).map {
            Request(locationId: known.id, userId: LoginName.current, timestamp: now, change: .setting($0))
        }
        if !requests.isEmpty { _ = try append(requests, receivedAt: now) }
    }

    /// Refuses to hide the location that is counted where none is named, the one that is counted now, and the last
    /// visible one.
    ///
    /// - parameters:
    ///     - location: The location to hide.
    ///     - usual: The id or name of the location that the settings count into where none is named.
    ///     - counted: The location that is counted now; nil where none is.
    /// - throws: `Failure` (69), `JournalError`
    public func requireOther(than location: Location, usual: String, counted: Location? = nil) throws {
        if location.id == usual || location.name == usual {
            throw System.Failure(
                "'\(location.name)' is what counter counts into where no location is named",
                remedy: "Set location to another one in config.toml or COUNTER_LOCATION first.",
                status: EX_UNAVAILABLE)
        }
        if location.id == counted?.id {
            throw System.Failure(
                "'\(location.name)' is being counted here", remedy: "Run counter for another location first.",
                status: EX_UNAVAILABLE)
        }
        if try locations().allSatisfy({ $0.isHidden || $0.id == location.id }) {
            throw System.Failure(
                "'\(location.name)' is the last location", remedy: "Add another one first.",
                status: EX_UNAVAILABLE)
        }
    }
}

extension Failure {
    /// The name for a new location is already the name or the id of another one.
    public init(taken name: String, by other: Location) {
        let which =
            other.id == other.name
            ? "" : other.id == name ? ": it is called '\(other.name)'" : ": its id is '\(other.id)'"
        self.init(
            "there is a location '\(name)' already\(which)",
            remedy: other.isHidden
                ? "It is hidden: counter location list --all"
                : "Choose another name, or change it: counter location set \(other.id.quotedForShell) …",
            status: EX_DATAERR)
    }
}
