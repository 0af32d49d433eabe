import System

/// Tracks the number of connections of each device, and which changes the journal has not stored yet.
struct DevicePresence {
    private var connections: [Identifier: Int] = [:]
    private var locations: [Identifier: Identifier] = [:]
    /// The devices that the journal has stored as connected.
    private var told: Set<Identifier> = []
    /// The devices whose state may have changed since.
    private var touched: Set<Identifier> = []

    /// Records that a device has sent its first event on one more connection.
    mutating func connect(_ device: Identifier, _ location: Identifier) {
        connections[device, default: 0] += 1
        locations[device] = location
        touched.insert(device)
    }

    /// Records the end of a connection on which a device has sent events.
    mutating func disconnect(_ device: Identifier) {
        let left = (connections[device] ?? 1) - 1
        connections[device] = left > 0 ? left : nil
        touched.insert(device)
    }

    /// The changes to store with `SQLiteJournal.note`; `nil` where there are none.
    ///
    /// A device that was connected and disconnected since then is in both lists, so that the journal stores that it was
    /// there.
    var change: (came: [(id: Identifier, name: String, locationId: Identifier)], went: [Identifier])? {
        let came = touched.filter { locations[$0] != nil && !told.contains($0) }.sorted()
        let went = touched.filter { connections[$0] == nil }.sorted()
        if came.isEmpty, went.isEmpty { return nil }
        return (came.map { ($0, $0.text, locations[$0] ?? "") }, went)
    }

    /// Records that the journal has stored all of `change`.
    mutating func isTold() {
        for device in touched {
            if connections[device] == nil {
                told.remove(device)
                locations[device] = nil
            } else {
                told.insert(device)
            }
        }
        touched = []
    }
}
