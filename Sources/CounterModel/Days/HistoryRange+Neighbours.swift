extension HistoryRange {
    /// The range of the same length that ends where this one starts. A range of whole operational days moves by days, any
    /// other by time.
    package func previous(in calendar: OperationalCalendar) -> HistoryRange {
        guard let days = wholeDays(in: calendar) else {
            return HistoryRange(start: start.advanced(by: -length), end: start)
        }
        let first = days.reduce(days[0]) { day, _ in calendar.day(before: day) }
        return HistoryRange(start: first.start, end: start)
    }

    /// The range of the same length that starts where this one ends; see ``previous(in:)``.
    package func next(in calendar: OperationalCalendar) -> HistoryRange {
        guard let days = wholeDays(in: calendar) else {
            return HistoryRange(start: end, end: end.advanced(by: length))
        }
        let last = days.reduce(days[days.count - 1]) { day, _ in calendar.day(after: day) }
        return HistoryRange(start: end, end: last.end)
    }

    /// The operational days that it consists of; `nil` where it contains a part of a day.
    package func wholeDays(in calendar: OperationalCalendar) -> [OperationalDay]? {
        let days = calendar.days(in: start..<end)
        guard days.first?.start == start, days.last?.end == end else { return nil }
        return days
    }

    /// The length in microseconds.
    private var length: Int64 { end.microseconds - start.microseconds }
}

extension Timestamp {
    /// The time `microseconds` later, or earlier where they are negative; stops at the limits of ``Timestamp``.
    fileprivate func advanced(by microseconds: Int64) -> Timestamp {
        let (sum, overflow) = self.microseconds.addingReportingOverflow(microseconds)
        return Timestamp(microseconds: overflow ? (microseconds < 0 ? .min : .max) : sum)
    }
}
