package import CounterModel
package import CounterStore

/// The offer to end the day before, which is still open; a viewer, who may not end it, is told without an offer. It is read from
/// the journal when a day begins and, while it stands, after each change.
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

// MARK: - Answers

extension Receipt {
    /// The message for a request that was refused, for a screen; `nil` where it was carried out.
    package var refusal: String? {
        switch outcome {
        case .nothingToUndo(since: nil): "there is nothing to undo; in History, X takes back any row"
        case .nothingToUndo:
            "there is nothing to undo since the last day ended; in Admin, X on the day takes back its end"
        case .nothingToRedo: "there is nothing to redo: nothing was undone, or something was changed after it"
        case .nothingToVoid where request.row.userId != nil: "the row is taken back already"
        case .refused(.resetOfOccupancy): "\(Refusal.resetOfOccupancy.reason()); use Correct or End Day"
        case .refused(.sameLevel): Refusal.sameLevel.reason()
        case .refused(let refusal): "\(refusal.reason()); \(consequence)"
        case .accepted, .acceptedInNewEpoch, .corrected, .duplicate, .undone, .redone, .nothingToVoid: nil
        }
    }

    /// What was taken back or came back, and the count now: `Robin: +1 of 16:28:18 taken back, Count 24`; nil where nothing was.
    package func undone(at location: Location, now: Timestamp) -> String? {
        guard let count = newCount(of: location) else { return nil }
        let change: Undone
        let what: String
        switch outcome {
        case .undone(_, let undone): (change, what) = (undone, "taken back")
        case .redone(_, let redone): (change, what) = (redone, "is back")
        default: return nil
        }
        return "\(location.name): \(change.words(at: location, now: now)) \(what), Count \(count)"
    }

    /// That nothing was done, for the message of a refusal.
    package var consequence: String {
        if case .entry = request.row.content { "nothing was counted" } else { "nothing was changed" }
    }
}

extension Undone {
    /// The change and its time by the location's clocks, with the date where that is not today's.
    fileprivate func words(at location: Location, now: Timestamp) -> String {
        let zone = location.calendar(for: min(time, now)...max(time, now)).zone
        let isToday = zone.local(at: time).date == zone.local(at: now).date
        let what =
            switch change {
            case .entries(type: .in, let count): "+\(count)"
            case .entries(type: .out, let count): "-\(count)"
            case .correction(let difference): "correction \(difference > 0 ? "+" : "")\(difference)"
            case .reset(let value): "reset to \(value)"
            case .endOfDay: "end of day"
            case .clock: "mended clock"
            }
        if change == .endOfDay {
            // At its very end it is the day that was over.
            let last = time - .microseconds(1)
            return "\(what) \(location.calendar(about: last).day(containing: last).date)"
        }
        return "\(what) of \(isToday ? zone.local(at: time).timeOfDay : zone.text(of: time))"
    }
}
