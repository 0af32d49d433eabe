/// What the grown-up decides.
package struct ParentSettings: Hashable, Sendable {
    /// Minutes per day, by player; ``standardDailyTimeLimit`` for a player without an entry.
    package var dailyTimeLimits: [String: Int] = [:]
    /// Activities that a player may not choose.
    package var lockedActivities: [String: [ActivityType]] = [:]
    /// The videos in the treasure.
    package var approvedVideos: [ApprovedVideo] = []
    /// Whether the first video of the treasure starts without a choice.
    package var videoAutoplay = false
    /// Rewards that the grown-up gives, such as an ice cream.
    package var rewards: [Reward] = []

    /// In minutes.
    package static let standardDailyTimeLimit = 60

    /// The settings of a new installation.
    package init() {}

    /// The limit of a player.
    package func dailyLimit(of playerId: String) -> DailyLimit {
        DailyLimit(minutes: dailyTimeLimits[playerId] ?? Self.standardDailyTimeLimit)
    }

    /// The approved video of an ID.
    package func video(_ id: String) -> ApprovedVideo? { approvedVideos.first { $0.id == id } }

    /// Offers a reward. One of the same name gets its price.
    package mutating func offer(_ reward: Reward) {
        if let index = rewards.firstIndex(where: { $0.name == reward.name }) {
            rewards[index] = reward
        } else {
            rewards.append(reward)
        }
    }

    /// Whether a player may not choose an activity.
    package func isLocked(_ activity: ActivityType, for playerId: String) -> Bool {
        lockedActivities[playerId]?.contains(activity) ?? false
    }
}
