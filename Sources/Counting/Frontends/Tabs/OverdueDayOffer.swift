import CounterModel
import CounterStore
import Zones

/// The offer to end the day before, which nobody ended. It is read from the journal when a day begins and, while it stands,
/// after each change.
struct OverdueDayOffer {
    /// What the last reading is for; it holds until then.
    private var key: (location: Location, state: CounterState)?
    private var until = Timestamp(microseconds: .min)
    private var lines: [String]?

    /// The lines of the offer; nil where there is nothing to offer.
    mutating func offer(_ session: CountingSession, at now: Timestamp) -> [String]? {
        if session.role == .viewer { return nil }
        let isSame = key.map {
            $0.location == session.location && (lines == nil || $0.state == session.state)
        }
        if isSame == true, now < until { return lines }
        key = (session.location, session.state)
        let calendar = session.location.calendar(about: now)
        until = calendar.day(containing: now).end
        // Where reading fails, nothing is offered; the next day's first drawing tries again.
        let day = try? session.journal.overdueDay(of: session.location, now: now)
        lines = day.map { day in
            let name = day.isYesterday ? "Yesterday" : "\(day.day.date)"
            let level = session.location.maxCapacity == nil ? "at \(day.count)" : "\(day.count) inside"
            return ["\(name) was not ended (\(level)). E ends it."]
        }
        return lines
    }
}
