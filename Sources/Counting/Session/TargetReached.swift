package import CounterModel

/// A location has reached its target.
package struct TargetReached {
    let location: Location
    let state: CounterState

    /// A location with its committed state.
    package init(location: Location, state: CounterState) {
        self.location = location
        self.state = state
    }

    /// The message.
    package var text: String { "\(location.name): target of \(state.target ?? 0) reached" }
}
