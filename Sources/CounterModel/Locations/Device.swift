/// Something that reports events: an input device with counted keys, a door counter.
public struct Device: Identifiable, Hashable, Codable, Sendable {
    /// Stable across reconnections; becomes the `deviceId` of its entries.
    public let id: String
    /// The name shown to users.
    public let name: String
    /// The location it counts into; nil where it is not assigned to one.
    public let locationId: String?
    /// When it last sent an event or was last known to be connected; nil where never.
    public let lastSeenAt: Timestamp?
    /// Whether a program on this machine is connected to it now.
    public let isConnected: Bool
    /// False where it is disabled: its events do not count.
    public let isActive: Bool

    /// The user whose program read its keys on this machine last; nil for a device that reports by other ways.
    public let keysReadBy: String?

    /// Creates a device.
    public init(
        id: String, name: String, locationId: String?, lastSeenAt: Timestamp?, isActive: Bool,
        isConnected: Bool = false, keysReadBy: String? = nil
    ) {
        self.keysReadBy = keysReadBy
        self.id = id
        self.name = name
        self.locationId = locationId
        self.lastSeenAt = lastSeenAt
        self.isActive = isActive
        self.isConnected = isConnected
    }

    /// Whether the device has sent nothing for longer than `age`.
    ///
    /// - parameters:
    ///     - age: In microseconds.
    ///     - now: Our clock's time.
    /// - returns: False while it is connected.
    public func isStale(after age: Int64, now: Timestamp) -> Bool {
        guard !isConnected else { return false }
        return lastSeenAt.map { now.microseconds - $0.microseconds > age } ?? true
    }
}
