package import Linux

/// One count of the journal: one in or one out.
package struct Entry: Identifiable, Hashable, Codable, Sendable {
    /// The entry's position in the journal.
    package let id: Position
    /// The location whose level it moves.
    package let locationId: Identifier
    /// The user who did it; nil for a device.
    package let userId: String?
    /// When it happened, by the reporter's clock.
    package let timestamp: Timestamp
    /// When this journal received it, by our clock.
    package let receivedAt: Timestamp
    /// In or out.
    package let type: EntryType
    /// The device that reported it.
    package let deviceId: Identifier
    /// Hardware, manual or import.
    package let source: EventSource
    /// The device's own number for it, where the device numbers its events.
    package let sequenceNumber: Int?
    /// Whether it is a repeat of the same hold as this device's previous entry.
    package let continuesHold: Bool
    /// The reason given for a count by hand; nil where there is none.
    package let reason: String?

    /// The change of the level: +1 or -1.
    package var delta: Int { type.delta }

    /// When it counts: `timestamp`, or `receivedAt` where `timestamp` is later.
    package var countedAt: Timestamp { timestamp.counted(receivedAt: receivedAt) }

    /// Creates an entry as a journal stores it. To append one, use a `Request`.
    package init(
        id: Position, locationId: Identifier, userId: String? = nil, timestamp: Timestamp,
        receivedAt: Timestamp,
        type: EntryType, deviceId: Identifier, source: EventSource, sequenceNumber: Int? = nil,
        continuesHold: Bool = false, reason: String? = nil
    ) {
        self.id = id
        self.locationId = locationId
        self.userId = userId
        self.timestamp = timestamp
        self.receivedAt = receivedAt
        self.type = type
        self.deviceId = deviceId
        self.source = source
        self.sequenceNumber = sequenceNumber
        self.continuesHold = continuesHold
        self.reason = reason
    }
}

/// The direction of an entry.
package enum EntryType: String, Codable, Sendable, CaseIterable {
    /// One more: a delta of +1.
    case `in`
    /// One fewer: a delta of -1.
    case out

    /// The change of the level: +1 or -1.
    package var delta: Int {
        switch self {
        case .in: 1
        case .out: -1
        }
    }

    /// The type with this delta; nil where there is none.
    ///
    /// - parameter delta: +1 or -1; any other number gives nil.
    package init?(delta: Int) {
        switch delta {
        case 1: self = .in
        case -1: self = .out
        default: return nil
        }
    }
}

/// Where an entry came from.
package enum EventSource: String, Codable, Sendable, CaseIterable {
    /// A device: a volume key, a remote, a door counter.
    case hardware
    /// A person, by hand: a key of the terminal, a subcommand.
    case manual
    /// A file.
    case `import`
}
