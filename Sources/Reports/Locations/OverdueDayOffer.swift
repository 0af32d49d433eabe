package import CounterModel
package import CounterStore

/// The offer to end the day before, which nobody ended. It is read from the journal when a day begins and, while it stands, after each
/// change.
package struct OverdueDayOffer {
    /// What the last reading is for; it holds until then.
    private var key: (location: Location, state: CounterState)?
    private var until = Timestamp(microseconds: .min)
    private var told: String?

    /// When the day of the last reading ends, after which it is to be read again; nil where nothing was read.
    package var dayEnd: Timestamp? { key == nil ? nil : until }

    /// Nothing was read yet.
    package init() {}

    /// The offer to end the day before.
    ///
    /// - Parameters:
    ///   - location: The location.
    ///   - state: Its committed state.
    ///   - journal: The journal; where it is a viewer's, nothing is offered.
    ///   - now: The time of this machine's clock.
    /// - Returns: The offer; nil where there is nothing to tell.
    package mutating func offer(
        of location: Location, _ state: CounterState, in journal: SQLiteJournal, at now: Timestamp
    ) -> String? {
        if journal.role == .viewer { return nil }
        let isSame = key.map { $0.location == location && (told == nil || $0.state == state) }
        if isSame == true, now < until { return told }
        key = (location, state)
        let calendar = location.calendar(about: now)
        until = calendar.day(containing: now).end
        // Where reading fails, nothing is offered; the next day's first drawing tries again.
        let day = try? journal.overdueDay(of: location, now: now)
        told = day.flatMap { $0.isExpected ? sentence($0, location) : nil }
        return told
    }

    private func sentence(_ day: OverdueDay, _ location: Location) -> String {
        let name = day.isYesterday ? "Yesterday" : "\(day.day.date)"
        let level = location.maxCapacity == nil ? "at \(day.count)" : "\(day.count) inside"
        return day.number == 1
            ? "\(name) was not ended (\(level)). E ends it."
            : "\(day.number) days were not ended, the last at \(day.day.date) (\(level)). E ends them."
    }
}
