package import CounterModel

/// Measures the time that a player plays. Of each pause between two keys, the first minute counts.
///
/// All moments are of a clock that nobody sets and that stands still while the machine sleeps (`CLOCK_MONOTONIC`).
package struct PlayMeter: Hashable, Sendable {
    /// How much of a pause counts.
    private static let longestPause = Duration.seconds(60)

    private var lastKey: Duration
    private var measuredUntil: Duration

    /// A meter that starts at a moment, as if a key had been pressed.
    package init(start: Duration) { (lastKey, measuredUntil) = (start, start) }

    /// When the time no longer counts, unless a key is pressed before.
    var end: Duration { lastKey + Self.longestPause }

    /// A key was pressed. Call ``measure(at:)`` before.
    package mutating func key(at moment: Duration) { lastKey = max(lastKey, moment) }

    package mutating func measure(at moment: Duration) -> (played: Duration, idle: Duration) {
        guard moment > measuredUntil else { return (.zero, .zero) }
        let playedUntil = min(moment, max(measuredUntil, end))
        defer { measuredUntil = moment }
        return (playedUntil - measuredUntil, moment - playedUntil)
    }
}

/// What a player did on one local day, from midnight to midnight.
package struct PlayDay: Hashable, Sendable {
    package internal(set) var date: CalendarDate?
    package internal(set) var played = Duration.zero
    package var activitiesCompleted = 0
    package var videosWatched: [VideoRecord] = []

    /// Goes on to the day of `now`. Never goes back: if the clock was set to an earlier day, the later day stays, with the
    /// time that was played on it.
    package mutating func begin(at now: Timestamp, in calendar: OperationalCalendar) {
        let today = calendar.day(containing: now).date
        if date.map({ $0 < today }) ?? true { self = PlayDay(date: today) }
    }

    /// Adds time that was played, as a clock measured that nobody sets. Of a time over midnight, only the part after midnight
    /// counts for the new day.
    package mutating func add(_ elapsed: Duration, until now: Timestamp, in calendar: OperationalCalendar) {
        let before = date
        begin(at: now, in: calendar)
        let sinceMidnight = now - calendar.day(containing: now).start
        played += date == before ? elapsed : min(elapsed, sinceMidnight)
    }

    /// When the next day begins, which home says when the limit is reached.
    package func end(in calendar: OperationalCalendar) -> Timestamp? {
        date.map { calendar.day(of: $0).end }
    }

    /// How many minutes a limit leaves, rounded up. At 0 the level may be finished, and none begun.
    package func minutesLeft(of limit: Int) -> Int {
        Int((max(.zero, .seconds(limit * 60) - played).inSeconds / 60).rounded(.up))
    }
}
