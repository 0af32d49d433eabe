public import CounterModel
public import CounterStore
import Zones

/// The offer to end the day before, which nobody ended. It is read from the journal when a day begins and, while it stands,
/// after each change.
public struct OverdueDayOffer {
    /// What the last reading is for; it holds until then.
    private var key: (location: Location, state: CounterState)?
    private var until = Timestamp(microseconds: .min)
    private var lines: [String]?

    /// Nothing was read yet.
    public init() {}

    /// The offer to end the day before.
    ///
    /// - Parameters:
    ///   - location: The location.
    ///   - state: Its committed state.
    ///   - journal: The journal; where it is a viewer's, nothing is offered.
    ///   - now: The time of this machine's clock.
    /// - Returns: The lines of the offer; nil where there is nothing to offer.
    public mutating func offer(
        of location: Location, _ state: CounterState, in journal: SQLiteJournal, at now: Timestamp
    ) -> [String]? {
        if journal.role == .viewer { return nil }
        let isSame = key.map { $0.location == location && (lines == nil || $0.state == state) }
        if isSame == true, now < until { return lines }
        key = (location, state)
        let calendar = location.calendar(about: now)
        until = calendar.day(containing: now).end
        // Where reading fails, nothing is offered; the next day's first drawing tries again.
        let day = try? journal.overdueDay(of: location, now: now)
        lines = day.map { day in
            let name = day.isYesterday ? "Yesterday" : "\(day.day.date)"
            let level = location.maxCapacity == nil ? "at \(day.count)" : "\(day.count) inside"
            return ["\(name) was not ended (\(level)). E ends it."]
        }
        return lines
    }
}
