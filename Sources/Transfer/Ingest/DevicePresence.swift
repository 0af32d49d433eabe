/// Which devices are connected, by how many connections, and what of that the journal has not been told.
struct DevicePresence {
    private var connections: [String: Int] = [:]
    private var locations: [String: String] = [:]
    /// Those that the journal knows to be connected.
    private var told: Set<String> = []
    /// Those of which that may have changed.
    private var touched: Set<String> = []

    /// Notes that a device has spoken on one more connection.
    mutating func connect(_ device: String, _ location: String) {
        connections[device, default: 0] += 1
        locations[device] = location
        touched.insert(device)
    }

    /// Notes that a connection has ended on which a device has spoken.
    mutating func disconnect(_ device: String) {
        let left = (connections[device] ?? 1) - 1
        connections[device] = left > 0 ? left : nil
        touched.insert(device)
    }

    /// What the journal is to be told, as `SQLiteJournal.note` takes it; `nil` where it knows all.
    ///
    /// A device that came and went since is told of as both: it was there.
    var change: (came: [(id: String, name: String, locationId: String)], went: [String])? {
        let came = touched.filter { locations[$0] != nil && !told.contains($0) }.sorted()
        let went = touched.filter { connections[$0] == nil }.sorted()
        if came.isEmpty, went.isEmpty { return nil }
        return (came.map { ($0, $0, locations[$0] ?? "") }, went)
    }

    /// Notes that the journal has been told all of `change`.
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
