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

/// The journal's settings of input devices: the location, the name, and whether events count.
public struct Devices {
    /// The device id of counts made on the screens.
    public static let terminal = "terminal"
    /// The device id of counts made on the command line.
    public static let commandLine = "command-line"
    /// The ids that are no input devices. Their counts go to the location given with each call; device settings do not apply.
    public static let byHand: Set = [terminal, commandLine]

    private let known: [String: Device]

    /// Creates the settings from the devices that the journal knows.
    public init(_ devices: [Device]) { known = Dictionary(devices.map { ($0.id, $0) }) { $1 } }

    /// The name given by a user, else the name that the device reports.
    public func name(of id: String, own: String) -> String {
        guard let name = known[id]?.name, name != id else { return own }
        return name
    }

    /// The location that an input device counts into: the one it is assigned to, else the program's own.
    public func location(of id: String, else own: String) -> String { known[id]?.locationId ?? own }

    /// The ids of disabled input devices.
    public var inactive: Set<String> { Set(known.values.filter { !$0.isActive }.map(\.id)) }

    /// The ids of the input devices whose keys a user's programs read.
    public func keys(readBy userId: String) -> Set<String> {
        Set(known.values.filter { $0.keysReadBy == userId }.map(\.id))
    }

    /// All known ids.
    public var ids: Set<String> { Set(known.keys) }
}
