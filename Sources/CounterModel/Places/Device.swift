/// Something that reports events: a source of keys, a door counter.
public struct Device: Identifiable, Hashable, Codable, Sendable {
    /// Stable across reconnections; becomes the `deviceId` of its entries.
    public let id: String
    /// What people call it.
    public let name: String
    /// The location it counts into; nil where nobody has assigned one.
    public let locationId: String?
    /// When it last sent anything or was known to be connected; nil where never.
    public let lastSeenAt: Timestamp?
    /// Whether a program on this machine is connected to it now.
    public let isConnected: Bool
    /// False where it has been disabled and is not to count.
    public let isActive: Bool

    /// Creates a device.
    public init(
        id: String, name: String, locationId: String?, lastSeenAt: Timestamp?, isActive: Bool,
        isConnected: Bool = false
    ) {
        self.id = id
        self.name = name
        self.locationId = locationId
        self.lastSeenAt = lastSeenAt
        self.isActive = isActive
        self.isConnected = isConnected
    }

    /// Whether nothing has been heard of it for longer than a time.
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
