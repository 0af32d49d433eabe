/// The positions of the rows that a program has appended, as ranges: rows of one transaction are consecutive.
package struct OwnRows: Hashable, Sendable {
    /// Beyond this many ranges the oldest are forgotten, so that memory stays bounded (1 MiB) where several programs take
    /// turns.
    package static let most = 65_536

    /// Ascending, not adjacent.
    package private(set) var ranges: [ClosedRange<Int64>] = []

    /// No rows.
    package init() {}

    /// Adds rows. They are above all rows that were added before.
    package mutating func add(_ rows: ClosedRange<Int64>) {
        if let last = ranges.last, rows.lowerBound <= last.upperBound + 1 {
            ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, rows.upperBound)
            return
        }
        ranges.append(rows)
        // Half at once: removing the first element of an array moves all the others.
        if ranges.count > Self.most { ranges.removeFirst(Self.most / 2) }
    }
}
