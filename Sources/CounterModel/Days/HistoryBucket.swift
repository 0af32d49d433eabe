/// The unit of a chart's bars.
package enum HistoryUnit: String, CaseIterable, Hashable, Sendable {
    case minute
    case hour
    case day
    case week
}

/// A minute, an hour, a day or a week, or the part of it that lies in a range.
package struct HistoryBucket: Hashable, Sendable {
    /// Which one of its unit.
    package enum Label: Hashable, Sendable {
        /// A minute, by the local time at which it begins, or at which its part begins.
        case minute(LocalDateTime)
        case hour(HourBucket)
        case day(OperationalDay)
        /// The week that begins on a Monday.
        case week(CalendarDate)
    }

    /// The whole of it.
    package let label: Label
    /// Its first moment in the range.
    package let start: Timestamp
    /// The first moment after it, or after the range.
    package let end: Timestamp
}

extension HistoryRange {
    /// The longest range that is shown in minutes, in seconds.
    private static let maxSecondsByMinute = 3600
    /// The longest range that is shown in hours: two days of local time, whatever changes of the offset lie in between.
    private static let maxSecondsByHour = 2 * LocalDateTime.secondsOfDay

    /// The unit that suits a chart of this range: minutes up to an hour, hours up to two days, days beyond.
    package func naturalUnit(in calendar: OperationalCalendar) -> HistoryUnit {
        if end.microseconds - start.microseconds <= Int64(Self.maxSecondsByMinute) * 1_000_000 {
            return .minute
        }
        let clock = calendar.zone.local(at: start).clockSeconds + Self.maxSecondsByHour
        let limit = calendar.zone.firstMoment(showing: LocalDateTime(clockSeconds: clock))
        return end <= limit ? .hour : .day
    }

    /// Cuts the range into parts of a unit.
    ///
    /// - Parameters:
    ///     - unit: The unit; `nil` for ``naturalUnit(in:)``.
    ///     - calendar: The location's calendar.
    /// - Returns: 1 or more, in order; they tile the range.
    package func buckets(of unit: HistoryUnit? = nil, in calendar: OperationalCalendar) -> [HistoryBucket] {
        switch unit ?? naturalUnit(in: calendar) {
        case .minute: minutes(in: calendar.zone)
        case .hour: calendar.zone.hours(in: start..<end).map { bucket(.hour($0), $0.start, $0.end) }
        case .day: calendar.days(in: start..<end).map { bucket(.day($0), $0.start, $0.end) }
        case .week: weeks(in: calendar)
        }
    }

    /// The minutes of UTC, which are those of the zone unless its offset has seconds (local mean times).
    private func minutes(in zone: ZoneOffsets) -> [HistoryBucket] {
        let starts = sequence(first: start) { Timestamp(seconds: $0.startOfMinute.seconds + 60) }
        return starts.prefix { $0 < end }.map { first in
            bucket(
                .minute(zone.local(at: first)), first, Timestamp(seconds: first.startOfMinute.seconds + 60))
        }
    }

    private func weeks(in calendar: OperationalCalendar) -> [HistoryBucket] {
        let first = calendar.day(containing: start).date.monday
        let mondays = sequence(first: first) { $0.advanced(by: 7) }
        return mondays.prefix { calendar.day(of: $0).start < end }.map { monday in
            bucket(
                .week(monday), calendar.day(of: monday).start, calendar.day(of: monday.advanced(by: 7)).start)
        }
    }

    private func bucket(_ label: HistoryBucket.Label, _ first: Timestamp, _ last: Timestamp) -> HistoryBucket
    {
        HistoryBucket(label: label, start: max(first, start), end: min(last, end))
    }
}
