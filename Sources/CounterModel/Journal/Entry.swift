/// One count of the journal: one in or one out.
public struct Entry: Identifiable, Hashable, Codable, Sendable {
    /// The entry's position in the journal.
    public let id: Position
    /// The location whose level it moves.
    public let locationId: String
    /// The user who did it; nil for a device.
    public let userId: String?
    /// When it happened, by the reporter's clock.
    public let timestamp: Timestamp
    /// When this journal received it, by our clock.
    public let receivedAt: Timestamp
    /// In or out.
    public let type: EntryType
    /// The device that reported it.
    public let deviceId: String
    /// Hardware, manual or import.
    public let source: EventSource
    /// The device's own number for it, where the device numbers its events.
    public let sequenceNumber: Int?
    /// Whether it is a repeat of the same hold as this device's previous entry.
    public let continuesHold: Bool
    /// The reason given for a count by hand; nil where there is none.
    public let reason: String?

    /// The change of the level: +1 or -1.
    public var delta: Int { type.delta }

    /// When it counts: `timestamp`, or `receivedAt` where `timestamp` is later.
    public var countedAt: Timestamp { timestamp.counted(receivedAt: receivedAt) }

    /// Creates an entry as a journal stores it. To append one, use a `Request`.
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
