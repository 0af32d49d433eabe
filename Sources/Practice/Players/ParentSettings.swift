/// What the grown-up decides.
public struct ParentSettings: Hashable, Sendable {
    /// Minutes per day, by player; ``standardDailyTimeLimit`` for a player without an entry.
    public var dailyTimeLimits: [String: Int] = [:]
    /// Activities that a player may not choose.
    public var lockedActivities: [String: [ActivityType]] = [:]
    /// The videos in the treasure.
    public var approvedVideos: [ApprovedVideo] = []
    /// Whether the first video of the treasure starts without a choice.
    public var videoAutoplay = false
    /// Rewards that the grown-up gives, such as an ice cream.
    public var rewards: [Reward] = []

    /// In minutes.
    public static let standardDailyTimeLimit = 60

    /// The settings of a new installation.
    public init() {}

    /// The limit of a player.
    public func dailyLimit(of playerId: String) -> DailyLimit {
        DailyLimit(minutes: dailyTimeLimits[playerId] ?? Self.standardDailyTimeLimit)
    }

    /// The approved video of an ID.
    public func video(_ id: String) -> ApprovedVideo? { approvedVideos.first { $0.id == id } }

    /// Offers a reward. One of the same name gets its price.
    public mutating func offer(_ reward: Reward) {
        if let index = rewards.firstIndex(where: { $0.name == reward.name }) {
            rewards[index] = reward
        } else {
            rewards.append(reward)
        }
    }

    /// Whether a player may not choose an activity.
    public func isLocked(_ activity: ActivityType, for playerId: String) -> Bool {
        lockedActivities[playerId]?.contains(activity) ?? false
    }
}
