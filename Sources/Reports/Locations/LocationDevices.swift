public import CounterModel
public import CounterStore
public import System

/// The active input devices of a location, without the device ids of counts by hand.
public struct LocationDevices {
    private let all: [Device]

    /// Reads the devices.
    ///
    /// - Throws: `JournalError`
    public init(of locationId: Identifier, in journal: SQLiteJournal) throws(JournalError) {
        all = try journal.devices(of: locationId).filter { $0.isActive && !Devices.byHand.contains($0.id) }
    }

    /// Whether any device is connected, so that the time of its last sign is the present.
    public var isConnected: Bool { all.contains(where: \.isConnected) }

    /// The latest `lastSeenAt` of all devices; `nil` where there is none.
    public var lastSeenAt: Timestamp? { all.compactMap(\.lastSeenAt).max() }

    /// The devices that are assigned to the location and were never seen.
    public var neverSeen: [Device] {
        all.filter { $0.locationId != nil && $0.lastSeenAt == nil && !$0.isConnected }
    }

    /// The devices that are expected to be connected: those connected now, those assigned to the location that were ever
    /// seen, and unassigned ones that were seen on `day`, the current day. An unassigned headset of last week is not expected.
    public func expected(on day: OperationalDay?) -> [Device] {
        all.filter { device in
            device.isConnected
                || device.lastSeenAt.map { device.locationId != nil || day?.contains($0) ?? false } ?? false
        }
    }
}
