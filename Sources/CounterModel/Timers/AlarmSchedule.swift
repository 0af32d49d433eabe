package struct AlarmAlert: Hashable, Sendable {
    package let timer: TimerData
    /// Which alert, 0...11.
    package let index: Int

    /// How insistent it is, 1...3: as many ⏰.
    package var insistence: Int { 1 + index * 3 / AlarmSchedule.count }
}

/// When each timer that has ended alerts: twelve times, three seconds apart, until somebody acknowledges it.
///
/// A program that first sees an end later than the last alert alerts from then on.
package struct AlarmSchedule: Sendable {
    package static let count = 12
    /// Between two alerts.
    package static let interval = Duration.seconds(3)

    private struct Alarm {
        let begin: Timestamp
        var given = 0

        /// When the next alert is due; nil after the last.
        var next: Timestamp? {
            given < AlarmSchedule.count ? begin + AlarmSchedule.interval * given : nil
        }
    }

    private var alarms: [UniqueId: Alarm] = [:]

    package init() {}

    /// Takes over which timers ring, and returns the alerts that are due, at most one for each timer: one that is late is left out
    /// where the next is due too.
    package mutating func update(_ ringing: [TimerData], at now: Timestamp) -> [AlarmAlert] {
        let ids = Set(ringing.map(\.id))
        alarms = alarms.filter { ids.contains($0.key) }
        return ringing.compactMap { timer in
            var alarm = alarms[timer.id] ?? Alarm(begin: Self.begin(of: timer, at: now))
            // The wall clock was set back meanwhile.
            if now < alarm.begin { alarm = Alarm(begin: now, given: alarm.given) }
            let passed = (now - alarm.begin).microseconds / Self.interval.microseconds
            let due = Int(min(Int64(Self.count), passed + 1))
            defer { alarms[timer.id] = alarm }
            guard due > alarm.given else { return nil }
            alarm.given = due
            return AlarmAlert(timer: timer, index: alarm.given - 1)
        }
    }

    package var next: Timestamp? { alarms.values.compactMap(\.next).min() }

    package var last: Timestamp? {
        alarms.values.filter { $0.next != nil }.map { $0.begin + Self.interval * (Self.count - 1) }.max()
    }

    private static func begin(of timer: TimerData, at now: Timestamp) -> Timestamp {
        guard let end = timer.endDate, now - end < interval * count else { return now }
        return end
    }
}

/// Tells of each end of a timer once, also of one that another program has acknowledged or removed by then.
package struct TimerEnds: Sendable {
    /// Those that had not ended when they were last looked at.
    private var open: [UniqueId] = []
    /// How many timers of the board are known.
    private var known = 0

    /// The ends before a time are told already.
    package init(_ board: TimerBoard, at now: Timestamp) { _ = take(board, since: now, at: now) }

    /// The timers that have ended by themselves since the last call. Of those that were not known then, only the ends after
    /// `since`: rows that are taken over from another journal tell of timers that were over long ago.
    package mutating func take(_ board: TimerBoard, since: Timestamp, at now: Timestamp) -> [TimerData] {
        let new = board.all.dropFirst(known)
        known = board.all.count
        let old = open.compactMap(board.timer)
        open = (old + new).filter { $0.state(at: now).isActive }.map(\.id)
        return (old + new.filter { $0.endDate.map { since < $0 } ?? false }).filter {
            [.ringing, .completed].contains($0.state(at: now))
        }
    }
}
