/// When the silence of a location is judged.
package enum OpenTimes: Sendable {
    case always
    /// In its opening hours: in order, without overlaps.
    case hours([Range<Timestamp>])
    /// In each of these days from its first event to its last: in order, without overlaps.
    case betweenEvents(days: [Range<Timestamp>])

    /// When the silence of a location is judged within a range: in its opening hours or, without them, each day between its
    /// first event and its last.
    package init(of location: Location, in range: Range<Timestamp>, _ calendar: OperationalCalendar) {
        if let hours = location.openingHours {
            self = .hours(hours.openings(in: range, calendar.zone))
        } else {
            self = .betweenEvents(days: calendar.days(in: range).map { $0.start..<$0.end })
        }
    }

    /// The times within a range.
    ///
    /// - parameters:
    ///     - range: The range.
    ///     - events: The minutes with events, in any order.
    /// - returns: Ranges in order, without overlaps.
    func ranges(in range: Range<Timestamp>, events: [MinuteRollup]) -> [Range<Timestamp>] {
        switch self {
        case .always: [range]
        case .hours(let hours): hours.map { $0.clamped(to: range) }
        case .betweenEvents(let days): Self.eventful(days, events).map { $0.clamped(to: range) }
        }
    }

    /// Each day from its first event to its last, without the days that have none.
    private static func eventful(_ days: [Range<Timestamp>], _ events: [MinuteRollup]) -> [Range<Timestamp>] {
        var result: [Range<Timestamp>] = []
        var day = 0
        for event in events.sorted(by: { $0.start < $1.start }) {
            let first = Timestamp(microseconds: event.start)
            while day < days.count, days[day].upperBound <= first { day += 1 }
            guard day < days.count, days[day].lowerBound <= first else { continue }
            let last = max(first, Timestamp(microseconds: event.last))
            if let open = result.last, open.lowerBound >= days[day].lowerBound {
                result[result.count - 1] = open.lowerBound..<max(open.upperBound, last)
            } else {
                result.append(first..<last)
            }
        }
        return result
    }
}

extension Range<Timestamp> {
    /// In microseconds.
    var length: Int64 { upperBound.microseconds - lowerBound.microseconds }
}
