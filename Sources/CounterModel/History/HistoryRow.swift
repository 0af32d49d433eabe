/// One row of a location's history, as a list shows it: an entry, a correction, a reset, the end of a day, or a setting.
package struct HistoryRow: Identifiable, Hashable, Sendable {
    package let row: JournalRow
    /// The name of the journal that wrote it; nil for a row of this one.
    package let journal: String?
    /// Who took it back and when; nil where it counts.
    package let void: VoidMark?
    /// When it counts: at its own time, but no earlier than the reset that it comes after.
    package let countedAt: Timestamp

    package init(
        _ row: JournalRow, of journal: String? = nil, void: VoidMark? = nil, countedAt: Timestamp? = nil
    ) {
        (self.row, self.journal, self.void) = (row, journal, void)
        self.countedAt = countedAt ?? row.countedAt
    }

    /// Who did it, and where if on another machine: `ada on door-3`.
    package var actor: String? { HistoryRow.actor(row.userId, on: journal) }

    fileprivate static func actor(_ user: String?, on journal: String?) -> String? {
        guard let journal else { return user }
        return [user, "on \(journal)"].compactMap(\.self).joined(separator: " ")
    }

    package var isVoid: Bool { void != nil }

    package var id: Position { row.id }

    package var anchor: HistoryAnchor { HistoryAnchor(time: countedAt, order: row.orderedAt, position: id) }
}

package struct VoidMark: Hashable, Sendable {
    /// The user; nil where a gesture or a device did.
    package let userId: String?
    /// The name of the journal where they did; nil for this one.
    package let journal: String?
    /// When, by the clock that counts.
    package let time: Timestamp

    package init(userId: String?, of journal: String? = nil, time: Timestamp) {
        (self.userId, self.journal, self.time) = (userId, journal, time)
    }

    /// `by ada on door-3`; nil where neither needs saying.
    package var actor: String? { HistoryRow.actor(userId.map { "by \($0)" }, on: journal) }
}

/// A place in a list of history rows, which are ordered by the time at which they count, then by their `orderedAt`, then by position.
package struct HistoryAnchor: Hashable, Comparable, Sendable {
    package let time, order: Timestamp
    package let position: Position

    package init(time: Timestamp, order: Timestamp, position: Position) {
        (self.time, self.order, self.position) = (time, order, position)
    }

    package static func < (left: HistoryAnchor, right: HistoryAnchor) -> Bool {
        (left.time, left.order, left.position) < (right.time, right.order, right.position)
    }
}

package struct HistoryPage: Hashable, Sendable {
    package let range: Range<Timestamp>
    /// The row next to the page; it is not part of the page. nil stands for the range's end or, forward, for its start.
    package let anchor: HistoryAnchor?
    /// Whether the page is the rows before the anchor; otherwise it is those after it.
    package let isBackward: Bool
    /// The maximum number of rows; 1 or more.
    package let limit: Int

    package init(range: Range<Timestamp>, anchor: HistoryAnchor? = nil, isBackward: Bool, limit: Int) {
        (self.range, self.anchor, self.isBackward, self.limit) = (range, anchor, isBackward, limit)
    }
}
