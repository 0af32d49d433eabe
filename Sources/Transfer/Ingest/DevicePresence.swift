import Linux

/// Tracks the number of connections of each device, and which changes the journal has not stored yet.
struct DevicePresence {
    /// The devices that came and went, for `SQLiteJournal.note`.
    typealias Change = (came: [(id: Identifier, name: String, locationId: Identifier)], went: [Identifier])

    /// The largest number of devices in one change, so that no transaction is long, however many devices a connection had.
    static let maxChanged = 1_000

    private var connections: [Identifier: Int] = [:]
    private var locations: [Identifier: Identifier] = [:]
    /// The devices that the journal has stored as connected.
    private var told: Set<Identifier> = []
    /// The devices whose state may have changed since, in the order in which it did.
    private var touched: ArraySlice<Identifier> = []
    private var isTouched: Set<Identifier> = []

    /// Whether the journal has stored everything.
    var isStored: Bool { touched.isEmpty }

    /// Records that a device has sent its first event on one more connection.
    mutating func connect(_ device: Identifier, _ location: Identifier) {
        connections[device, default: 0] += 1
        locations[device] = location
        touch(device)
    }

    /// Records the end of a connection on which a device has sent events.
    mutating func disconnect(_ device: Identifier) {
        let left = (connections[device] ?? 1) - 1
        connections[device] = left > 0 ? left : nil
        touch(device)
    }

    private mutating func touch(_ device: Identifier) {
        if isTouched.insert(device).inserted { touched.append(device) }
    }

    /// The changes to store next. Devices on one more or one less of several connections are in neither list.
    ///
    /// A device that was connected and disconnected since then is in both lists, so that the journal stores that it was
    /// there.
    var change: Change {
        let next = touched.prefix(Self.maxChanged)
        let came = next.filter { locations[$0] != nil && !told.contains($0) }
        return (came.map { ($0, $0.text, locations[$0] ?? "") }, next.filter { connections[$0] == nil })
    }

    /// Records that the journal has stored all of `change`.
    mutating func isTold() {
        for device in touched.prefix(Self.maxChanged) {
            isTouched.remove(device)
            if connections[device] == nil {
                told.remove(device)
                locations[device] = nil
            } else {
                told.insert(device)
            }
        }
        touched = touched.dropFirst(Self.maxChanged)
        if touched.isEmpty { touched = [] }
    }
}
