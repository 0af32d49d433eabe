import CounterModel
import CounterStore
import Linux

/// The committed states of the locations that are shown or announced though another is selected: those with a key or a target.
struct WatchedLocations {
    private(set) var states: [Identifier: CounterState] = [:]
    private var targets: [Identifier: TargetWatch] = [:]
    /// The targets that were reached and not announced yet.
    private var reached: [TargetReached] = []

    /// Reads the states of these locations; one of them may be known.
    ///
    /// - Throws: `JournalError`
    mutating func read(
        _ locations: some Sequence<Location>, in journal: SQLiteJournal, knowing state: CounterState
    ) throws(JournalError) {
        for location in locations
        where location.key != nil || location.target != nil || states[location.id] != nil {
            let isKnown = location.id == state.locationId
            note(isKnown ? state : try journal.stateOrZero(of: location.id), of: location)
        }
    }

    /// Notes the state of a location.
    mutating func note(_ state: CounterState, of location: Location) {
        states[location.id] = state
        guard targets[location.id]?.reaches(state) ?? false else {
            targets[location.id] = targets[location.id] ?? TargetWatch(state)
            return
        }
        reached.append(TargetReached(location: location, state: state))
    }

    /// The targets that were reached since the last call.
    mutating func takeReached() -> [TargetReached] {
        defer { reached = [] }
        return reached
    }
}
