package import Linux

/// A place or thing that is counted. It has one level of its own. `LocationProperty` has its settings.
package struct Location: Identifiable, Hashable, Sendable {
    /// The id of the location that every journal has from the start.
    package static let defaultId: Identifier = "default"

    /// Unique in a journal, never changed.
    package let id: Identifier
    package var name: String
    /// An IANA identifier such as `Europe/Zurich`.
    package var timezone: String
    /// 1 or more. A location with a capacity is an occupancy; without one (nil) it is a tally.
    package var maxCapacity: Int?
    /// The local hour at which its operational day starts, 0 to 23.
    package var dayStart: Int
    /// Whether an entry by hand may exceed the capacity.
    package var admitsOverFull: Bool
    /// Whether lists leave it out; its entries stay.
    package var isHidden: Bool
    /// The hours in which silence is judged; without them (nil), each day from its first to its last event.
    package var openingHours: OpeningHours?
    /// Whether a day that nobody ended ends by itself when the next one begins.
    package var endsDaysAutomatically = false
    package var group: String?
    package var key: LocationKey?
    /// The count to reach, 1 or more.
    package var target: Int?

    /// By default a tally whose day starts at midnight.
    package init(
        id: Identifier, name: String, timezone: String, maxCapacity: Int? = nil, dayStart: Int = 0,
        admitsOverFull: Bool = false, isHidden: Bool = false
    ) {
        (self.id, self.name, self.timezone) = (id, name, timezone)
        (self.maxCapacity, self.dayStart) = (maxCapacity, dayStart)
        (self.admitsOverFull, self.isHidden) = (admitsOverFull, isHidden)
    }

    /// The number that is shown for a level: of an occupancy never below 0.
    package func count(of level: Int) -> Int { maxCapacity == nil ? level : max(0, level) }

    /// When its day starts: `04:00`.
    package var dayStartText: String { Self.dayStartText(String(dayStart)) }

    static func dayStartText(_ hour: String) -> String {
        "\((Int(hour) ?? 0).padded(to: 2)):00"
    }
}

/// The key of a location: a letter that counts one up there, and as a capital one down.
package struct LocationKey: Hashable, Sendable, LosslessStringConvertible {
    /// The small letter.
    package let character: Character

    /// Reads a key, small or as a capital; nil where the text is not one letter that has a capital.
    package init?(_ text: String) {
        guard text.count == 1, let letter = text.first, letter.isLetter else { return nil }
        let (small, capital) = (letter.lowercased(), letter.uppercased())
        guard small != capital, small.count == 1, capital.count == 1, let first = small.first else {
            return nil
        }
        character = first
    }

    package var description: String { String(character) }

    package var capital: Character { description.uppercased().first ?? character }

    package static let text = "a key is one letter, such as a"
}

extension Location {
    /// The location's operational days, computed from some days before the range to some days after it. Where the system does
    /// not have its zone, they are those of UTC; `zoneNote` says so.
    package func calendar(for range: ClosedRange<Timestamp>) -> OperationalCalendar {
        // Covers the day before the range and the day after it, with any offset.
        let margin = 3 * 86_400
        let first = Timestamp(seconds: range.lowerBound.seconds - margin)
        let last = Timestamp(seconds: range.upperBound.seconds + margin)
        let zone = (try? ZoneOffsets(of: timezone, in: first..<last)) ?? .utc
        return OperationalCalendar(zone: zone, startHour: dayStart)
    }

    package func calendar(about time: Timestamp) -> OperationalCalendar { calendar(for: time...time) }

    /// Why times are in UTC although the location has another zone; nil where they are in its own zone.
    package var zoneNote: String? {
        do throws(ZoneError) {
            try ZoneDatabase().require(timezone)
            return nil
        } catch { return "\(error); times are in UTC" }
    }
}

/// What counting up and down is called: people come in and go out where there is a capacity; a tally goes up and down.
package enum FlowWords: Hashable, Sendable {
    case occupancy, tally

    package init(capacity: Int?) { self = capacity == nil ? .tally : .occupancy }

    package var ins: String { self == .tally ? "up" : "in" }
    package var outs: String { self == .tally ? "down" : "out" }
    /// Before a number, where there is little room.
    package var signs: (ins: String, outs: String) { self == .tally ? ("+", "-") : ("in ", "out ") }
}

/// Times in the zones of their locations, for long lists: it reads each zone once a year of the list.
package final class LocationTimes {
    /// A quarter of four years, in seconds.
    private static let year = 31_557_600

    private struct Key: Hashable {
        let locationId: Identifier
        let year: Int
    }

    private let locations: [Identifier: Location]
    private var zones: [Key: ZoneOffsets] = [:]

    package init(_ locations: [Location]) {
        self.locations = Dictionary(locations.map { ($0.id, $0) }) { $1 }
    }

    /// A time with microseconds and its offset from UTC, in ISO 8601: `2026-10-25T02:30:00.000000+01:00`. In UTC where the location or
    /// its zone is unknown.
    package func iso8601(_ time: Timestamp, of locationId: Identifier) -> String {
        guard let zone = zone(of: locationId, at: time) else { return time.iso8601 }
        let local = zone.local(at: time)
        return "\(local.date)T\(local.timeOfDay).\(time.fraction.padded(to: 6))\(zone.offset(at: time))"
    }

    /// The same without fraction and offset, as spreadsheets take it for a time: `2026-10-25 02:30:00`.
    package func plain(_ time: Timestamp, of locationId: Identifier) -> String {
        (zone(of: locationId, at: time) ?? .utc).local(at: time).description
    }

    private func zone(of locationId: Identifier, at time: Timestamp) -> ZoneOffsets? {
        guard let location = locations[locationId] else { return nil }
        let year = time.seconds.flooredQuotientAndRemainder(dividingBy: Self.year).quotient
        let key = Key(locationId: locationId, year: year)
        let zone = zones[key] ?? location.calendar(for: Self.times(of: key.year)).zone
        zones[key] = zone
        return zone
    }

    private static func times(of number: Int) -> ClosedRange<Timestamp> {
        Timestamp(seconds: number * year)...Timestamp(seconds: (number + 1) * year)
    }
}
