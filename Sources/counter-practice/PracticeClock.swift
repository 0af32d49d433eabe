import CounterModel
import Linux
import Practice

/// Reads the clocks, and the local days around now.
struct PracticeClock {
    private var calendar: OperationalCalendar?
    private var calendarUntil = Timestamp(seconds: 0)
    private var calendarSince = Timestamp(seconds: 0)

    /// The present moment.
    var now: Moment {
        mutating get {
            let time = Timestamp(microseconds: Clock.realtime.microseconds)
            return Moment(
                time: time, steady: .microseconds(Clock.monotonic.microseconds),
                calendar: calendar(about: time),
                seed: UInt64.random(in: .min ... .max))
        }
    }

    /// The zone is read again after a day, and when the clock was set back.
    private mutating func calendar(about time: Timestamp) -> OperationalCalendar {
        if let calendar, calendarSince <= time, time < calendarUntil { return calendar }
        let range =
            Timestamp(seconds: time.seconds - 400 * 86_400)..<Timestamp(seconds: time.seconds + 4 * 86_400)
        let zone = (try? ZoneOffsets(of: ZoneDatabase().localZone, in: range)) ?? .utc
        let calendar = OperationalCalendar(zone: zone)
        (self.calendar, calendarSince) = (calendar, Timestamp(seconds: time.seconds - 3600))
        calendarUntil = Timestamp(seconds: time.seconds + 86_400)
        return calendar
    }
}
