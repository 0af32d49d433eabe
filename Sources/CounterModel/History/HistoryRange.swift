extension Range<Timestamp> {
    package var start: Timestamp { lowerBound }
    package var end: Timestamp { upperBound }

    /// The range of the same length that ends where this one starts. A range of whole operational days moves by days, any
    /// other by time.
    package func previous(in calendar: OperationalCalendar) -> Range<Timestamp> {
        guard let days = wholeDays(in: calendar) else { return start - duration..<start }
        let first = days.reduce(days[0]) { day, _ in calendar.day(before: day) }
        return first.start..<start
    }

    /// The range of the same length that starts where this one ends; see ``previous(in:)``.
    package func next(in calendar: OperationalCalendar) -> Range<Timestamp> {
        guard let days = wholeDays(in: calendar) else { return end..<end + duration }
        let last = days.reduce(days[days.count - 1]) { day, _ in calendar.day(after: day) }
        return end..<last.end
    }

    /// The operational days that it consists of; `nil` where it contains a part of a day.
    package func wholeDays(in calendar: OperationalCalendar) -> [OperationalDay]? {
        let days = calendar.days(in: self)
        guard days.first?.start == start, days.last?.end == end else { return nil }
        return days
    }
}

package enum HistoryUnit: String, CaseIterable, Hashable, Sendable {
    case minute
    case hour
    case day
    case week
}

extension Range<Timestamp> {
    private static var maxByMinute: Duration { .seconds(3600) }
    /// The longest range that is shown in hours: two days of local time, whatever changes of the offset lie in between.
    private static var maxSecondsByHour: Int { 2 * LocalDateTime.secondsOfDay }

    /// The unit that suits a chart of this range: minutes up to an hour, hours up to two days, days beyond.
    package func naturalUnit(in calendar: OperationalCalendar) -> HistoryUnit {
        if duration <= Self.maxByMinute { return .minute }
        let clock = calendar.zone.local(at: start).clockSeconds + Self.maxSecondsByHour
        let limit = calendar.zone.firstMoment(showing: LocalDateTime(clockSeconds: clock))
        return end <= limit ? .hour : .day
    }

    /// Cuts the range into minutes, hours, days or weeks, or the parts of them that lie in it: 1 or more, in order; they tile the
    /// range.
    package func buckets(of unit: HistoryUnit, in calendar: OperationalCalendar) -> [Range<Timestamp>] {
        let whole: [Range<Timestamp>] =
            switch unit {
            case .minute: minutes
            case .hour: calendar.zone.hours(in: self)
            case .day: calendar.days(in: self).map { $0.start..<$0.end }
            case .week: weeks(in: calendar)
            }
        return whole.map { $0.clamped(to: self) }
    }

    /// The minutes of UTC, which are those of the zone unless its offset has seconds (local mean times).
    private var minutes: [Range<Timestamp>] {
        sequence(first: start) { $0.nextMinute }.prefix { $0 < end }.map { $0..<$0.nextMinute }
    }

    /// The weeks begin on Mondays.
    private func weeks(in calendar: OperationalCalendar) -> [Range<Timestamp>] {
        let first = calendar.day(containing: start).date.monday
        let mondays = sequence(first: first) { $0.advanced(by: 7) }
        return mondays.prefix { calendar.day(of: $0).start < end }.map { monday in
            calendar.day(of: monday).start..<calendar.day(of: monday.advanced(by: 7)).start
        }
    }
}
