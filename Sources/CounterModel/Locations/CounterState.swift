package import Linux

/// The current state of one location, as of a position of the journal.
package struct CounterState: Hashable, Sendable {
    package let locationId: Identifier
    /// The sum over the location's rows: any `Int`.
    package let level: Int
    /// How many the location holds; nil for a tally.
    package let maxCapacity: Int?
    /// How many of the count are above the capacity of one of several locations: they take no place in another. 0 for one location.
    private let excess: Int
    /// The count to reach, 1 or more; nil for none.
    package let target: Int?
    /// The reset since which it counts, an end of a day included; `.start` where there was none.
    package let lastReset: Position
    /// When an entry, a reset or a void last changed the level; nil where none has.
    package let lastUpdated: Timestamp?
    /// When the location's last event counts, void events included; nil where there is none.
    package let lastEventAt: Timestamp?
    /// The location's last row in the journal; `.start` where it has none.
    package let position: Position

    /// The number to show: for a tally the level itself, for an occupancy never below 0.
    package var currentCount: Int { maxCapacity == nil ? level : max(0, level) }

    /// The occupancy status; nil for a tally. Several locations are full together when none of them has a place left.
    package var status: OccupancyStatus? {
        maxCapacity.map { capacity in
            let status = OccupancyStatus(count: currentCount, capacity: capacity)
            return status == .full && placesLeft != 0 ? .warning : status
        }
    }

    /// The status in a word: `ok`, `warning`, `full`, `overcrowded`; nil for a tally.
    package var statusWord: String? { isOvercrowded ? "overcrowded" : status?.rawValue }

    /// How many more fit in, never below 0; nil for a tally.
    package var placesLeft: Int? { maxCapacity.map { max(0, $0 - (currentCount - excess)) } }

    /// The count in hundredths of the capacity, rounded down; nil for a tally.
    package var percentage: Int? {
        maxCapacity.map { Int(clamping: Int128(currentCount) * 100 / Int128($0)) }
    }

    /// Whether it is above 110 % of its capacity, and no place is left.
    package var isOvercrowded: Bool {
        maxCapacity.map { placesLeft == 0 && OccupancyStatus.isOvercrowded(count: level, capacity: $0) }
            ?? false
    }

    /// How many are left up to the target, never below 0; nil without a target.
    package var leftToTarget: Int? { target.map { Int(clamping: max(0, Int128($0) - Int128(currentCount))) } }

    /// Whether more have left an occupancy than came, which means that some arrivals were not counted.
    package var hasNegativeDrift: Bool { maxCapacity != nil && level < 0 }

    /// How many more have left an occupancy than entered it, as far as was counted: what its count of 0 hides. 0 for a tally.
    package var moreLeftThanEntered: Int { hasNegativeDrift ? Int(clamping: level.magnitude) : 0 }

    package var driftWords: String { "\(moreLeftThanEntered) more out than in" }
    package var driftNote: String { "\(driftWords): somebody was missed" }

    package init(
        locationId: Identifier, level: Int, maxCapacity: Int? = nil, target: Int? = nil,
        lastReset: Position = .start, lastUpdated: Timestamp? = nil, lastEventAt: Timestamp? = nil,
        position: Position = .start, excess: Int = 0
    ) {
        (self.locationId, self.level, self.position) = (locationId, level, position)
        (self.maxCapacity, self.target, self.lastReset) = (maxCapacity, target, lastReset)
        (self.lastUpdated, self.lastEventAt, self.excess) = (lastUpdated, lastEventAt, excess)
    }

    package static let sumId: Identifier = "total"

    /// Several locations as one: what is in all of them. It has a capacity where each of them has one, and is full when none of
    /// them has a place left.
    package init(sumOf states: [CounterState]) {
        let capacities = states.compactMap(\.maxCapacity)
        self.init(
            locationId: Self.sumId, level: states.map(\.currentCount).clampedSum,
            maxCapacity: capacities.count == states.count ? capacities.clampedSum : nil,
            excess: states.map { state in state.maxCapacity.map { max(0, state.currentCount - $0) } ?? 0 }
                .clampedSum)
    }
}

extension [Int] {
    fileprivate var clampedSum: Int { Int(clamping: reduce(Int128(0)) { $0 + Int128($1) }) }
}

package enum OccupancyStatus: String, Sendable, CaseIterable {
    /// Below 80 % of the capacity.
    case ok
    /// 80 % of the capacity or more, but not full.
    case warning
    case full

    /// The comparison uses integers, so no rounding can put a share between two cases. The capacity is 1 or more.
    package init(count: Int, capacity: Int) {
        self = count >= capacity ? .full : Int128(count) * 100 < Int128(capacity) * 80 ? .ok : .warning
    }

    /// Whether a count is above 110 % of a capacity.
    package static func isOvercrowded(count: Int, capacity: Int) -> Bool {
        Int128(count) * 100 > Int128(capacity) * 110
    }
}

/// A condition of a location that a program can wait for. The raw values are the words of `counter watch --when`.
package enum LocationCondition: String, CaseIterable, Sendable {
    case ok
    /// From 80 % of the capacity on, but not full.
    case warning
    case full
    case overcrowded
    /// More exits than entries have been counted.
    case negativeDrift
    /// A device has not reported for too long.
    case stale
    /// No device is stale any more.
    case live
    case change

    /// Those that are changes of a state: all but `change`.
    package static let states = allCases.filter { $0 != .change }
}

extension CounterState {
    /// The conditions that apply now and did not before, in the order in which they are reported. A location that has just got its
    /// capacity has not become `ok` by that.
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

/// Notices when a location reaches its target: once, and again after a reset.
package struct TargetWatch: Sendable {
    private var target: Int?
    /// The resets since which the target has been reached.
    private var reached: Set<Position> = []

    /// Starts from a location's state; a target that is reached then is not reported.
    package init(_ state: CounterState) {
        target = state.target
        noteReached(state)
    }

    /// Notes the state after a change, and tells whether that has reached the target. A new target that is reached already has not.
    package mutating func reaches(_ state: CounterState) -> Bool {
        guard state.target == target else {
            self = TargetWatch(state)
            return false
        }
        return noteReached(state)
    }

    /// Whether the target is reached for the first time since the last reset.
    @discardableResult
    private mutating func noteReached(_ state: CounterState) -> Bool {
        guard let target, state.currentCount >= target else { return false }
        return reached.insert(state.lastReset).inserted
    }
}
