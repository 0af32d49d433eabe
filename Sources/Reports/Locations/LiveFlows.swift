import CounterModel
import CounterStore

/// The entries in and out of a location: of the present day, and of each minute of the last hour.
struct LiveFlows {
    private static let minutes: Int64 = 60
    /// How far ahead of ours another clock may be before its times are ignored, in minutes.
    private static let lead: Int64 = 5

    let day: OperationalDay
    /// Why the day is one of UTC; `nil` where it is in the location's own zone.
    let problem: String?
    let today: LiveCard.Traffic
    let lastHour: [LiveCard.Traffic]

    /// Reads the flows as of the minute that ends at `end`.
    ///
    /// - Throws: `JournalError`
    init(of location: Location, in journal: SQLiteJournal, at now: Timestamp, end: Timestamp)
        throws(JournalError)
    {
        let day = location.calendar(about: now).day(containing: now)
        let last = end.advanced(minutes: Self.lead)
        let kpis = try journal.kpis(
            of: location, hours: Self.starts(day: day, end: end), end: last, now: last, silence: .max)
        let first = end.advanced(minutes: -Self.minutes)
        lastHour = kpis.hours.filter { $0.start >= first && $0.start < end }.map(LiveCard.Traffic.init)
        today = kpis.hours.filter { $0.start >= day.start.startOfMinute }.map(LiveCard.Traffic.init)
            .reduce(into: LiveCard.Traffic()) {
                $0.ins += $1.ins
                $0.outs += $1.outs
            }
        self.day = day
        problem = location.zoneNote
    }

    /// The starts of the intervals: the day so far, each minute of the last hour, and the time after it, for clocks that
    /// run ahead.
    private static func starts(day: OperationalDay, end: Timestamp) -> [Timestamp] {
        let minutes = (-Self.minutes...0).map { end.advanced(minutes: $0) }
        let start = day.start.startOfMinute
        return start < minutes[0] ? [start] + minutes : minutes
    }
}

extension LiveCard.Traffic {
    fileprivate init(_ flow: Flow) { self.init(ins: flow.totalIn, outs: flow.totalOut) }
}

extension Timestamp {
    /// This time plus a number of minutes.
    func advanced(minutes: Int64) -> Timestamp {
        Timestamp(microseconds: microseconds + minutes * MinuteRollup.length)
    }
}
