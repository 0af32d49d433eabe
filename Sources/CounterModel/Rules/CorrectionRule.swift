/// The rule for a correction by hand of several entries, which is made as a whole or not at all.
public enum CorrectionRule {
    /// Checks a correction.
    ///
    /// - parameters:
    ///     - count: The number of entries; 1 or more.
    ///     - type: In or out.
    ///     - level: The location's level before the correction.
    ///     - location: The location, with its capacity and `admitsOverFull`.
    /// - returns: Why the correction is refused; nil where it is allowed. A tally is limited by the range of `Int` only.
    public static func refusal(of count: Int, _ type: EntryType, at level: Int, of location: Location)
        -> Refusal?
    {
        switch type {
        case .in:
            if level.addingReportingOverflow(count).overflow { return .overflow }
            guard let capacity = location.maxCapacity, !location.admitsOverFull else { return nil }
            let room = max(0, Int(clamping: Int128(capacity) - Int128(level)))
            return count > room ? .full(room: room) : nil
        case .out:
            if level.subtractingReportingOverflow(count).overflow { return .overflow }
            guard location.maxCapacity != nil else { return nil }
            let inside = max(0, level)
            return count > inside ? .empty(inside: inside) : nil
        }
    }
}
