package import Linux

/// The identity of a row, the same in every journal that has it: the journal it was first appended to, and its position
/// there.
package struct RowIdentity: Hashable, Sendable {
    /// The id of that journal.
    package let journalId: String
    /// The row's position there; `.start` stands for "before the first row".
    package let position: Position

    /// Creates an identity.
    package init(journalId: String, position: Position) {
        self.journalId = journalId
        self.position = position
    }
}

extension RowIdentity {
    private static let prefix = "journal:"

    /// The identity as a journal that takes the row over stores it: like a line of a file.
    package var line: ImportLine {
        ImportLine(fileHash: Self.prefix + journalId, number: Int(position.number))
    }

    /// The row that a stored line stands for; nil if it is a line of a file.
    package init?(_ line: ImportLine) {
        guard line.fileHash.hasPrefix(Self.prefix) else { return nil }
        self.init(
            journalId: String(line.fileHash.dropFirst(Self.prefix.count)),
            position: Position(Int64(line.number)))
    }

    /// The identity as one word: `JOURNAL:POSITION`.
    package var text: String { "\(journalId):\(position.number)" }

    /// Reads an identity as `text` writes it; nil where it is none.
    package init?(text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let position = Int64(text[text.index(after: colon)...]), position > 0
        else { return nil }
        self.init(journalId: String(text[..<colon]), position: Position(position))
    }
}

/// What the originating journal stores about a row, so that the row counts the same way in a journal that takes it over.
package struct RowOrigin: Hashable, Sendable {
    /// The row's identity. Taking the same row over again changes nothing.
    package let identity: RowIdentity
    /// When the originating journal received it, by the clock of its machine.
    package let receivedAt: Timestamp
    /// The reset after which the row counts, even where later resets stand before the row; nil where it counts at its own
    /// position.
    package let lateAfter: RowIdentity?
    /// The row that it voids, for a void.
    package let target: RowIdentity?

    /// Creates an origin.
    package init(
        identity: RowIdentity, receivedAt: Timestamp, lateAfter: RowIdentity? = nil,
        target: RowIdentity? = nil
    ) {
        self.identity = identity
        self.receivedAt = receivedAt
        self.lateAfter = lateAfter
        self.target = target
    }
}

/// A row of a journal, of any kind, in the form in which another journal can take it over.
package struct FeedRow: Identifiable, Hashable, Sendable {
    /// Its position in the journal that sends it.
    package let id: Position
    /// The request that appends the same row to another journal. It has an origin.
    package let request: Request
    /// Where the row was first appended; usually the journal that sends it.
    package let origin: RowOrigin
    /// The level of its location, where this is the location's last row; nil otherwise.
    package let level: Int?
    /// Whether its location has a capacity at the present.
    package let isOccupancy: Bool
    /// The number to show for the level: of an occupancy never below 0.
    package var count: Int? { level.map { isOccupancy ? max(0, $0) : $0 } }

    /// Creates a row.
    package init(
        id: Position, locationId: Identifier, userId: String?, timestamp: Timestamp, change: Change,
        origin: RowOrigin, level: Int?, isOccupancy: Bool = false
    ) {
        self.id = id
        self.origin = origin
        self.level = level
        self.isOccupancy = isOccupancy
        request = Request(
            locationId: locationId, userId: userId, timestamp: timestamp, change: change, origin: origin)
    }
}
