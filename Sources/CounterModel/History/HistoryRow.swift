/// One row of a location's history, as a list shows it.
public struct HistoryRow: Identifiable, Hashable, Sendable {
    /// What stands there.
    public enum Kind: Hashable, Sendable {
        /// A count.
        case entry(Entry)
        /// A level that was set.
        case reset(Reset)
        /// The end of a day.
        case endOfDay(Reset)
        /// A property of the location that changed.
        case setting(SettingChange)
    }

    /// What stands there.
    public let kind: Kind
    /// Whether it has been taken back, and is in no total.
    public let isVoid: Bool
    /// When it counts: at its own time, but no earlier than the reset that it comes after.
    public let countedAt: Timestamp

    /// Creates a row; `countedAt` is nil where it counts at its own time.
    public init(_ kind: Kind, isVoid: Bool, countedAt: Timestamp? = nil) {
        self.kind = kind
        self.isVoid = isVoid
        self.countedAt = countedAt ?? kind.ownTime
    }

    /// Its position in the journal.
    public var id: Position {
        switch kind {
        case .entry(let entry): entry.id
        case .reset(let reset), .endOfDay(let reset): reset.id
        case .setting(let change): change.id
        }
    }

    /// Where it stands among the others.
    public var anchor: HistoryAnchor { HistoryAnchor(time: countedAt, position: id) }
}

extension HistoryRow.Kind {
    fileprivate var ownTime: Timestamp {
        switch self {
        case .entry(let entry): entry.countedAt
        case .reset(let reset), .endOfDay(let reset): reset.timestamp.counted(receivedAt: reset.receivedAt)
        case .setting(let change): change.timestamp.counted(receivedAt: change.receivedAt)
        }
    }
}

/// A property of a location that somebody changed.
public struct SettingChange: Identifiable, Hashable, Sendable {
    /// Its position in the journal.
    public let id: Position
    /// Who changed it; nil where that is not known.
    public let userId: String?
    /// When, by the clock of who changed it and by ours.
    public let timestamp, receivedAt: Timestamp
    /// What it is from then on.
    public let setting: LocationSetting

    /// Creates a change as a journal holds it.
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

/// A place in a list of history: rows are ordered by the time at which they count, then by position.
public struct HistoryAnchor: Hashable, Comparable, Sendable {
    /// The time.
    public let time: Timestamp
    /// The position.
    public let position: Position

    /// Creates a place.
    public init(time: Timestamp, position: Position) {
        self.time = time
        self.position = position
    }

    /// Whether one place comes before another one.
    public static func < (left: HistoryAnchor, right: HistoryAnchor) -> Bool {
        (left.time, left.position) < (right.time, right.position)
    }
}

/// Which rows of a history are wanted.
public struct HistoryPage: Hashable, Sendable {
    /// From when to when.
    public let range: Range<Timestamp>
    /// The row that the page is next to, which is not in it; nil for the range's end, or its start.
    public let anchor: HistoryAnchor?
    /// Whether the rows before the anchor are wanted instead of those after it.
    public let isBackward: Bool
    /// How many at most; 1 or more.
    public let limit: Int

    /// Creates a page.
    public init(range: Range<Timestamp>, anchor: HistoryAnchor? = nil, isBackward: Bool, limit: Int) {
        self.range = range
        self.anchor = anchor
        self.isBackward = isBackward
        self.limit = limit
    }
}
