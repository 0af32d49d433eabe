/// The unit of a chart's bars.
public enum HistoryUnit: Hashable, Sendable {
    case hours
    case days
}

/// An hour or a day, or the part of it that lies in a range.
public struct HistoryBucket: Hashable, Sendable {
    /// Which hour or day.
    public enum Label: Hashable, Sendable {
        case hour(HourBucket)
        case day(OperationalDay)
    }

    /// The whole hour or day.
    public let label: Label
    /// Its first moment in the range.
    public let start: Timestamp
    /// The first moment after it, or after the range.
    public let end: Timestamp
}

extension HistoryRange {
    /// The longest range that is shown in hours: two days of local time, whatever changes of the offset lie in between.
    private static let longestOfHours = 2 * LocalDateTime.secondsOfDay

    /// The unit that suits a chart of this range: hours up to two days, days beyond.
    public func naturalUnit(in calendar: OperationalCalendar) -> HistoryUnit {
        let clock = calendar.zone.local(at: start).clockSeconds + Self.longestOfHours
        let limit = calendar.zone.firstMoment(showing: LocalDateTime(clockSeconds: clock))
        return end <= limit ? .hours : .days
    }

    /// Cuts the range into hours or days.
    ///
    /// - Parameters:
    ///     - unit: Hours or days; `nil` for ``naturalUnit(in:)``.
    ///     - calendar: The location's calendar.
    /// - Returns: 1 or more, in order; they tile the range.
    public func buckets(of unit: HistoryUnit? = nil, in calendar: OperationalCalendar) -> [HistoryBucket] {
        switch unit ?? naturalUnit(in: calendar) {
        case .hours:
            calendar.zone.hours(in: start..<end).map { bucket(.hour($0), $0.start, $0.end) }
        case .days:
            calendar.days(in: start..<end).map { bucket(.day($0), $0.start, $0.end) }
        }
    }

    private func bucket(_ label: HistoryBucket.Label, _ first: Timestamp, _ last: Timestamp) -> HistoryBucket
    {
        HistoryBucket(label: label, start: max(first, start), end: min(last, end))
    }
}
