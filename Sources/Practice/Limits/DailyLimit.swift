package import CounterModel

/// How long a player may play on a day.
package struct DailyLimit: Hashable, Sendable {
    /// In minutes, ``range``.
    package let minutes: Int

    /// The limits that a grown-up can choose, in minutes.
    package static let range = 0...1440

    /// A limit; brought into ``range``.
    package init(minutes: Int) {
        self.minutes = min(max(minutes, Self.range.lowerBound), Self.range.upperBound)
    }

    /// What a limit says at a moment.
    package enum State: Hashable, Sendable {
        /// More than five minutes are left. Minutes are rounded up.
        case open(minutesLeft: Int)
        /// At most five minutes are left, which is said once. Minutes are rounded up.
        case ending(minutesLeft: Int)
        /// The level may be finished, none begun.
        case reached
    }

    /// What the limit says of a day.
    package func state(of day: PlayDay) -> State {
        let left = Duration.seconds(minutes * 60) - day.played
        if left <= .zero { return .reached }
        let (seconds, attoseconds) = left.components
        let whole = (Int(seconds) + (attoseconds > 0 ? 1 : 0) + 59) / 60
        return whole > 5 ? .open(minutesLeft: whole) : .ending(minutesLeft: whole)
    }

    /// When the next day begins, which home says when the limit is reached.
    package static func end(of day: PlayDay, in calendar: OperationalCalendar) -> Timestamp? {
        day.date.map { calendar.day(of: $0).end }
    }
}
