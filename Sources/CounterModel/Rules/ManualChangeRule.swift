/// The rule for a change by hand, counts and corrections alike, which is made as a whole or not at all.
package enum ManualChangeRule {
    /// Checks a change.
    ///
    /// - parameters:
    ///     - difference: By how much the level would move, negative for out.
    ///     - level: The location's level before the change.
    ///     - location: The location, with its capacity and `admitsOverFull`.
    /// - returns: Why the change is refused; nil where it is allowed. A tally is limited by the range of `Int` only.
    package static func refusal(of difference: Int, at level: Int, of location: Location) -> Refusal? {
        let (sum, overflow) = level.addingReportingOverflow(difference)
        if overflow { return .overflow }
        guard let capacity = location.maxCapacity else { return nil }
        if difference < 0 { return sum < 0 ? .empty(inside: max(0, level)) : nil }
        guard sum > capacity, !location.admitsOverFull else { return nil }
        return .full(room: max(0, Int(clamping: Int128(capacity) - Int128(level))))
    }
}
