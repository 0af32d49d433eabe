public import CounterModel
public import CounterStore
import System
import Zones

extension Location {
    /// Its operational days, right from some days before a range to some days after it; those of UTC where this system does
    /// not know its zone, as `zoneNote` tells.
    public func calendar(for range: ClosedRange<Timestamp>) -> OperationalCalendar {
        // Far enough for the day before the first and after the last, whatever the offset.
        let margin = 3 * 86_400
        let first = Timestamp(seconds: range.lowerBound.seconds - margin)
        let last = Timestamp(seconds: range.upperBound.seconds + margin)
        let zone = (try? ZoneDatabase().offsets(of: timezone, in: first..<last)) ?? .utc
        return OperationalCalendar(zone: zone, startHour: dayStart)
    }

    /// Its operational days about one time.
    public func calendar(about time: Timestamp) -> OperationalCalendar { calendar(for: time...time) }

    /// Why its times are in UTC though it has another zone; nil where they are in its own.
    public var zoneNote: String? {
        do throws(ZoneError) {
            try ZoneDatabase().require(timezone)
            return nil
        } catch { return "\(error); times are in UTC" }
    }
}

extension OperationalCalendar {
    /// The starts of the hours that have a part in a range; the first is the range's own. The others are starts of
    /// minutes: an offset of some seconds, as before the days of railways, is rounded down.
    public func hourStarts(in range: Range<Timestamp>) -> [Timestamp] {
        let starts = zone.hours(in: range).map { max($0.start.startOfMinute, range.lowerBound) }
        return starts.isEmpty ? [range.lowerBound] : starts
    }
}

extension SQLiteJournal {
    /// What a location's present day has come to so far.
    ///
    /// - Throws: `JournalError`
    public func today(of location: Location, silentAfter: Duration, now: Timestamp) throws(JournalError) -> (
        day: OperationalDay, kpis: KPIs
    ) {
        let calendar = location.calendar(about: now)
        let day = calendar.day(containing: now)
        return (
            day, try kpis(of: location, in: day.start..<day.end, calendar, silentAfter: silentAfter, now: now)
        )
    }

    /// What a range of a location's history came to, by its own hours, with what came by clocks that are ahead.
    ///
    /// - Throws: `JournalError`
    public func kpis(
        of location: Location, in range: Range<Timestamp>, _ calendar: OperationalCalendar,
        silentAfter: Duration, now: Timestamp
    ) throws(JournalError) -> KPIs {
        try kpis(
            of: location, hours: calendar.hourStarts(in: range), end: range.upperBound,
            now: try present(of: location.id, now: now), silence: silentAfter.microseconds)
    }
}

extension SQLiteJournal {
    /// The state of a location that is known to exist.
    ///
    /// - Throws: `JournalError`
    public func existingState(of id: String) throws(JournalError) -> CounterState {
        try state(of: id)
            ?? CounterState(locationId: id, level: 0, lastUpdated: nil, lastEventAt: nil, position: .start)
    }
}
