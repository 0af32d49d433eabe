import CounterModel
import CounterStore
import Glibc
import System
import Zones

/// The rules for adding and changing the locations of a journal.
struct LocationRegister {
    let journal: SQLiteJournal

    init(_ journal: SQLiteJournal) { self.journal = journal }

    /// The location with this name or id; nil where there is none.
    func location(named name: String) throws(JournalError) -> Location? {
        let all = try journal.locations()
        return all.first { $0.id == name } ?? all.first { $0.name == name }
    }

    /// Adds a location whose name and id are free.
    ///
    /// - Throws: `Failure` (65) where the zone is unknown or the id was taken meanwhile; `JournalError`.
    func add(_ location: Location) throws {
        try requireZone(location.timezone)
        guard try journal.add(location, userId: LoginName.current, at: WallClock().now) else {
            throw Failure("there is a location '\(location.id)' already", status: EX_DATAERR)
        }
    }

    /// Sets the properties that differ, in one transaction.
    ///
    /// - Throws: `Failure` (65) where the zone is unknown or another location has the name; `JournalError`.
    func change(_ known: Location, to wanted: Location) throws {
        if wanted.timezone != known.timezone { try requireZone(wanted.timezone) }
        if let other = try location(named: wanted.name), other.id != known.id {
            throw Failure(taken: wanted.name, by: other)
        }
        let now = WallClock().now
        let requests = known.changes(to: wanted).map {
            Request(locationId: known.id, userId: LoginName.current, timestamp: now, change: .setting($0))
        }
        if !requests.isEmpty { _ = try journal.append(requests, receivedAt: now) }
    }

    /// Refuses to hide the location that is counted where none is named, the one that is counted now, and the last
    /// visible one.
    ///
    /// - Parameters:
    ///   - location: The location to hide.
    ///   - usual: The id or name of the location that the settings count into where none is named.
    ///   - counted: The location that is counted now; `nil` where none is.
    /// - Throws: `Failure` (69), `JournalError`
    func requireOther(than location: Location, usual: String, counted: Location? = nil) throws {
        if location.id == usual || location.name == usual {
            throw Failure(
                "'\(location.name)' is what counter counts into where no location is named",
                remedy: "Set location to another one in config.toml or COUNTER_LOCATION first.",
                status: EX_UNAVAILABLE)
        }
        if location.id == counted?.id {
            throw Failure(
                "'\(location.name)' is being counted here", remedy: "Run counter for another location first.",
                status: EX_UNAVAILABLE)
        }
        if try journal.locations().allSatisfy({ $0.isHidden || $0.id == location.id }) {
            throw Failure(
                "'\(location.name)' is the last location", remedy: "Add another one first.",
                status: EX_UNAVAILABLE)
        }
    }

    private func requireZone(_ identifier: String) throws(ZoneError) {
        try ZoneDatabase().require(identifier)
    }
}

extension RowRules {
    /// The rules of this system, which knows its own time zones.
    static let ofThisSystem = RowRules { (try? ZoneDatabase().require($0)) != nil }
}
