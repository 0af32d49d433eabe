public import System

/// A count as a device reports it, independent of the transport.
public struct DeviceEvent: Hashable, Sendable {
    /// In or out.
    public let type: EntryType
    /// The device, by an id that is stable across reconnections.
    public let deviceId: Identifier
    /// When it happened, by the device's clock.
    public let timestamp: Timestamp
    /// The location it counts into; nil for the one that the device is assigned to.
    public let locationId: Identifier?
    /// The device's own number for it. An event with the same number and the same content is a duplicate.
    public let sequenceNumber: Int?
    /// Whether it is a repeat of the same hold as this device's previous event.
    public let continuesHold: Bool
    /// How many it counts, as one change; 1 or more.
    public let times: Int
    /// The token by which it can be taken back, unique among all devices; nil where it cannot be.
    public let token: UInt64?

    /// Creates an event.
    public init(
        type: EntryType, deviceId: Identifier, timestamp: Timestamp, locationId: Identifier? = nil,
        sequenceNumber: Int? = nil, continuesHold: Bool = false, times: Int = 1, token: UInt64? = nil
    ) {
        self.type = type
        self.deviceId = deviceId
        self.timestamp = timestamp
        self.locationId = locationId
        self.sequenceNumber = sequenceNumber
        self.continuesHold = continuesHold
        self.times = times
        self.token = token
    }
}
