/// The live aggregate of one location, as of a position of the journal.
public struct CounterState: Hashable, Codable, Sendable {
    /// The location it is of.
    public let locationId: String
    /// The fold of the location's rows: any `Int`.
    public let level: Int
    /// When the level was last touched by an entry, a reset or something taken back; nil where never.
    public let lastUpdated: Timestamp?
    /// When the last event that counts now happened, whether it was taken back since or not; nil where none.
    public let lastEventAt: Timestamp?
    /// The location's last row in the journal; `.start` where it has none.
    public let position: Position

    /// The number to show. For a tally that is the level itself, below zero too.
    public var currentCount: Int { level }

    /// Creates a state.
    public init(
        locationId: String, level: Int, lastUpdated: Timestamp?, lastEventAt: Timestamp?, position: Position
    ) {
        self.locationId = locationId
        self.level = level
        self.lastUpdated = lastUpdated
        self.lastEventAt = lastEventAt
        self.position = position
    }
}
