package import Linux

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

    /// Creates times for locations.
    package init(_ locations: [Location]) {
        self.locations = Dictionary(locations.map { ($0.id, $0) }) { $1 }
    }

    /// A time with microseconds and its offset from UTC, in ISO 8601: `2026-10-25T02:30:00.000000+01:00`. In UTC where the location or
    /// its zone is unknown.
    package func iso8601(_ time: Timestamp, of locationId: Identifier) -> String {
        guard let location = locations[locationId] else { return time.iso8601 }
        let seconds = time.seconds
        let year = seconds < 0 ? (seconds + 1) / Self.year - 1 : seconds / Self.year
        let key = Key(locationId: locationId, year: year)
        let zone = zones[key] ?? location.calendar(for: Self.times(of: key.year)).zone
        zones[key] = zone
        let local = zone.local(at: time)
        let fraction = String(1_000_000 + time.fraction).dropFirst()
        return "\(local.date)T\(local.timeOfDay).\(fraction)\(zone.offset(at: time))"
    }

    private static func times(of number: Int) -> ClosedRange<Timestamp> {
        Timestamp(seconds: number * year)...Timestamp(seconds: (number + 1) * year)
    }
}
