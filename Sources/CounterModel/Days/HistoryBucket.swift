/// What the bars of a chart stand for.
public enum HistoryUnit: Hashable, Sendable {
    case hours
    case days
}

/// An hour or a day, or what of it lies in a range.
public struct HistoryBucket: Hashable, Sendable {
    /// Which hour or day.
    public enum Label: Hashable, Sendable {
        case hour(HourBucket)
        case day(OperationalDay)
    }

    /// The whole hour or day.
    public let label: Label
    /// The first moment of it in the range.
    public let start: Timestamp
    /// The first moment after it, or after the range.
    public let end: Timestamp
}

extension HistoryRange {
    /// How long hours are told apart: two days by the location's clocks, however they are set in between.
    private static let longestOfHours = 2 * LocalDateTime.secondsOfDay

    /// What a chart of this range shows best: hours up to two days, days beyond.
    public func naturalUnit(in calendar: OperationalCalendar) -> HistoryUnit {
        let clock = calendar.zone.local(at: start).clockSeconds + Self.longestOfHours
        let limit = calendar.zone.firstMoment(showing: LocalDateTime(clockSeconds: clock))
        return end <= limit ? .hours : .days
    }

    /// Cuts the range into hours or days.
    ///
    /// - Parameters:
    ///     - unit: Hours or days; the natural one where `nil`.
    ///     - calendar: The location's.
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
