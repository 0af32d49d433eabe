public import System

/// The current state of one location, as of a position of the journal.
public struct CounterState: Hashable, Codable, Sendable {
    /// The id of the location.
    public let locationId: Identifier
    /// The sum over the location's rows: any `Int`.
    public let level: Int
    /// How many the location holds; nil for a tally.
    public let maxCapacity: Int?
    /// The count to reach, 1 or more; nil for none.
    public let target: Int?
    /// The reset since which it counts, an end of a day included; `.start` where there was none.
    public let lastReset: Position
    /// When an entry, a reset or a void last changed the level; nil where none has.
    public let lastUpdated: Timestamp?
    /// When the location's last event counts, void events included; nil where there is none.
    public let lastEventAt: Timestamp?
    /// The location's last row in the journal; `.start` where it has none.
    public let position: Position

    /// The number to show: for a tally the level itself, for an occupancy never below 0.
    public var currentCount: Int { maxCapacity == nil ? level : max(0, level) }

    /// The occupancy status; nil for a tally.
    public var status: OccupancyStatus? {
        maxCapacity.map { OccupancyStatus(count: currentCount, capacity: $0) }
    }

    /// How many more fit in, never below 0; nil for a tally.
    public var placesLeft: Int? { maxCapacity.map { max(0, $0 - currentCount) } }

    /// The count in hundredths of the capacity, rounded down; nil for a tally.
    public var percentage: Int? {
        maxCapacity.map { Int(clamping: Int128(currentCount) * 100 / Int128($0)) }
    }

    /// Whether it is above 110 % of its capacity.
    public var isOvercrowded: Bool {
        maxCapacity.map { OccupancyStatus.isOvercrowded(count: level, capacity: $0) } ?? false
    }

    /// How many are left up to the target, never below 0; nil without a target.
    public var leftToTarget: Int? { target.map { Int(clamping: max(0, Int128($0) - Int128(currentCount))) } }

    /// Whether more have left an occupancy than came, which means that some arrivals were not counted.
    public var hasNegativeDrift: Bool { maxCapacity != nil && level < 0 }

    /// How many more have left an occupancy than entered it, as far as was counted: what its count of 0 hides. 0 for a tally.
    public var moreLeftThanEntered: Int { hasNegativeDrift ? Int(clamping: level.magnitude) : 0 }

    /// Creates a state.
    public init(
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
