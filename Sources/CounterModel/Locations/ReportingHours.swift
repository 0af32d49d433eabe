import Linux

/// When the devices of a location are expected to report: in its opening hours or, without them, from the first hour with an event
/// to the last of a usual day. Always, where neither is known.
package struct ReportingHours: Hashable, Sendable {
    /// The days before today that say what is usual.
    package static let usualDays = 7
    /// How many of them must have events.
    private static let leastDays = 3
    private static let daysAhead = 8

    /// In order, without overlaps; nil for always.
    private let openings: [Range<Timestamp>]?

    /// The hours from the day before `day` to the days after it. `eventful` are the starts of the hours with events of the days
    /// before; they are ignored where the location has opening hours.
    package init(
        of location: Location, about day: OperationalDay, _ calendar: OperationalCalendar,
        eventful: [Timestamp]
    ) {
        let first = calendar.day(before: day)
        let days = Array(sequence(first: first, next: calendar.day(after:)).prefix(Self.daysAhead))
        if let hours = location.openingHours {
            openings = hours.openings(in: first.start..<days[days.count - 1].end, calendar.zone)
        } else {
            openings = Self.usual(eventful, calendar).map { usual in
                days.map { calendar.moments(of: $0, fromHour: usual.first, throughHour: usual.last) }
            }
        }
    }

    /// The median of the days' first hours, and of their last ones, counted from the start of the day.
    private static func usual(_ eventful: [Timestamp], _ calendar: OperationalCalendar) -> (
        first: Int, last: Int
    )? {
        let days = Dictionary(grouping: eventful) { calendar.day(containing: $0).date }.values.map {
            $0.map { (calendar.zone.local(at: $0).hour - calendar.startHour + 24) % 24 }
        }
        guard days.count >= leastDays else { return nil }
        let firsts = days.compactMap { $0.min() }.sorted()
        let lasts = days.compactMap { $0.max() }.sorted()
        return (firsts[(firsts.count - 1) / 2], lasts[lasts.count / 2])
    }

    package func contains(_ moment: Timestamp) -> Bool {
        openings.map { $0.contains { $0.contains(moment) } } ?? true
    }

    /// Whether a device is stale: it has sent nothing for longer than `age` of the present hours.
    package func isStale(_ device: Device, after age: Duration, now: Timestamp) -> Bool {
        guard device.isStale(after: age, now: now) else { return false }
        guard let openings else { return true }
        return openings.first { $0.contains(now) }.map { now - $0.lowerBound > age } ?? false
    }

    /// When that changes next though nothing is heard of the device; nil where it does not.
    package func nextChange(of device: Device, after age: Duration, now: Timestamp) -> Timestamp? {
        guard !device.isConnected, let seen = device.lastSeenAt else { return nil }
        let late = age + .microseconds(1)
        guard let openings else { return seen + late > now ? seen + late : nil }
        let changes = openings.flatMap { opening in
            let stale = max(seen, opening.lowerBound) + late
            return stale < opening.upperBound ? [stale, opening.upperBound] : []
        }
        return changes.first { $0 > now }
    }
}

extension OperationalCalendar {
    /// The time of a day from one of its hours to the end of another, counted from the start of the day.
    fileprivate func moments(of day: OperationalDay, fromHour first: Int, throughHour last: Int) -> Range<
        Timestamp
    > {
        func start(_ hour: Int) -> Timestamp {
            hour >= 24 ? day.end : moment(showing: (startHour + hour) % 24, 0, of: day.start)
        }
        let from = min(start(first), day.end)
        return from..<max(from, min(start(last + 1), day.end))
    }
}
