public import CounterModel

/// A location has reached its target.
public struct TargetReached {
    let location: Location
    let state: CounterState

    /// A location with its committed state.
    public init(location: Location, state: CounterState) {
        self.location = location
        self.state = state
    }

    /// The message.
    public var text: String { "\(location.name): target of \(state.target ?? 0) reached" }
}
