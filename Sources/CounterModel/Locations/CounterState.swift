package import Linux

/// The current state of one location, as of a position of the journal.
package struct CounterState: Hashable, Codable, Sendable {
    /// The id of the location.
    package let locationId: Identifier
    /// The sum over the location's rows: any `Int`.
    package let level: Int
    /// How many the location holds; nil for a tally.
    package let maxCapacity: Int?
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

    /// The occupancy status; nil for a tally.
    package var status: OccupancyStatus? {
        maxCapacity.map { OccupancyStatus(count: currentCount, capacity: $0) }
    }

    /// How many more fit in, never below 0; nil for a tally.
    package var placesLeft: Int? { maxCapacity.map { max(0, $0 - currentCount) } }

    /// The count in hundredths of the capacity, rounded down; nil for a tally.
    package var percentage: Int? {
        maxCapacity.map { Int(clamping: Int128(currentCount) * 100 / Int128($0)) }
    }

    /// Whether it is above 110 % of its capacity.
    package var isOvercrowded: Bool {
        maxCapacity.map { OccupancyStatus.isOvercrowded(count: level, capacity: $0) } ?? false
    }

    /// How many are left up to the target, never below 0; nil without a target.
    package var leftToTarget: Int? { target.map { Int(clamping: max(0, Int128($0) - Int128(currentCount))) } }

    /// Whether more have left an occupancy than came, which means that some arrivals were not counted.
    package var hasNegativeDrift: Bool { maxCapacity != nil && level < 0 }

    /// How many more have left an occupancy than entered it, as far as was counted: what its count of 0 hides. 0 for a tally.
    package var moreLeftThanEntered: Int { hasNegativeDrift ? Int(clamping: level.magnitude) : 0 }

    /// Creates a state.
    package init(
        locationId: Identifier, level: Int, maxCapacity: Int? = nil, target: Int? = nil,
        lastReset: Position = .start, lastUpdated: Timestamp?, lastEventAt: Timestamp?, position: Position
    ) {
        self.locationId = locationId
        self.level = level
        self.maxCapacity = maxCapacity
        self.target = target
        self.lastReset = lastReset
        self.lastUpdated = lastUpdated
        self.lastEventAt = lastEventAt
        self.position = position
    }
}
