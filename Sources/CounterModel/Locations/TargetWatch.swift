/// Notices when a location reaches its target: once, and again after a reset.
package struct TargetWatch: Sendable {
    private var target: Int?
    /// The resets since which the target has been reached.
    private var reached: Set<Position> = []

    /// Starts from a location's state; a target that is reached then is not reported.
    package init(_ state: CounterState) {
        target = state.target
        noteReached(state)
    }

    /// Notes the state after a change.
    ///
    /// - returns: Whether the change has reached the target. A new target that is reached already is not reported.
    package mutating func reaches(_ state: CounterState) -> Bool {
        guard state.target == target else {
            self = TargetWatch(state)
            return false
        }
        return noteReached(state)
    }

    /// - returns: Whether the target is reached for the first time since the last reset.
    @discardableResult
    private mutating func noteReached(_ state: CounterState) -> Bool {
        guard let target, state.currentCount >= target else { return false }
        return reached.insert(state.lastReset).inserted
    }
}
