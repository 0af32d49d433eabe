import CounterModel
import CounterStore
import Linux

/// The events that a watch waits for, one after the other, from the rows of the journal and from devices that are silent. Rows wait in
/// the journal, so any number of them takes no memory here.
final class WatchEvents {
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
    /// Locations that have become stale or live, in this order; without an event where no command is to run.
    private var signs: [(locationId: Identifier, isStale: Bool, event: WatchEvent?)] = []
    private var stale: Set<Identifier>
    private var locations: [Identifier: Location] = [:]
    private var staleDevices: StaleDevices
    /// When to look at devices again, by our clock; nil where nothing can change, or nobody asks.
    var nextStale: Timestamp? { staleDevices.nextChange }
    /// Whether there may be rows that were not read.
    private var isBehind = true

    init(
        _ journal: SQLiteJournal, _ conditions: Set<LocationCondition>, only: Identifier?,
        staleAfter: Duration, pause: Duration, record: WatchRecord, now: Timestamp
    ) throws {
        (self.journal, self.conditions, self.only) = (journal, conditions, only)
        staleDevices = StaleDevices(in: journal, after: staleAfter)
        (self.pause, self.record) = (pause, record)
        changes = StateChanges(journal, after: record.state.position)
        stale = record.state.stale
        if record.isContinued {
            try update(at: now)
        } else {
            try readLocations()
            stale = Set(try readStaleDevices(at: now).keys)
            record.state.stale = stale
        }
    }

    /// Notes that the journal has changed, or that a device may be stale now.
    func update(at now: Timestamp) throws {
        isBehind = true
        try readLocations()
        let devices = try readStaleDevices(at: now)
        for id in locations.keys.sorted() where (devices[id] != nil) != stale.contains(id) {
            let condition: LocationCondition = devices[id] == nil ? .live : .stale
            stale.formSymmetricDifference([id])
            // That a location has closed is no sign of life.
            let isAwaited =
                conditions.contains(condition) && (condition != .live || !staleDevices.closed.contains(id))
            let event =
                try isAwaited
                ? WatchEvent(
                    condition: condition, state: journal.stateOrZero(of: id),
                    name: locations[id]?.name ?? id.text, timestamp: now, staleDevices: devices[id] ?? [])
                : nil
            signs.append((id, condition == .stale, event))
        }
        if skipSigns() { try record.save() }
    }

    /// The next event; nil while there is none. It comes again until its command is started.
    func next() throws -> WatchEvent? {
        if skipSigns() { try record.save() }
        if let event = signs.first?.event { return event }
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
        if signs.isEmpty { record.state.started += 1 } else { takeSign() }
        lastStarted[event.state.locationId, default: [:]][event.condition] = event.timestamp
        skipSigns()
        try record.save()
        do { try body() } catch {
            record.state = before
            try record.save()
            throw error
        }
        record.state.starting = nil
        try record.save()
    }

    /// Takes the signs at the front for which no command is to run. The caller records that before anything else happens: after a
    /// restart, a location that was live in between can then be told of as stale again. Returns whether there were any.
    @discardableResult
    private func skipSigns() -> Bool {
        let count = signs.count
        while let sign = signs.first, sign.event.map(isTooSoon) ?? true { takeSign() }
        return signs.count < count
    }

    private func takeSign() {
        let sign = signs.removeFirst()
        if sign.isStale {
            record.state.stale.insert(sign.locationId)
        } else {
            record.state.stale.remove(sign.locationId)
        }
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

    /// For messages: `Hall: full`. It has no line feed: no name of a location may.
    var text: String { "\(name): \(condition.rawValue)" }
}
