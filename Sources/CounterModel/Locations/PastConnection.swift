package import Linux

/// A time during which a device was connected and counted into a location.
package struct PastConnection: Hashable, Sendable {
    /// The device.
    package let deviceId: Identifier
    /// The location it counted into.
    package let locationId: Identifier
    /// When it was connected.
    package let from: Timestamp
    /// When it was disconnected; `from` or later.
    package let to: Timestamp

    /// Creates a connection.
    package init(deviceId: Identifier, locationId: Identifier, from: Timestamp, to: Timestamp) {
        self.deviceId = deviceId
        self.locationId = locationId
        self.from = from
        self.to = to
    }
}
