import CounterModel
import CounterStore
import Descriptors
import SystemZones

extension Location {
    /// Its operational days, right from some days before a range to some days after it.
    ///
    /// - Throws: `ZoneError` where this system does not know its zone.
    func calendar(for range: ClosedRange<Timestamp>) throws(ZoneError) -> OperationalCalendar {
        // Far enough for the day before the first and after the last, whatever the offset.
        let margin = 3 * 86_400
        let first = Timestamp(seconds: range.lowerBound.seconds - margin)
        let last = Timestamp(seconds: range.upperBound.seconds + margin)
        let zone = try ZoneDatabase().offsets(of: timezone, in: first..<last)
        return OperationalCalendar(zone: zone, startHour: dayStart)
    }

    /// Its operational days about one time.
    func calendar(about time: Timestamp) throws(ZoneError) -> OperationalCalendar {
        try calendar(for: time...time)
    }
}

extension OperationalCalendar {
    /// The starts of the hours that have a part in a range; the first is the range's own. The others are starts of
    /// minutes: an offset of some seconds, as before the days of railways, is rounded down.
    func hourStarts(in range: Range<Timestamp>) -> [Timestamp] {
        let starts = zone.hours(in: range).map { max($0.start.startOfMinute, range.lowerBound) }
        return starts.isEmpty ? [range.lowerBound] : starts
    }
}

extension SQLiteJournal {
    /// What a location's present day has come to so far.
    ///
    /// - Throws: `ZoneError`, `JournalError`
    func today(of location: Location, _ settings: Settings, now: Timestamp) throws -> (
        day: OperationalDay, kpis: KPIs
    ) {
        let calendar = try location.calendar(about: now)
        let day = calendar.day(containing: now)
        return (day, try kpis(of: location, in: day.start..<day.end, calendar, settings, now: now))
    }

    /// What a range of a location's history came to, by its own hours, with what came by clocks that are ahead.
    ///
    /// - Throws: `JournalError`
    func kpis(
        of location: Location, in range: Range<Timestamp>, _ calendar: OperationalCalendar,
        _ settings: Settings,
        now: Timestamp
    ) throws(JournalError) -> KPIs {
        try kpis(
            of: location, hours: calendar.hourStarts(in: range), end: range.upperBound,
            now: try present(of: location.id, now: now), silence: settings.silentAfter.microseconds)
    }
}
