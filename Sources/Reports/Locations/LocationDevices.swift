package import CounterModel
package import CounterStore
package import Linux

/// The active input devices of a location, without the device ids of counts by hand.
package struct LocationDevices {
    private let all: [Device]

    /// Reads the devices.
    ///
    /// - Throws: `JournalError`
    package init(of locationId: Identifier, in journal: SQLiteJournal) throws(JournalError) {
        all = try journal.devices(of: locationId).filter { $0.isActive && !Devices.byHand.contains($0.id) }
    }

    /// Whether any device is connected, so that the time of its last sign is the present.
    package var isConnected: Bool { all.contains(where: \.isConnected) }

    /// The latest `lastSeenAt` of all devices; `nil` where there is none.
    package var lastSeenAt: Timestamp? { all.compactMap(\.lastSeenAt).max() }

    /// The devices that are assigned to the location and were never seen.
    package var neverSeen: [Device] {
        all.filter { $0.locationId != nil && $0.lastSeenAt == nil && !$0.isConnected }
    }

    /// The devices that are expected to be connected: those connected now, those assigned to the location that were ever
    /// seen, and unassigned ones that were seen on `day`, the current day. An unassigned headset of last week is not expected.
    package func expected(on day: OperationalDay?) -> [Device] {
        all.filter { device in
            device.isConnected
                || device.lastSeenAt.map { device.locationId != nil || day?.contains($0) ?? false } ?? false
        }
    }
}
