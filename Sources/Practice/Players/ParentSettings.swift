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

    /// Whether a player may not choose an activity.
    public func isLocked(_ activity: ActivityType, for playerId: String) -> Bool {
        lockedActivities[playerId]?.contains(activity) ?? false
    }
}
