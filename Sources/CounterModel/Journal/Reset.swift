package import Linux

/// A row of the journal that sets a location's level to an absolute value.
package struct Reset: Identifiable, Hashable, Codable, Sendable {
    /// The reset's position in the journal.
    package let id: Position
    /// The location whose level it sets.
    package let locationId: Identifier
    /// The user who did it; nil for a device.
    package let userId: String?
    /// When it happened, by the reporter's clock.
    package let timestamp: Timestamp
    /// When this journal received it, by our clock.
    package let receivedAt: Timestamp
    /// The device whose keys requested it; nil where no device did.
    package let deviceId: Identifier?
    /// The level from here on; any `Int`.
    package let value: Int
    /// The location's level when the reset was appended.
    package let levelBefore: Int

    /// Creates a reset as a journal stores it. To append one, use a `Request`.
    package init(
        id: Position, locationId: Identifier, userId: String? = nil, timestamp: Timestamp,
        receivedAt: Timestamp,
        deviceId: Identifier? = nil, value: Int, levelBefore: Int
    ) {
        self.id = id
        self.locationId = locationId
        self.userId = userId
        self.timestamp = timestamp
        self.receivedAt = receivedAt
        self.deviceId = deviceId
        self.value = value
        self.levelBefore = levelBefore
    }
}
