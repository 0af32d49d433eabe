package import Linux

/// One change to append to the journal, for one location.
package struct Request: Hashable, Sendable {
    /// The id of the location.
    package let locationId: Identifier
    /// The user who asks; nil for a device.
    package let userId: String?
    /// When it happened, by the reporter's clock.
    package let timestamp: Timestamp
    /// The change.
    package let change: Change
    /// The row's origin in another journal; nil for a new row.
    package let origin: RowOrigin?

    /// Creates a request.
    package init(
        locationId: Identifier, userId: String? = nil, timestamp: Timestamp, change: Change,
        origin: RowOrigin? = nil
    ) {
        self.locationId = locationId
        self.userId = userId
        self.timestamp = timestamp
        self.change = change
        self.origin = origin
    }
}

/// The changes that can be appended to the journal.
package enum Change: Hashable, Sendable {
    /// A count.
    case entry(NewEntry)
    /// `count` counts, 1 or more, as one change: all of them are made, or none. For those by hand see `ManualChangeRule`.
    case entries(NewEntry, count: Int)
    /// Moves the level without anybody having come or gone: the level changes, the totals in and out do not.
    case correction(NewCorrection)
    /// A gesture voids this one entry. Voiding a void entry has no effect. A void of another journal voids the `target` of
    /// its origin, and this position is ignored.
    case void(Position)
    /// A gesture voids the entries of one press, at consecutive positions: all of them that are not void, or none.
    case voidPress(ClosedRange<Position>)
    /// Sets the level to an absolute value.
    case reset(NewReset)
    /// Ends the operational day: the snapshot is archived, and the level becomes 0.
    case endOfDay(DaySnapshot)
    /// Changes a property of the location.
    case setting(LocationSetting)
    /// Something happened to a timer or a preset. The text says what; this module does not read it, and it moves no level.
    case timerEvent(String)
    /// Voids the location's last change within a scope that is not void: a count, a whole hold, a correction, or a reset.
    case undo(UndoScope)
}

/// A count to append.
package struct NewEntry: Hashable, Sendable {
    /// In or out.
    package let type: EntryType
    /// The device that reports it. An unknown device is added to the journal's devices.
    package let deviceId: Identifier
    /// Hardware, manual or import.
    package let source: EventSource
    /// The device's own number for it, any `Int`. An event with the same number and the same content is a duplicate.
    package let sequenceNumber: Int?
    /// Whether it is a repeat of the same hold as this device's previous entry.
    package let continuesHold: Bool
    /// The line it was read from; for `EventSource.import`.
    package let line: ImportLine?
    /// The reason for a count by hand; nil where there is none.
    package let reason: String?

    /// Creates a count.
    package init(
        type: EntryType, deviceId: Identifier, source: EventSource, sequenceNumber: Int? = nil,
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
    /// The same count with another `continuesHold`.
    package func continuing(_ continuesHold: Bool) -> NewEntry {
        NewEntry(
            type: type, deviceId: deviceId, source: source, sequenceNumber: sequenceNumber,
            continuesHold: continuesHold, line: line, reason: reason)
    }
}

/// A reset to append.
package struct NewReset: Hashable, Sendable {
    /// The level from then on; any `Int`.
    package let value: Int
    /// The device whose keys requested it; nil where no device did.
    package let deviceId: Identifier?
    /// The line it was read from; nil where it is not from a file.
    package let line: ImportLine?

    /// Creates a reset.
    package init(to value: Int, deviceId: Identifier? = nil, line: ImportLine? = nil) {
        self.value = value
        self.deviceId = deviceId
        self.line = line
    }
}

/// The identity of an imported line: the same line of the same file is the same event.
package struct ImportLine: Hashable, Sendable {
    /// A hash of the whole file's content, in any fixed spelling.
    package let fileHash: String
    /// The number of the line, from 1.
    package let number: Int

    /// Creates an identity.
    package init(fileHash: String, number: Int) {
        self.fileHash = fileHash
        self.number = number
    }
}
