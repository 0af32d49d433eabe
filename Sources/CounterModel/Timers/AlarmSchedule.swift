/// One of the alerts of a timer that has ended.
package struct AlarmAlert: Hashable, Sendable {
    /// The timer.
    package let timerId: UniqueId
    /// Which alert, 0...11.
    package let index: Int

    /// How insistent it is, 1...3: as many ⏰.
    package var insistence: Int { 1 + index * 3 / AlarmSchedule.count }
}

/// When each timer that has ended alerts: twelve times, three seconds apart, until somebody acknowledges it.
///
/// A program that first sees an end later than the last alert alerts from then on.
package struct AlarmSchedule: Sendable {
    /// How many alerts an alarm has.
    package static let count = 12
    /// Between two alerts, in microseconds.
    package static let interval: Int64 = 3_000_000

    private struct Alarm {
        let begin: Timestamp
        var given = 0

        /// When the next alert is due; nil after the last.
        var next: Timestamp? {
            given < AlarmSchedule.count ? begin + Int64(given) * AlarmSchedule.interval : nil
        }
    }

    private var alarms: [UniqueId: Alarm] = [:]

    /// Nothing rings.
    package init() {}

    /// Takes over which timers ring.
    ///
    /// - returns: The alerts that are due, at most one for each timer: one that is late is left out where the next is due too.
    package mutating func update(_ ringing: [TimerData], at now: Timestamp) -> [AlarmAlert] {
        let ids = Set(ringing.map(\.id))
        alarms = alarms.filter { ids.contains($0.key) }
        return ringing.compactMap { timer in
            var alarm = alarms[timer.id] ?? Alarm(begin: Self.begin(of: timer, at: now))
            // The wall clock was set back meanwhile.
            if now < alarm.begin { alarm = Alarm(begin: now, given: alarm.given) }
            let due = min(Int64(Self.count), (now - alarm.begin) / Self.interval + 1)
            defer { alarms[timer.id] = alarm }
            guard due > Int64(alarm.given) else { return nil }
            alarm.given = Int(due)
            return AlarmAlert(timerId: timer.id, index: alarm.given - 1)
        }
    }

    /// When the next alert is due; nil where none is.
    package var next: Timestamp? { alarms.values.compactMap(\.next).min() }

    private static func begin(of timer: TimerData, at now: Timestamp) -> Timestamp {
        guard let end = timer.endDate, now - end < Int64(count) * interval else { return now }
        return end
    }
}
