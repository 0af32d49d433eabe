import CounterModel
import CounterStore
import CounterTUI

/// What came into a location and went out of it: in its present day, and in each minute of the last hour.
struct LiveFlows {
    private static let minutes: Int64 = 60
    /// How far ahead of ours a clock may be and is still believed, in minutes.
    private static let lead: Int64 = 5

    /// `nil` where the location's zone is unknown; then `problem` tells why.
    let day: OperationalDay?
    let problem: String?
    /// `nil` where the day is.
    let today: LiveCard.Flow?
    let lastHour: [LiveCard.Flow]

    /// Reads them as of the minute that ends at `end`.
    ///
    /// - Throws: `JournalError`
    init(of location: Location, in journal: SQLiteJournal, at now: Timestamp, end: Timestamp) throws {
        let (day, problem) = location.day(at: now)
        let last = end.advanced(minutes: Self.lead)
        let kpis = try journal.kpis(
            of: location, hours: Self.starts(day: day, end: end), end: last, now: last, silence: .max)
        let first = end.advanced(minutes: -Self.minutes)
        lastHour = kpis.hours.filter { $0.start >= first && $0.start < end }.map(LiveCard.Flow.init)
        today = day.map { day in
            kpis.hours.filter { $0.start >= day.start.startOfMinute }.map(LiveCard.Flow.init)
                .reduce(into: LiveCard.Flow()) {
                    $0.ins += $1.ins
                    $0.outs += $1.outs
                }
        }
        self.day = day
        self.problem = problem
    }

    /// The day so far, then each minute of the last hour, then what clocks say that run ahead.
    private static func starts(day: OperationalDay?, end: Timestamp) -> [Timestamp] {
        let minutes = (-Self.minutes...0).map { end.advanced(minutes: $0) }
        guard let start = day?.start.startOfMinute, start < minutes[0] else { return minutes }
        return [start] + minutes
    }
}

extension LiveCard.Flow {
    fileprivate init(_ flow: HourFlow) { self.init(ins: flow.totalIn, outs: flow.totalOut) }
}

extension Location {
    /// Its present operational day, or why nobody knows.
    fileprivate func day(at now: Timestamp) -> (OperationalDay?, problem: String?) {
        do {
            return (try calendar(about: now).day(containing: now), nil)
        } catch { return (nil, "\(error)") }
    }
}

extension Timestamp {
    /// So many minutes later.
    func advanced(minutes: Int64) -> Timestamp {
        Timestamp(microseconds: microseconds + minutes * MinuteRollup.length)
    }
}
