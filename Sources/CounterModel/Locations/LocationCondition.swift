/// A condition of a location that a program can wait for. The raw values are the words of `counter watch --when`.
package enum LocationCondition: String, CaseIterable, Sendable {
    /// Below 80 % of the capacity again.
    case ok
    /// From 80 % of the capacity on, but not full.
    case warning
    /// The capacity is reached, or exceeded.
    case full
    /// More than 110 % of the capacity.
    case overcrowded
    /// More exits than entries have been counted.
    case negativeDrift
    /// A device has not reported for too long.
    case stale
    /// No device is stale any more.
    case live
    /// The count has changed.
    case change

    /// Those that are changes of a state: all but `change`.
    package static let states = allCases.filter { $0 != .change }
}

extension CounterState {
    /// The conditions that apply now and did not before, in the order in which they are reported.
    ///
    /// A location that has just got its capacity has not become `ok` by that.
    package func conditions(since before: CounterState) -> [LocationCondition] {
        var conditions: [LocationCondition] = currentCount == before.currentCount ? [] : [.change]
        if status != before.status {
            switch status {
            case .ok: if before.status != nil { conditions.append(.ok) }
            case .warning: conditions.append(.warning)
            case .full: conditions.append(.full)
            case nil: break
            }
        }
        if isOvercrowded, !before.isOvercrowded { conditions.append(.overcrowded) }
        if hasNegativeDrift, !before.hasNegativeDrift { conditions.append(.negativeDrift) }
        return conditions
    }
}
