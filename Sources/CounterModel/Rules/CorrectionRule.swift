/// A change by hand of several entries is made as a whole or not at all.
public enum CorrectionRule {
    /// Whether so many entries by hand may be made.
    ///
    /// - parameters:
    ///     - count: How many; 1 or more.
    ///     - type: In or out.
    ///     - level: The location's level before.
    ///     - location: With its capacity, and whether entries by hand may go over it.
    /// - returns: Why not; nil where they may. A tally has no bounds but those of `Int`.
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
