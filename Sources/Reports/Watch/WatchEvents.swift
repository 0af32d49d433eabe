package import CounterModel
package import CounterStore
package import Linux

/// The events that a watch waits for, one after the other, from the rows of the journal and from devices that are silent. Rows wait in
/// the journal, so any number of them takes no memory here.
package final class WatchEvents {
    private let journal: SQLiteJournal
    private let conditions: Set<LocationCondition>
    /// The id of the only location; nil for all that are visible.
    private let only: Identifier?
    /// How long after one event another of the same condition and location is passed over.
    private let pause: Duration
    private var lastStarted: [Identifier: [LocationCondition: Timestamp]] = [:]
    private let record: WatchRecord
    private var changes: StateChanges
    private var rows: ArraySlice<StateChange> = []
    /// That locations have become stale or live, in this order. A kill loses none: the record has them too.
    private var signs: [WatchEvent] = [] {
        didSet { record.state.signs = signs.map(\.sign) }
    }
    private var locations: [Identifier: Location] = [:]
    private var staleDevices: StaleDevices
    /// When to look at devices again, by our clock; nil where nothing can change, or nobody asks.
    var nextStale: Timestamp? { staleDevices.nextChange }
    /// Whether there may be rows that were not read.
    private var isBehind = true

    /// A watch of the `only` location, or of all that are visible. For a `pause` after one run for a condition of a location no other
    /// is made for it.
    package init(
        _ journal: SQLiteJournal, _ conditions: Set<LocationCondition>, only: Identifier?,
        staleAfter: Duration, pause: Duration, record: WatchRecord, now: Timestamp
    ) throws {
        (self.journal, self.conditions, self.only) = (journal, conditions, only)
        staleDevices = StaleDevices(in: journal, after: staleAfter)
        (self.pause, self.record) = (pause, record)
        changes = StateChanges(journal, after: record.state.position)
        try readLocations()
        if record.isContinued {
            signs = try record.state.signs.filter { locations[$0.locationId] != nil }.map { sign in
                try event(sign, at: now)
            }
            record.state.signs = signs.map(\.sign)
            try update(at: now)
        } else {
            record.state.stale = Set(try readStaleDevices(at: now).keys)
        }
        if let skipped = record.state.starting {
            Output.tell(
                "\(skipped): the program was killed as it started the command, which may not have run",
                remedy: "It is not run again for that change.")
        }
        record.state.starting = nil
        try record.save()
    }

    /// Notes that the journal has changed, or that a device may be stale now.
    func update(at now: Timestamp) throws {
        isBehind = true
        try readLocations()
        let (devices, known) = (try readStaleDevices(at: now), record.state.stale)
        for id in locations.keys.sorted() where (devices[id] != nil) != known.contains(id) {
            record.state.stale.formSymmetricDifference([id])
            let condition: LocationCondition = devices[id] == nil ? .live : .stale
            // That a location has closed is no sign of life.
            let isSeen = condition == .stale || !staleDevices.closed.contains(id)
            if isSeen, conditions.contains(condition) {
                let sign = WatchRecord.Sign(condition: condition, locationId: id, devices: devices[id] ?? [])
                signs.append(try event(sign, at: now))
            }
        }
        if record.state.stale != known { try record.save() }
    }

    private func event(_ sign: WatchRecord.Sign, at now: Timestamp) throws -> WatchEvent {
        let id = sign.locationId
        return WatchEvent(
            condition: sign.condition, state: try journal.stateOrZero(of: id),
            name: locations[id]?.name ?? id.text, timestamp: now, staleDevices: sign.devices)
    }

    /// The next event; nil while there is none. It comes again until its command is started.
    func next() throws -> WatchEvent? {
        let waiting = signs.drop(while: isTooSoon)
        if waiting.count < signs.count {
            signs = Array(waiting)
            try record.save()
        }
        if let sign = signs.first { return sign }
        while let row = try nextRow() {
            for event in events(of: row).dropFirst(record.state.started) {
                if !isTooSoon(event) { return event }
                record.state.started += 1
            }
            record.state.position = row.position
            record.state.started = 0
            rows.removeFirst()
        }
        return nil
    }

    /// Starts the command of the next event by `body`. It is recorded as started before: whatever happens then, it is not started
    /// twice. Where `body` throws, the next run of the program tries it again.
    func start(_ event: WatchEvent, _ body: () throws -> Void) throws {
        let before = record.state
        record.state.starting = "\(event.text) (\(event.state.position.number))"
        if signs.isEmpty { record.state.started += 1 } else { signs.removeFirst() }
        lastStarted[event.state.locationId, default: [:]][event.condition] = event.timestamp
        try record.save()
        do { try body() } catch {
            record.state = before
            try record.save()
            throw error
        }
        record.state.starting = nil
        try record.save()
    }

    private func isTooSoon(_ event: WatchEvent) -> Bool {
        let last = lastStarted[event.state.locationId]?[event.condition]
        return last.map { event.timestamp < $0 + pause } ?? false
    }

    private func nextRow() throws -> StateChange? {
        if rows.isEmpty, isBehind {
            rows = try changes.next()[...]
            isBehind = rows.count == StateChanges.page
            // Else a restart would read all rows since the last event again.
            if isBehind { try record.save() }
        }
        return rows.first
    }

    private func events(of row: StateChange) -> [WatchEvent] {
        guard let location = locations[row.after.locationId] else { return [] }
        return row.after.conditions(since: row.before).filter(conditions.contains).map {
            WatchEvent(condition: $0, state: row.after, name: location.name, timestamp: row.countedAt)
        }
    }

    private func readLocations() throws {
        let watched = try journal.locations().filter { only == nil ? !$0.isHidden : $0.id == only }
        locations = Dictionary(watched.map { ($0.id, $0) }) { $1 }
    }

    private func readStaleDevices(at now: Timestamp) throws -> [Identifier: [String]] {
        guard conditions.contains(.stale) || conditions.contains(.live) else { return [:] }
        return try staleDevices.read(of: locations.values, at: now)
    }
}

/// A condition that a location has met, with its figures at that time.
struct WatchEvent {
    let condition: LocationCondition
    let state: CounterState
    let name: String
    let timestamp: Timestamp
    var staleDevices: [String] = []

    /// Environment variables for the command. A figure that does not exist is an empty text, so that none is inherited.
    var variables: [String: String] {
        [
            "COUNTER_EVENT": condition.rawValue,
            "COUNTER_LOCATION": state.locationId.text,
            "COUNTER_LOCATION_NAME": name,
            "COUNTER_COUNT": String(state.currentCount),
            "COUNTER_LEVEL": String(state.level),
            "COUNTER_MORE_LEFT_THAN_ENTERED": String(state.moreLeftThanEntered),
            "COUNTER_MAX_CAPACITY": state.maxCapacity.map(String.init) ?? "",
            "COUNTER_PERCENTAGE": state.percentage.map(String.init) ?? "",
            "COUNTER_PLACES_LEFT": state.placesLeft.map(String.init) ?? "",
            "COUNTER_STATUS": state.status?.rawValue ?? "",
            "COUNTER_STALE_DEVICES": staleDevices.joined(separator: "\n"),
            "COUNTER_TIMESTAMP": timestamp.iso8601,
            "COUNTER_POSITION": String(state.position.number),
        ]
    }

    fileprivate var sign: WatchRecord.Sign {
        WatchRecord.Sign(condition: condition, locationId: state.locationId, devices: staleDevices)
    }

    /// For messages: `Hall: full`. It has no line feed: no name of a location may.
    var text: String { "\(name): \(condition.rawValue)" }
}
