package import Linux

/// A row of the journal that moves a level by a difference, though nobody came or went.
package struct Correction: Identifiable, Hashable, Codable, Sendable {
    /// The correction's position in the journal.
    package let id: Position
    /// The location whose level it moves.
    package let locationId: Identifier
    /// The user who made it; nil where unknown.
    package let userId: String?
    /// When it was made, by the reporter's clock.
    package let timestamp: Timestamp
    /// When this journal received it, by our clock.
    package let receivedAt: Timestamp
    /// Where it was entered.
    package let deviceId: Identifier
    /// The change of the level, not 0.
    package let difference: Int
    /// The location's level when the correction was appended; nil in a row of an earlier version.
    package let levelBefore: Int?
    /// Why; nil where there is none.
    package let reason: String?

    /// The level right after it; nil where `levelBefore` is.
    package var levelAfter: Int? {
        levelBefore.flatMap { level in
            let (sum, overflow) = level.addingReportingOverflow(difference)
            return overflow ? nil : sum
        }
    }

    /// The levels before and after it, `50 → 45`; where they are not known the difference, `+3`.
    ///
    /// - parameter arrow: What stands for the arrow where it cannot be shown.
    /// - returns: The words.
    package func words(arrow: String = "→") -> String {
        guard let levelBefore, let levelAfter else {
            return difference > 0 ? "+\(difference)" : "\(difference)"
        }
        return "\(levelBefore) \(arrow) \(levelAfter)"
    }

    /// When it counts: `timestamp`, or `receivedAt` where `timestamp` is later.
    package var countedAt: Timestamp { timestamp.counted(receivedAt: receivedAt) }

    /// Creates a correction as a journal stores it. To append one, use a `Request`.
    package init(
        id: Position, locationId: Identifier, userId: String? = nil, timestamp: Timestamp,
        receivedAt: Timestamp,
        deviceId: Identifier, difference: Int, levelBefore: Int?, reason: String?
    ) {
        self.id = id
        self.locationId = locationId
        self.userId = userId
        self.timestamp = timestamp
        self.receivedAt = receivedAt
        self.deviceId = deviceId
        self.difference = difference
        self.levelBefore = levelBefore
        self.reason = reason
    }
}
