package import Linux

/// A count as a device reports it, independent of the transport.
package struct DeviceEvent: Hashable, Sendable {
    /// In or out.
    package let type: EntryType
    /// The device, by an id that is stable across reconnections.
    package let deviceId: Identifier
    /// When it happened, by the device's clock.
    package let timestamp: Timestamp
    /// The location it counts into; nil for the one that the device is assigned to.
    package let locationId: Identifier?
    /// The device's own number for it. An event with the same number and the same content is a duplicate.
    package let sequenceNumber: Int?
    /// Whether it is a repeat of the same hold as this device's previous event.
    package let continuesHold: Bool
    /// How many it counts, as one change; 1 or more.
    package let times: Int
    /// The token by which it can be taken back, unique among all devices; nil where it cannot be.
    package let token: UInt64?

    /// Creates an event.
    package init(
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
