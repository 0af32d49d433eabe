package import CounterModel
package import Linux
import SQL

extension SQLiteJournal {
    /// The KPIs of a range of a location's history, on one snapshot.
    ///
    /// - parameters:
    ///     - location: Whose.
    ///     - hours: The start of each hour of the range, ascending; at least one. All but the first are starts of minutes.
    ///     - end: The end of the last hour.
    ///     - now: Nothing after it is read; see `present(of:now:)`.
    ///     - bars: The starts of the bars that a chart of the range has, under the same rules.
    ///     - open: When silence is judged.
    ///     - silence: How long a connected device may send nothing before that is an anomaly, in microseconds.
    /// - returns: All zeros where there is no such location.
    /// - throws: `JournalError`
    package func kpis(
        of location: Location, hours: [Timestamp], end: Timestamp, now: Timestamp, bars: [Timestamp] = [],
        open: OpenTimes = .always, silence: Int64
    ) throws(JournalError) -> KPIs {
        try read { db in
            try HistoryReader(db: db)
                .kpis(
                    of: location, hours: hours, end: end, now: now, bars: bars, open: open, silence: silence)
        }
    }

    /// The end of a location's history: `now`, or after its last event if this machine's clock was set back since.
    ///
    /// - throws: `JournalError`
    package func present(of locationId: Identifier, now: Timestamp) throws(JournalError) -> Timestamp {
        try read { db in try HistoryReader(db: db).present(of: locationId, now: now) }
    }

    /// Rows of a location's history in the order of time: entries, corrections, resets, ends of days, settings; void ones too. At
    /// most as many as the page is long, fewer at the end of history.
    package func history(of locationId: Identifier, _ page: HistoryPage) throws(JournalError) -> [HistoryRow]
    {
        try read { db in try HistoryRows(db).fetch(locationId, page) }
    }
}

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
