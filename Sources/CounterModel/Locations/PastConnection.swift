public import System

/// A time during which a device was connected and counted into a location.
public struct PastConnection: Hashable, Sendable {
    /// The device.
    public let deviceId: Identifier
    /// The location it counted into.
    public let locationId: Identifier
    /// When it was connected.
    public let from: Timestamp
    /// When it was disconnected; `from` or later.
    public let to: Timestamp

    /// Creates a connection.
    public init(deviceId: Identifier, locationId: Identifier, from: Timestamp, to: Timestamp) {
        self.deviceId = deviceId
        self.locationId = locationId
        self.from = from
        self.to = to
    }
}
