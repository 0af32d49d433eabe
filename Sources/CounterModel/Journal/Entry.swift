/// One count of the journal: somebody or something went in or out.
public struct Entry: Identifiable, Hashable, Codable, Sendable {
    /// The entry's position in the journal.
    public let id: Position
    /// The location whose level it moves.
    public let locationId: String
    /// Who did it; nil where a device did.
    public let userId: String?
    /// When it happened, by the clock of what reported it.
    public let timestamp: Timestamp
    /// When this journal heard of it, by our clock.
    public let receivedAt: Timestamp
    /// In or out.
    public let type: EntryType
    /// The source or device that reported it.
    public let deviceId: String
    /// Hardware, manual or import.
    public let source: EventSource
    /// The device's own number for it, where the device numbers its events.
    public let sequenceNumber: Int?
    /// Whether it repeats the same hold as this device's entry before it.
    public let continuesHold: Bool
    /// Why somebody counted it by hand; nil where nobody said.
    public let reason: String?

    /// What it adds to the level: +1 or -1, as its type says.
    public var delta: Int { type.delta }

    /// When it counts: `timestamp`, or `receivedAt` where the former is ahead of it.
    public var countedAt: Timestamp { timestamp.counted(receivedAt: receivedAt) }

    /// Creates an entry as a journal holds it. To have one appended, ask with a `Request`.
    public init(
        id: Position, locationId: String, userId: String? = nil, timestamp: Timestamp, receivedAt: Timestamp,
        type: EntryType, deviceId: String, source: EventSource, sequenceNumber: Int? = nil,
        continuesHold: Bool = false, reason: String? = nil
    ) {
        self.id = id
        self.locationId = locationId
        self.userId = userId
        self.timestamp = timestamp
        self.receivedAt = receivedAt
        self.type = type
        self.deviceId = deviceId
        self.source = source
        self.sequenceNumber = sequenceNumber
        self.continuesHold = continuesHold
        self.reason = reason
    }
}
