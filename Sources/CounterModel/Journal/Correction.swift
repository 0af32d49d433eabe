public import System

/// A row of the journal that moves a level by a difference, though nobody came or went.
public struct Correction: Identifiable, Hashable, Codable, Sendable {
    /// The correction's position in the journal.
    public let id: Position
    /// The location whose level it moves.
    public let locationId: Identifier
    /// The user who made it; nil where unknown.
    public let userId: String?
    /// When it was made, by the reporter's clock.
    public let timestamp: Timestamp
    /// When this journal received it, by our clock.
    public let receivedAt: Timestamp
    /// Where it was entered.
    public let deviceId: Identifier
    /// The change of the level, not 0.
    public let difference: Int
    /// The location's level when the correction was appended; nil in a row of an earlier version.
    public let levelBefore: Int?
    /// Why; nil where there is none.
    public let reason: String?

    /// The level right after it; nil where `levelBefore` is.
    public var levelAfter: Int? {
        levelBefore.flatMap { level in
            let (sum, overflow) = level.addingReportingOverflow(difference)
            return overflow ? nil : sum
        }
    }

    /// The levels before and after it, `50 → 45`; where they are not known the difference, `+3`.
    ///
    /// - parameter arrow: What stands for the arrow where it cannot be shown.
    /// - returns: The words.
    public func words(arrow: String = "→") -> String {
        guard let levelBefore, let levelAfter else {
            return difference > 0 ? "+\(difference)" : "\(difference)"
        }
        return "\(levelBefore) \(arrow) \(levelAfter)"
    }

    /// When it counts: `timestamp`, or `receivedAt` where `timestamp` is later.
    public var countedAt: Timestamp { timestamp.counted(receivedAt: receivedAt) }

    /// Creates a correction as a journal stores it. To append one, use a `Request`.
    public init(
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
