/// One thing asked of the journal, for one location.
public struct Request: Hashable, Sendable {
    /// The location it is about.
    public let locationId: String
    /// Who asks; nil where a device does.
    public let userId: String?
    /// When it happened, by the clock of what reports it.
    public let timestamp: Timestamp
    /// What is asked.
    public let change: Change
    /// Where it stands in another journal, of which it is a row; nil for what is new.
    public let origin: RowOrigin?

    /// Creates a request.
    public init(
        locationId: String, userId: String? = nil, timestamp: Timestamp, change: Change,
        origin: RowOrigin? = nil
    ) {
        self.locationId = locationId
        self.userId = userId
        self.timestamp = timestamp
        self.change = change
        self.origin = origin
    }
}

/// What can be asked of the journal.
public enum Change: Hashable, Sendable {
    /// A count.
    case entry(NewEntry)
    /// So many counts by hand, 1 or more, which are one change: all of them are made or, as `CorrectionRule` says, none.
    case correction(NewEntry, count: Int)
    /// A gesture takes this one entry back. Taking back what is void already has no effect. A void of another journal
    /// takes back the `target` of its origin, whatever stands at this position here.
    case void(Position)
    /// The level is set to an absolute value.
    case reset(NewReset)
    /// The operational day ends: what it came to is archived, and the level becomes 0.
    case endOfDay(DaySnapshot)
    /// A property of the location changes.
    case setting(LocationSetting)
    /// The location's last change that is not void is taken back: a count, a whole hold, or a reset.
    case undo
}

/// A count that is to be appended.
public struct NewEntry: Hashable, Sendable {
    /// In or out.
    public let type: EntryType
    /// The source or device that reports it. A device that is not known yet becomes known by it.
    public let deviceId: String
    /// Hardware, manual or import.
    public let source: EventSource
    /// The device's own number for it, any `Int`: the same number with the same content is the same event.
    public let sequenceNumber: Int?
    /// Whether it repeats the same hold as this device's entry before it.
    public let continuesHold: Bool
    /// The line it was read from, for `EventSource.import`.
    public let line: ImportLine?
    /// Why somebody counts it by hand; nil where nobody says.
    public let reason: String?

    /// Creates a count.
    public init(
        type: EntryType, deviceId: String, source: EventSource, sequenceNumber: Int? = nil,
        continuesHold: Bool = false, line: ImportLine? = nil, reason: String? = nil
    ) {
        self.type = type
        self.deviceId = deviceId
        self.source = source
        self.sequenceNumber = sequenceNumber
        self.continuesHold = continuesHold
        self.line = line
        self.reason = reason
    }
}

extension NewEntry {
    /// The same count as the first of a hold, or as one that goes on with it.
    public func continuing(_ continuesHold: Bool) -> NewEntry {
        NewEntry(
            type: type, deviceId: deviceId, source: source, sequenceNumber: sequenceNumber,
            continuesHold: continuesHold, line: line, reason: reason)
    }
}

/// A reset that is to be appended.
public struct NewReset: Hashable, Sendable {
    /// The level from then on; any `Int`.
    public let value: Int
    /// The device whose keys ask for it; nil where it is asked for otherwise.
    public let deviceId: String?
    /// The line it was read from, where it comes from a file.
    public let line: ImportLine?

    /// Creates a reset.
    public init(to value: Int, deviceId: String? = nil, line: ImportLine? = nil) {
        self.value = value
        self.deviceId = deviceId
        self.line = line
    }
}

/// What identifies something that was read from a file: the same line of the same file is the same event.
public struct ImportLine: Hashable, Sendable {
    /// A hash of the whole file's content, in any fixed spelling.
    public let fileHash: String
    /// The number of the line, from 1.
    public let number: Int

    /// Creates an identity.
    public init(fileHash: String, number: Int) {
        self.fileHash = fileHash
        self.number = number
    }
}
