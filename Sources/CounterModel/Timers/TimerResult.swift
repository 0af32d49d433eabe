package import Linux

/// What was counted in one location.
package struct TimerCount: Hashable, Sendable {
    /// The id of the location.
    package let locationId: Identifier
    /// The entries in.
    package var totalIn: Int
    /// The entries out.
    package var totalOut: Int

    /// `totalIn − totalOut`.
    package var net: Int { totalIn - totalOut }

    /// Creates a count.
    package init(locationId: Identifier, totalIn: Int, totalOut: Int) {
        self.locationId = locationId
        self.totalIn = totalIn
        self.totalOut = totalOut
    }
}

/// What was counted while a timer ran. It comes from the entries each time, so that it follows an undo and a late event.
package struct TimerResult: Hashable, Sendable {
    /// By location, in the order of their ids, without locations that have no entries.
    package let locations: [TimerCount]
    /// The entries in and out of each round that has begun, from round 1.
    package let rounds: [TimerCount]

    /// The entries in.
    package var totalIn: Int { locations.reduce(0) { $0 + $1.totalIn } }
    /// The entries out.
    package var totalOut: Int { locations.reduce(0) { $0 + $1.totalOut } }
    /// `totalIn − totalOut`.
    package var net: Int { totalIn - totalOut }

    /// Adds up windows; `counts` has those of each window, by location.
    package init(_ windows: [TimerWindow], _ counts: [[TimerCount]]) {
        var byLocation: [Identifier: TimerCount] = [:]
        var byRound: [Int: TimerCount] = [:]
        for (window, found) in zip(windows, counts) where window.from < window.to || !found.isEmpty {
            byRound[window.round, default: TimerCount(locationId: "", totalIn: 0, totalOut: 0)].add(found)
            for count in found {
                byLocation[
                    count.locationId,
                    default: TimerCount(locationId: count.locationId, totalIn: 0, totalOut: 0)
                ]
                .add([count])
            }
        }
        locations = byLocation.values.sorted { $0.locationId < $1.locationId }
        rounds = byRound.keys.sorted().compactMap { byRound[$0] }
    }
}

extension TimerCount {
    fileprivate mutating func add(_ others: [TimerCount]) {
        for other in others {
            totalIn += other.totalIn
            totalOut += other.totalOut
        }
    }
}

extension TimerResultRepository {
    /// What was counted while a timer ran, up to a time.
    package func result(of timer: TimerData, at now: Timestamp) throws(Failure) -> TimerResult {
        let windows = timer.countedWindows(at: now)
        return TimerResult(windows, try counts(in: windows, of: timer.locations))
    }
}

/// What was counted in the windows of timers, from the entries of a journal.
package protocol TimerResultRepository: AnyObject {
    /// The error of a failed call.
    associatedtype Failure: Error

    /// The entries that are not void, within windows of one location or several.
    ///
    /// - returns: For each window, by location, without locations that have no entries in it.
    func counts(in windows: [TimerWindow], of locations: TimerLocations) throws(Failure) -> [[TimerCount]]
}
