package import CounterModel

/// What a player did on one local day, from midnight to midnight.
package struct PlayDay: Hashable, Sendable {
    /// The day; `nil` before the first one.
    package private(set) var date: CalendarDate?
    /// The time played.
    package private(set) var played: Duration
    /// Levels solved.
    package var activitiesCompleted: Int
    /// Videos watched.
    package var videosWatched: [VideoRecord]

    /// A day as stored, or none.
    package init(
        date: CalendarDate? = nil, played: Duration = .zero, activitiesCompleted: Int = 0,
        videosWatched: [VideoRecord] = []
    ) {
        self.date = date
        self.played = played
        self.activitiesCompleted = activitiesCompleted
        self.videosWatched = videosWatched
    }

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
        let sinceMidnight = calendar.day(containing: now).start.duration(to: now)
        played += date == before ? elapsed : min(elapsed, sinceMidnight)
    }
}

extension Timestamp {
    /// The time from this moment to another one.
    func duration(to other: Timestamp) -> Duration { .microseconds(other.microseconds - microseconds) }
}
