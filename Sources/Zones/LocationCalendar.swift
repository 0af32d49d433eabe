public import CounterModel
public import CounterStore
import System
import Zones

extension Location {
    /// The location's operational days, computed from some days before the range to some days after it. Where the system does
    /// not have its zone, they are those of UTC; `zoneNote` says so.
    public func calendar(for range: ClosedRange<Timestamp>) -> OperationalCalendar {
        // Covers the day before the range and the day after it, with any offset.
        let margin = 3 * 86_400
        let first = Timestamp(seconds: range.lowerBound.seconds - margin)
        let last = Timestamp(seconds: range.upperBound.seconds + margin)
        let zone = (try? ZoneDatabase().offsets(of: timezone, in: first..<last)) ?? .utc
        return OperationalCalendar(zone: zone, startHour: dayStart)
    }

    /// The location's operational days around a time.
    public func calendar(about time: Timestamp) -> OperationalCalendar { calendar(for: time...time) }

    /// Why times are in UTC although the location has another zone; nil where they are in its own zone.
    public var zoneNote: String? {
        do throws(ZoneError) {
            try ZoneDatabase().require(timezone)
            return nil
        } catch { return "\(error); times are in UTC" }
    }
}

extension OperationalCalendar {
    /// The starts of the hours that overlap a range; the first is the range's start. Other starts are rounded down to a
    /// minute, which matters for offsets with seconds (local mean times).
    public func hourStarts(in range: Range<Timestamp>) -> [Timestamp] {
        let starts = zone.hours(in: range).map { max($0.start.startOfMinute, range.lowerBound) }
        return starts.isEmpty ? [range.lowerBound] : starts
    }
}

extension SQLiteJournal {
    /// The figures of a location's current day so far.
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

    /// The figures of a range of a location's history, by hours of its zone. Entries of clocks that are ahead are included.
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
    /// The state of an existing location.
    ///
    /// - Throws: `JournalError`
    public func existingState(of id: String) throws(JournalError) -> CounterState {
        try state(of: id)
            ?? CounterState(locationId: id, level: 0, lastUpdated: nil, lastEventAt: nil, position: .start)
    }
}
