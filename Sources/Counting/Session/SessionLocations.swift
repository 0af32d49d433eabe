package import CounterModel
import CounterStore
import CounterTUI
import Linux
import Reports

/// The locations of the journal as a session last read them, and the committed state of the one that is shown.
struct SessionLocations {
    private(set) var all: [Location]
    /// The location that is counted where nothing names another.
    private(set) var shown: Location
    /// The committed state of `shown`. No other count may be shown.
    private(set) var state: CounterState
    /// The last changes of each location that was shown, and the count after them.
    private var recents: [Identifier: (rate: ChangeRate, count: Int)] = [:]
    private var watched = WatchedLocations()
    private let journal: SQLiteJournal

    init(_ journal: SQLiteJournal, showing shown: Location) throws(JournalError) {
        (self.journal, self.shown) = (journal, shown)
        all = try journal.locations()
        state = try journal.stateOrZero(of: shown.id)
        try watched.read(all, in: journal, knowing: state)
        readRecent()
    }

    /// Shows another location. False where it is shown already, or there is none with this id.
    mutating func show(_ id: Identifier) throws(JournalError) -> Bool {
        guard id != shown.id, let chosen = location(id) else { return false }
        state = try journal.stateOrZero(of: id)
        shown = chosen
        readRecent()
        return true
    }

    var recent: ChangeRate { recents[shown.id]?.rate ?? ChangeRate() }

    /// Reads the last changes of `shown`, whoever made them. A last change that is older than the rate stays as it is known.
    private mutating func readRecent() {
        let now = WallClock().now
        let page = HistoryPage(
            range: (now - ChangeRate.window)..<(now + .microseconds(1)), isBackward: false, limit: .max)
        var rate = ChangeRate((try? journal.history(of: shown.id, page)) ?? [])
        if let known = recents[shown.id], known.count == state.currentCount { rate.remember(known.rate.last) }
        recents[shown.id] = (rate, state.currentCount)
    }

    mutating func clockWasSet() {
        for id in recents.keys { recents[id]?.rate.forgetTimes() }
    }

    mutating func note(_ receipts: [Receipt]) {
        if receipts.isEmpty { return }
        let states = journal.statesAfterAppend
        state = states.first { $0.locationId == shown.id } ?? state
        for changed in states {
            if let location = location(changed.locationId) { watched.note(changed, of: location) }
        }
        let counted = receipts.filter { $0.request.row.locationId == shown.id }
        for receipt in counted { recents[shown.id]?.rate.note(receipt) }
        recents[shown.id]?.count = state.currentCount
        // What is void, or counts again, has times of its own.
        if counted.contains(where: \.concernsThePast) { readRecent() }
    }

    mutating func reload() {
        if let state = try? journal.stateOrZero(of: shown.id) { self.state = state }
        readRecent()
        guard let found = try? journal.locations() else { return }
        all = found
        shown = location(shown.id) ?? shown
        try? watched.read(all, in: journal, knowing: state)
    }

    mutating func takeReached() -> [TargetReached] { watched.takeReached() }

    func location(_ id: Identifier) -> Location? { all.first { $0.id == id } }

    /// The location with an id, where it is not the one that is shown.
    func other(_ id: Identifier) -> Location? { id == shown.id ? nil : location(id) }

    var keyed: [KeyedLocation] {
        all.compactMap { location in
            guard let key = location.key, !location.isHidden else { return nil }
            let count = watched.states[location.id]?.currentCount ?? 0
            return KeyedLocation(id: location.id, name: location.name, key: key, count: count)
        }
    }
}

extension Receipt {
    fileprivate var concernsThePast: Bool {
        switch (outcome, request.row.content) {
        case (.accepted, .void), (.undone, _), (.redone, _): true
        default: false
        }
    }
}

extension ChangeRate {
    fileprivate mutating func note(_ receipt: Receipt) {
        let time = receipt.request.row.timestamp
        switch (receipt.outcome, receipt.request.row.content) {
        case (.accepted, .entry(let entry)), (.acceptedInNewEpoch, .entry(let entry)):
            note(entry.type == .in ? .up(receipt.count) : .down(receipt.count), at: time)
        case (.corrected, _): note(.corrected, at: time)
        case (.accepted, .reset), (.accepted, .endOfDay): note(.reset, at: time)
        case (.accepted, .void), (.undone, _): note(.undone, at: time)
        case (.redone(_, let redone), _): note(Kind(again: redone.change), at: redone.time)
        default:
            break
        }
    }
}

/// The committed states of the locations that are shown or announced though another is selected: those with a key or a target.
struct WatchedLocations {
    private(set) var states: [Identifier: CounterState] = [:]
    private var targets: [Identifier: TargetWatch] = [:]
    private var reached: [TargetReached] = []

    mutating func read(
        _ locations: some Sequence<Location>, in journal: SQLiteJournal, knowing state: CounterState
    ) throws(JournalError) {
        for location in locations where isWatched(location) {
            let isKnown = location.id == state.locationId
            note(isKnown ? state : try journal.stateOrZero(of: location.id), of: location)
        }
    }

    private func isWatched(_ location: Location) -> Bool {
        location.key != nil || location.target != nil || states[location.id] != nil
    }

    mutating func note(_ state: CounterState, of location: Location) {
        guard isWatched(location) else { return }
        states[location.id] = state
        if targets[location.id, default: TargetWatch(state)].reaches(state) {
            reached.append(TargetReached(location: location, state: state))
        }
    }

    mutating func takeReached() -> [TargetReached] {
        defer { reached = [] }
        return reached
    }
}

package struct TargetReached {
    let location: Location
    let state: CounterState

    package init(location: Location, state: CounterState) { (self.location, self.state) = (location, state) }

    package var text: String { "\(location.name): target of \(state.target ?? 0) reached" }
}
