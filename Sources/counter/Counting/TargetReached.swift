import CounterModel

/// A location has reached its target.
struct TargetReached {
    let location: Location
    let state: CounterState

    /// The message.
    var text: String { "\(location.name): target of \(state.target ?? 0) reached" }
}
