package import CounterModel
package import CounterStore
package import Linux

extension ReportingHours {
    /// Reads when the devices of a location are expected to report, about a time.
    package init(of location: Location, in journal: SQLiteJournal, at now: Timestamp) throws(JournalError) {
        let calendar = location.calendar(about: now)
        let day = calendar.day(containing: now)
        var eventful: [Timestamp] = []
        if location.openingHours == nil {
            let days = sequence(first: day, next: calendar.day(before:)).prefix(Self.usualDays + 1)
            let past = (days.map(\.start).last ?? day.start)..<day.start
            eventful = try journal.kpis(
                of: location, hours: calendar.hourStarts(in: past), end: past.upperBound, now: now,
                silence: .max
            ).hours.filter { $0.totalIn > 0 || $0.totalOut > 0 }.map(\.start)
        }
        self.init(of: location, about: day, calendar, eventful: eventful)
    }
}

/// The active input devices of a location, without the device ids of counts by hand.
package struct LocationDevices {
    private let all: [Device]

    package init(of locationId: Identifier, in journal: SQLiteJournal) throws(JournalError) {
        all = try journal.devices(of: locationId).filter { $0.isActive && !Devices.byHand.contains($0.id) }
    }

    package var isConnected: Bool { all.contains(where: \.isConnected) }

    package var lastSeenAt: Timestamp? { all.compactMap(\.lastSeenAt).max() }

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
