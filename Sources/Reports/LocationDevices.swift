public import CounterModel
public import CounterStore

/// The devices that tell of a location: those that are active, and nothing that stands for counting by hand.
public struct LocationDevices {
    private let all: [Device]

    /// Reads them.
    ///
    /// - Throws: `JournalError`
    public init(of locationId: String, in journal: SQLiteJournal) throws(JournalError) {
        all = try journal.devices(of: locationId).filter { $0.isActive && !Devices.byHand.contains($0.id) }
    }

    /// Whether any is connected: then it is heard of now.
    public var isConnected: Bool { all.contains(where: \.isConnected) }

    /// The last that was heard of any; `nil` where there is none.
    public var lastSeenAt: Timestamp? { all.compactMap(\.lastSeenAt).max() }

    /// Those that should be heard. What is assigned here is missed, and what came by itself on `day`, the present one; a
    /// headset of last week is not.
    public func expected(on day: OperationalDay?) -> [Device] {
        all.filter { device in
            device.locationId != nil || device.isConnected
                || device.lastSeenAt.map { day?.contains($0) ?? false } ?? false
        }
    }
}
