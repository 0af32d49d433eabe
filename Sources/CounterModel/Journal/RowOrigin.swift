/// What identifies a row in every journal that has it: where it was appended first.
public struct RowIdentity: Hashable, Sendable {
    /// The id of that journal.
    public let journalId: String
    /// The row's position there; `.start` for what is before its first row.
    public let position: Position

    /// Creates an identity.
    public init(journalId: String, position: Position) {
        self.journalId = journalId
        self.position = position
    }
}

/// What another journal says of a row that is taken over from it, so that it counts here as it does there.
public struct RowOrigin: Hashable, Sendable {
    /// What the row is known by: taken over again, it changes nothing.
    public let identity: RowIdentity
    /// When that journal heard of it, by the clock of its machine.
    public let receivedAt: Timestamp
    /// The reset after which it counts, though others stand between; nil where it counts where it stands.
    public let lateAfter: RowIdentity?
    /// What it takes back, where it is a void.
    public let target: RowIdentity?

    /// Creates an origin.
    public init(
        identity: RowIdentity, receivedAt: Timestamp, lateAfter: RowIdentity? = nil,
        target: RowIdentity? = nil
    ) {
        self.identity = identity
        self.receivedAt = receivedAt
        self.lateAfter = lateAfter
        self.target = target
    }
}

/// A row of a journal of any kind, as another journal can take it over.
public struct FeedRow: Identifiable, Hashable, Sendable {
    /// Its position in the journal that tells it.
    public let id: Position
    /// What another journal is asked in order to have the same row. It has an origin.
    public let request: Request
    /// Where the row comes from, which is mostly the journal that tells it.
    public let origin: RowOrigin
    /// The level of its location, where nothing of the location stands after it.
    public let level: Int?

    /// Creates a row.
    public init(
        id: Position, locationId: String, userId: String?, timestamp: Timestamp, change: Change,
        origin: RowOrigin, level: Int?
    ) {
        self.id = id
        self.origin = origin
        self.level = level
        request = Request(
            locationId: locationId, userId: userId, timestamp: timestamp, change: change, origin: origin)
    }
}
