package import CounterModel
package import CounterStore
package import Linux

/// Which devices of locations are stale, and when that changes though nothing is heard of them.
package struct StaleDevices {
    private let journal: SQLiteJournal
    private let age: Duration
    private var hours: [Identifier: (location: Location, day: OperationalDay, hours: ReportingHours)] = [:]
    /// The ids of the locations whose devices are not expected to report now.
    private(set) var closed: Set<Identifier> = []
    /// When a device is stale next, or its location opens or closes; nil where neither can be.
    package private(set) var nextChange: Timestamp?

    package init(in journal: SQLiteJournal, after age: Duration) { (self.journal, self.age) = (journal, age) }

    /// Reads the ids of the stale devices, by location.
    package mutating func read(of locations: some Sequence<Location>, at now: Timestamp) throws
        -> [Identifier: [String]]
    {
        closed = []
        var stale: [Identifier: [String]] = [:]
        var changes: [Timestamp] = []
        for location in locations {
            let day = location.calendar(about: now).day(containing: now)
            let hours = try hours(of: location, on: day, at: now)
            if !hours.contains(now) { closed.insert(location.id) }
            for device in try LocationDevices(of: location.id, in: journal).expected(on: day) {
                if hours.isStale(device, after: age, now: now) {
                    stale[location.id, default: []].append(device.id.text)
                }
                if let next = hours.nextChange(of: device, after: age, now: now) { changes.append(next) }
            }
        }
        nextChange = changes.min()
        return stale
    }

    /// Read once a day.
    private mutating func hours(of location: Location, on day: OperationalDay, at now: Timestamp) throws
        -> ReportingHours
    {
        if let known = hours[location.id], known.location == location, known.day == day { return known.hours }
        let read = try ReportingHours(of: location, in: journal, at: now)
        hours[location.id] = (location, day, read)
        return read
    }
}
