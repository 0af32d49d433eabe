package import Linux

/// Something that reports events: an input device with counted keys, a door counter.
package struct Device: Identifiable, Hashable, Sendable {
    /// Stable across reconnections; becomes the `deviceId` of its entries.
    package let id: Identifier
    package let name: String
    /// The location it counts into; nil where it is not assigned to one.
    package let locationId: Identifier?
    /// When it last sent an event or was last known to be connected; nil where never.
    package let lastSeenAt: Timestamp?
    /// The location that it counted into when it was connected last; nil where it never was.
    package let lastLocationId: Identifier?
    /// The connection to a program on this machine; nil while there is none.
    package let connection: DeviceConnection?
    package var isConnected: Bool { connection != nil }
    /// False where it is disabled: its events do not count.
    package let isActive: Bool

    /// The user whose program read its keys on this machine last; nil for a device that reports by other ways.
    package let keysReadBy: String?

    package init(
        id: Identifier, name: String, locationId: Identifier?, lastSeenAt: Timestamp?, isActive: Bool,
        connection: DeviceConnection? = nil, lastLocationId: Identifier? = nil, keysReadBy: String? = nil
    ) {
        (self.id, self.name, self.isActive, self.keysReadBy) = (id, name, isActive, keysReadBy)
        (self.locationId, self.lastLocationId) = (locationId, lastLocationId)
        (self.lastSeenAt, self.connection) = (lastSeenAt, connection)
    }

    /// Whether the device, which was seen once, has sent nothing for longer than `age`. False while it is connected, and where it
    /// was never seen: it may not be installed yet.
    package func isStale(after age: Duration, now: Timestamp) -> Bool {
        guard !isConnected else { return false }
        return lastSeenAt.map { now - $0 > age } ?? false
    }
}

/// What a user decides of a device. The last one in the order holds.
package enum DeviceSetting: Hashable, Sendable {
    case name(String)
    /// It counts into the location of the row or, where that has none, where its events or its program say.
    case location
    case isActive(Bool)
    /// It is as if nothing had been set, and no list has it before it is seen again.
    case isForgotten

    package init?(named name: String, text: String?) {
        switch (name, text) {
        case ("name", let text?): self = .name(text)
        case ("location", nil): self = .location
        case ("isActive", let text?): self = .isActive(text == "true")
        case ("isForgotten", nil): self = .isForgotten
        default: return nil
        }
    }

    /// Its name in rows of a journal and of the feed.
    package var word: String {
        switch self {
        case .name: "name"
        case .location: "location"
        case .isActive: "isActive"
        case .isForgotten: "isForgotten"
        }
    }

    package var text: String? {
        switch self {
        case .name(let name): name
        case .isActive(let isActive): String(isActive)
        case .location, .isForgotten: nil
        }
    }
}

package struct DeviceConnection: Hashable, Sendable {
    package let since: Timestamp
    package let locationId: Identifier
    /// The program, as it was called: `counter listen`.
    package let program: String
    /// Whether that is the program that asks.
    package let isOwn: Bool

    package init(since: Timestamp, locationId: Identifier, program: String, isOwn: Bool) {
        (self.since, self.locationId, self.program, self.isOwn) = (since, locationId, program, isOwn)
    }
}

/// The journal's settings of input devices: the location, the name, and whether events count.
package struct Devices {
    /// The device id of counts made on the screens.
    package static let terminal: Identifier = "terminal"
    package static let commandLine: Identifier = "command-line"
    /// The ids that are no input devices. Their counts go to the location given with each call; device settings do not apply.
    package static let byHand: Set = [terminal, commandLine]

    private let known: [Identifier: Device]

    package init(_ devices: [Device]) { known = Dictionary(devices.map { ($0.id, $0) }) { $1 } }

    /// The name given by a user, else the name that the device reports.
    package func name(of id: Identifier, own: String) -> String {
        guard let name = known[id]?.name, name != id.text else { return own }
        return name
    }

    /// The location that an input device counts into: the one it is assigned to, else the program's own.
    package func location(of id: Identifier, else own: Identifier) -> Identifier {
        known[id]?.locationId ?? own
    }

    package var inactive: Set<Identifier> { Set(known.values.filter { !$0.isActive }.map(\.id)) }

    package func keys(readBy userId: String) -> Set<Identifier> {
        Set(known.values.filter { $0.keysReadBy == userId }.map(\.id))
    }

    /// The other program of ours that counts a device now: `counter listen`; nil where there is none.
    package func otherProgram(counting id: Identifier) -> String? {
        known[id]?.connection.flatMap { $0.isOwn ? nil : $0.program }
    }

    package var ids: Set<Identifier> { Set(known.keys) }
}

/// A time during which a device was connected and counted into a location.
package struct PastConnection: Hashable, Sendable {
    package let deviceId: Identifier
    package let locationId: Identifier
    package let from: Timestamp
    /// When it was disconnected; `from` or later.
    package let to: Timestamp

    package init(deviceId: Identifier, locationId: Identifier, from: Timestamp, to: Timestamp) {
        (self.deviceId, self.locationId, self.from, self.to) = (deviceId, locationId, from, to)
    }
}

/// What a user may do. On one machine roles prevent accidents, not malice: the user owns the journal's file.
package enum UserRole: String, Sendable, CaseIterable {
    case admin
    /// May read everything and change nothing.
    case viewer
}
