/// One row of a location's history, as a list shows it.
package struct HistoryRow: Identifiable, Hashable, Sendable {
    /// The kinds of rows.
    package enum Kind: Hashable, Sendable {
        /// A count.
        case entry(Entry)
        /// A correction.
        case correction(Correction)
        /// A reset.
        case reset(Reset)
        /// The end of a day, by a user or by itself.
        case endOfDay(Reset, isAutomatic: Bool)
        /// A property of the location that changed.
        case setting(SettingChange)
    }

    /// What the row is.
    package let kind: Kind
    /// Who took it back and when; nil where it counts.
    package let void: VoidMark?
    /// When it counts: at its own time, but no earlier than the reset that it comes after.
    package let countedAt: Timestamp

    /// Creates a row; `countedAt` is nil where it counts at its own time.
    package init(_ kind: Kind, void: VoidMark? = nil, countedAt: Timestamp? = nil) {
        self.kind = kind
        self.void = void
        self.countedAt = countedAt ?? kind.ownTime
    }

    /// Whether it is void and counts in no total.
    package var isVoid: Bool { void != nil }

    /// Its position in the journal.
    package var id: Position {
        switch kind {
        case .entry(let entry): entry.id
        case .correction(let correction): correction.id
        case .reset(let reset), .endOfDay(let reset, _): reset.id
        case .setting(let change): change.id
        }
    }

    /// Its location in the list's order.
    package var anchor: HistoryAnchor { HistoryAnchor(time: countedAt, position: id) }
}

extension HistoryRow.Kind {
    fileprivate var ownTime: Timestamp {
        switch self {
        case .entry(let entry): entry.countedAt
        case .correction(let correction): correction.countedAt
        case .reset(let reset), .endOfDay(let reset, _): reset.timestamp.counted(receivedAt: reset.receivedAt)
        case .setting(let change): change.timestamp.counted(receivedAt: change.receivedAt)
        }
    }
}

/// Who took a row back, and when.
package struct VoidMark: Hashable, Sendable {
    /// The user; nil where a gesture or a device did.
    package let userId: String?
    /// When, by the clock that counts.
    package let time: Timestamp

    /// Creates a mark.
    package init(userId: String?, time: Timestamp) {
        self.userId = userId
        self.time = time
    }
}

/// A change of a location's property.
package struct SettingChange: Identifiable, Hashable, Sendable {
    /// Its position in the journal.
    package let id: Position
    /// The user who changed it; nil where unknown.
    package let userId: String?
    /// When it was changed, by the user's clock and by this machine's.
    package let timestamp, receivedAt: Timestamp
    /// The property and its new value.
    package let setting: LocationSetting

    /// Creates a change as a journal stores it.
    package init(
        id: Position, userId: String?, timestamp: Timestamp, receivedAt: Timestamp, setting: LocationSetting
    ) {
        self.id = id
        self.userId = userId
        self.timestamp = timestamp
        self.receivedAt = receivedAt
        self.setting = setting
    }
}

/// A location in a list of history rows, which are ordered by the time at which they count, then by position.
package struct HistoryAnchor: Hashable, Comparable, Sendable {
    /// The time at which the row counts.
    package let time: Timestamp
    /// The row's position in the journal.
    package let position: Position

    /// Creates an anchor.
    package init(time: Timestamp, position: Position) {
        self.time = time
        self.position = position
    }

    /// Whether one anchor is before another one.
    package static func < (left: HistoryAnchor, right: HistoryAnchor) -> Bool {
        (left.time, left.position) < (right.time, right.position)
    }
}

/// Selects rows of a history.
package struct HistoryPage: Hashable, Sendable {
    /// The range of time.
    package let range: Range<Timestamp>
    /// The row next to the page; it is not part of the page. nil stands for the range's end or, forward, for its start.
    package let anchor: HistoryAnchor?
    /// Whether the page is the rows before the anchor; otherwise it is those after it.
    package let isBackward: Bool
    /// The maximum number of rows; 1 or more.
    package let limit: Int

    /// Creates a page.
    package init(range: Range<Timestamp>, anchor: HistoryAnchor? = nil, isBackward: Bool, limit: Int) {
        self.range = range
        self.anchor = anchor
        self.isBackward = isBackward
        self.limit = limit
    }
}
