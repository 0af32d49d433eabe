package import CounterModel

/// The last change of a location, and its count rate.
package struct ChangeRate: Sendable {
    /// What a change did.
    package enum Kind: Hashable, Sendable {
        case up(Int)
        case down(Int)
        case corrected
        /// An absolute value was set.
        case reset
        /// The change before was voided.
        case undone

        /// Its text: `+1`, `reset`.
        package var text: String {
            switch self {
            case .up(let count): "+\(count)"
            case .down(let count): "-\(count)"
            case .corrected: "corrected"
            case .reset: "reset"
            case .undone: "undone"
            }
        }

        /// The kind of a change that a redo has appended again.
        package init(again change: Undone.Change) {
            self =
                switch change {
                case .entries(type: .in, let count): .up(count)
                case .entries(type: .out, let count): .down(count)
                case .correction: .corrected
                case .reset, .endOfDay: .reset
                }
        }
    }

    private static let window = Duration.seconds(60)

    /// The last change and its time; nil before the first.
    package private(set) var last: (kind: Kind, at: Timestamp)?
    private var changes: [(count: Int, at: Timestamp)] = []

    package init() {}

    /// Counts in the minute before `now`; nil where there are none.
    package func perMinute(at now: Timestamp) -> Int? {
        let counts = changes.filter { $0.at > now - Self.window }.map(\.count)
        return counts.isEmpty ? nil : counts.reduce(0, +)
    }

    /// When the rate falls though nothing is counted; nil while it is nil.
    package func nextFall(after now: Timestamp) -> Timestamp? {
        changes.map { $0.at + Self.window }.filter { $0 > now }.min()
    }

    /// Forgets when the counts were: the clock was set.
    package mutating func forgetTimes() { changes = [] }

    package mutating func note(_ kind: Kind, at time: Timestamp) {
        last = (kind, time)
        switch kind {
        case .up(let count), .down(let count): changes.append((count, time))
        case .corrected: break
        case .reset: changes = []
        case .undone: _ = changes.popLast()
        }
        changes.removeAll { $0.at <= time - Self.window }
    }
}

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
            }
        return "\(what) of \(isToday ? zone.local(at: time).timeOfDay : zone.text(of: time))"
    }
}
