package import Linux

/// Which changes of a location an undo may void: those that were made here.
///
/// | row | is within the scope |
/// |---|---|
/// | appended by this program | always (`own`) |
/// | by hand on the command line, by this user | always |
/// | by hand on a screen, by this user | up to `since`: before this program started |
/// | of a device whose keys this user's programs read | up to `since` |
/// | from a file or of another journal, another user's, another device's | never |
package struct UndoScope: Hashable, Sendable {
    /// The user who asks.
    package let userId: String
    /// The input devices whose keys this user's programs read.
    package let deviceIds: Set<Identifier>
    /// The last row before this program started. A command, which starts after all that it may undo, leaves it at the end.
    package let since: Position
    /// The rows that this program has appended.
    package let own: OwnRows

    package init(
        userId: String, deviceIds: Set<Identifier>, since: Position = Position(.max), own: OwnRows = OwnRows()
    ) {
        self.userId = userId
        self.deviceIds = deviceIds
        self.since = since
        self.own = own
    }
}

/// The positions of the rows that a program has appended, as ranges: rows of one transaction are consecutive.
package struct OwnRows: Hashable, Sendable {
    /// Beyond this many ranges the oldest are forgotten, so that memory stays bounded (1 MiB) where several programs take
    /// turns.
    package static let most = 65_536

    /// Ascending, not adjacent.
    package private(set) var ranges: [ClosedRange<Int64>] = []

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
