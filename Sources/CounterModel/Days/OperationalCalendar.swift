/// The operational days of a location, from its zone and its start hour.
///
/// Days cover time without gaps or overlaps. A day starts when the zone's clocks first show the start hour. Where they skip
/// that hour, it starts at the first moment after the gap (Africa/Cairo on 2026-04-24 starts at 01:00). A date that a zone
/// skipped (Pacific/Apia has no 2011-12-30) is an empty day; with a start hour after midnight, it has the hours until the
/// next day's start.
package struct OperationalCalendar: Hashable, Sendable {
    package let zone: ZoneOffsets
    /// The hour at which a day starts, 0...23.
    package let startHour: Int

    package init(zone: ZoneOffsets, startHour: Int = 0) {
        precondition((0...23).contains(startHour), "a day cannot start at hour \(startHour)")
        self.zone = zone
        self.startHour = startHour
    }

    /// The day of a date; empty where the zone skipped the date.
    package func day(of date: CalendarDate) -> OperationalDay {
        OperationalDay(
            date: date, start: Timestamp(seconds: start(of: date)),
            end: Timestamp(seconds: start(of: date.advanced(by: 1))))
    }

    package func day(containing moment: Timestamp) -> OperationalDay {
        let second = moment.seconds
        var date = zone.local(at: second).date
        while start(of: date) > second { date = date.advanced(by: -1) }
        // Where clocks were set back over midnight, the new day shows the old date once more.
        while start(of: date.advanced(by: 1)) <= second { date = date.advanced(by: 1) }
        return day(of: date)
    }

    /// The day before; dates that the zone skipped are left out.
    package func day(before day: OperationalDay) -> OperationalDay { neighbour(of: day, step: -1) }

    /// The day after; dates that the zone skipped are left out.
    package func day(after day: OperationalDay) -> OperationalDay { neighbour(of: day, step: 1) }

    /// The starts of the hours that overlap a range; the first is the range's start. Other starts are rounded down to a
    /// minute, which matters for offsets with seconds (local mean times).
    package func hourStarts(in range: Range<Timestamp>) -> [Timestamp] {
        let starts = zone.hours(in: range).map { max($0.start.startOfMinute, range.lowerBound) }
        return starts.isEmpty ? [range.lowerBound] : starts
    }

    /// Those that overlap a range, in order.
    package func days(in range: Range<Timestamp>) -> [OperationalDay] {
        guard !range.isEmpty else { return [] }
        let first = day(containing: range.lowerBound)
        return Array(sequence(first: first, next: day(after:)).prefix { $0.start < range.upperBound })
    }

    /// The first moment after `start`, or at it, at which clocks show a time of day.
    func moment(showing hour: Int, _ minute: Int, of start: Timestamp) -> Timestamp {
        let date = zone.local(at: start).date
        let moments = [0, 1].lazy.compactMap {
            LocalDateTime(date: date.advanced(by: $0), hour: hour, minute: minute)
        }
        return moments.map(zone.firstMoment(showing:)).first { $0 >= start } ?? start
    }

    /// The start of a day, in seconds since 1970, UTC.
    private func start(of date: CalendarDate) -> Int {
        let clock = date.dayNumber * LocalDateTime.secondsOfDay + startHour * 3600
        return zone.firstSecond(showing: LocalDateTime(clockSeconds: clock))
    }

    private func neighbour(of day: OperationalDay, step: Int) -> OperationalDay {
        var date = day.date.advanced(by: step)
        while start(of: date) == start(of: date.advanced(by: 1)) { date = date.advanced(by: step) }
        return self.day(of: date)
    }
}

/// An operational day of a location: from its start hour to the start of the next day.
package struct OperationalDay: Hashable, Sendable {
    /// The date of its start hour, even where clocks skip that hour.
    package let date: CalendarDate
    package let start: Timestamp
    /// The first moment of the next day; not part of this one.
    package let end: Timestamp

    package func contains(_ moment: Timestamp) -> Bool { start <= moment && moment < end }
}
