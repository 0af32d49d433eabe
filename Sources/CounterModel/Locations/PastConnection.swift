/// A time during which a device was connected and counted into a location.
public struct PastConnection: Hashable, Sendable {
    /// The device.
    public let deviceId: String
    /// The location it counted into.
    public let locationId: String
    /// When it was connected.
    public let from: Timestamp
    /// When it was disconnected; `from` or later.
    public let to: Timestamp

    /// Creates a connection.
    public init(deviceId: String, locationId: String, from: Timestamp, to: Timestamp) {
        self.deviceId = deviceId
        self.locationId = locationId
        self.from = from
        self.to = to
    }
}
