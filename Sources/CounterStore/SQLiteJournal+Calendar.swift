package import CounterModel

/// What is read of a location by its own days and hours.
extension SQLiteJournal {
    /// The figures of a location's current day so far.
    ///
    /// - Throws: `JournalError`
    package func today(of location: Location, silentAfter: Duration, now: Timestamp) throws(JournalError) -> (
        day: OperationalDay, kpis: KPIs
    ) {
        let calendar = location.calendar(about: now)
        let day = calendar.day(containing: now)
        return (
            day, try kpis(of: location, in: day.start..<day.end, calendar, silentAfter: silentAfter, now: now)
        )
    }

    /// The figures of a range of a location's history, by hours of its zone. Entries of clocks that are ahead are included.
    ///
    /// - Throws: `JournalError`
    package func kpis(
        of location: Location, in range: Range<Timestamp>, _ calendar: OperationalCalendar,
        bars: [Timestamp] = [], silentAfter: Duration, now: Timestamp
    ) throws(JournalError) -> KPIs {
        try kpis(
            of: location, hours: calendar.hourStarts(in: range), end: range.upperBound,
            now: try present(of: location.id, now: now), bars: bars,
            open: OpenTimes(of: location, in: range, calendar), silence: silentAfter.microseconds)
    }
}
