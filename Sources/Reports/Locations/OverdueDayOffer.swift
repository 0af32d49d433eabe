package import CounterModel
package import CounterStore

/// The offer to end the day before, which nobody ended; a viewer, who may not end it, is told without an offer. It is read from the journal when a day begins and, while it stands, after each
/// change.
package struct OverdueDayOffer {
    /// What the last reading is for; it holds until then.
    private var key: (location: Location, state: CounterState)?
    private var until = Timestamp(microseconds: .min)
    private var told: String?

    /// When the day of the last reading ends, after which it is to be read again; nil where nothing was read.
    package var dayEnd: Timestamp? { key == nil ? nil : until }

    package init() {}

    /// The offer to end the day before; nil where there is nothing to tell.
    package mutating func offer(
        of location: Location, _ state: CounterState, in journal: SQLiteJournal, at now: Timestamp
    ) -> String? {
        let isSame = key.map { $0.location == location && (told == nil || $0.state == state) }
        if isSame == true, now < until { return told }
        key = (location, state)
        let calendar = location.calendar(about: now)
        until = calendar.day(containing: now).end
        // Where reading fails, nothing is offered; the next day's first drawing tries again.
        told = try? Self.sentence(of: location, state, in: journal, at: now)
        return told
    }

    /// That the day before was not ended, with what ends it; nil where there is nothing to tell.
    static func sentence(
        of location: Location, _ state: CounterState, in journal: SQLiteJournal, at now: Timestamp
    ) throws(JournalError) -> String? {
        func inside(_ count: Int) -> String {
            location.maxCapacity == nil ? "at \(count)" : "\(count) inside"
        }
        if try !journal.due(among: [location], now: now).isEmpty {
            return "The day before is over (\(inside(state.currentCount))). It ends with the next change."
        }
        guard let day = try journal.overdueDay(of: location, now: now), day.isExpected else { return nil }
        let name = day.isYesterday ? "Yesterday" : "\(day.day.date)"
        let key = journal.role == .viewer ? "" : day.number == 1 ? " E ends it." : " E ends them."
        return day.number == 1
            ? "\(name) was not ended (\(inside(day.count))).\(key)"
            : "\(day.number) days were not ended, the last at \(day.day.date) (\(inside(day.count))).\(key)"
    }
}
