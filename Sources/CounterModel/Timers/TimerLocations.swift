package import Linux

/// The locations in which a timer counts.
package enum TimerLocations: Hashable, Sendable {
    /// All locations of the journal.
    case all
    /// These, by their ids; at least one.
    case some([Identifier])

    /// Whether a location is one of them.
    package func contains(_ locationId: Identifier) -> Bool {
        switch self {
        case .all: true
        case .some(let ids): ids.contains(locationId)
        }
    }

    /// The ids; empty for all.
    package var ids: [Identifier] {
        switch self {
        case .all: []
        case .some(let ids): ids
        }
    }
}
