/// One row of a location's history, as a list shows it.
public struct HistoryRow: Identifiable, Hashable, Sendable {
    /// The kinds of rows.
    public enum Kind: Hashable, Sendable {
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
    public let kind: Kind
    /// Who took it back and when; nil where it counts.
    public let void: VoidMark?
    /// When it counts: at its own time, but no earlier than the reset that it comes after.
    public let countedAt: Timestamp

    /// Creates a row; `countedAt` is nil where it counts at its own time.
    public init(_ kind: Kind, void: VoidMark? = nil, countedAt: Timestamp? = nil) {
        self.kind = kind
        self.void = void
        self.countedAt = countedAt ?? kind.ownTime
    }

    /// Whether it is void and counts in no total.
    public var isVoid: Bool { void != nil }

    /// Its position in the journal.
    public var id: Position {
        switch kind {
        case .entry(let entry): entry.id
        case .correction(let correction): correction.id
        case .reset(let reset), .endOfDay(let reset, _): reset.id
        case .setting(let change): change.id
        }
    }

    /// Its location in the list's order.
    public var anchor: HistoryAnchor { HistoryAnchor(time: countedAt, position: id) }
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
public struct VoidMark: Hashable, Sendable {
    /// The user; nil where a gesture or a device did.
    public let userId: String?
    /// When, by the clock that counts.
    public let time: Timestamp

    /// Creates a mark.
    public init(userId: String?, time: Timestamp) {
        self.userId = userId
        self.time = time
    }
}

/// A change of a location's property.
public struct SettingChange: Identifiable, Hashable, Sendable {
    /// Its position in the journal.
    public let id: Position
    /// The user who changed it; nil where unknown.
    public let userId: String?
    /// When it was changed, by the user's clock and by this machine's.
    public let timestamp, receivedAt: Timestamp
    /// The property and its new value.
    public let setting: LocationSetting

    /// Creates a change as a journal stores it.
    public init(
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
public struct HistoryAnchor: Hashable, Comparable, Sendable {
    /// The time at which the row counts.
    public let time: Timestamp
    /// The row's position in the journal.
    public let position: Position

    /// Creates an anchor.
    public init(time: Timestamp, position: Position) {
        self.time = time
        self.position = position
    }

    /// Whether one anchor is before another one.
    public static func < (left: HistoryAnchor, right: HistoryAnchor) -> Bool {
        (left.time, left.position) < (right.time, right.position)
    }
}

/// Selects rows of a history.
public struct HistoryPage: Hashable, Sendable {
    /// The range of time.
    public let range: Range<Timestamp>
    /// The row next to the page; it is not part of the page. nil stands for the range's end or, forward, for its start.
    public let anchor: HistoryAnchor?
    /// Whether the page is the rows before the anchor; otherwise it is those after it.
    public let isBackward: Bool
    /// The maximum number of rows; 1 or more.
    public let limit: Int

    /// Creates a page.
    public init(range: Range<Timestamp>, anchor: HistoryAnchor? = nil, isBackward: Bool, limit: Int) {
        self.range = range
        self.anchor = anchor
        self.isBackward = isBackward
        self.limit = limit
    }
}
