package import CounterModel

package struct AppSettings: Hashable, Sendable {
    package var lastActivePlayerId: String?
    /// Set while a session runs; one that is still set at the start was not ended.
    package var currentSessionStartTime: Timestamp?
    package var audioEnabled = true
    /// 0.0...1.0.
    package var voiceVolume: Float = 1.0, effectsVolume: Float = 0.7
    package var parentSettings = ParentSettings()
    /// The version that wrote the file.
    package var appVersion: String
    /// The last start, and how many there were.
    package var lastLaunchDate: Timestamp?, totalLaunches = 0

    /// Removes all that the settings say about a player.
    package mutating func forget(player id: String) {
        parentSettings.lockedActivities[id] = nil
        parentSettings.dailyTimeLimits[id] = nil
        if lastActivePlayerId == id { lastActivePlayerId = nil }
    }
}

/// What the grown-up decides.
package struct ParentSettings: Hashable, Sendable {
    /// The limits that can be chosen, in minutes per day.
    static let dailyLimits = 0...1440

    /// Minutes per day, by player; an hour for a player without an entry.
    package var dailyTimeLimits: [String: Int] = [:]
    package var lockedActivities: [String: [ActivityType]] = [:]
    package var approvedVideos: [ApprovedVideo] = []
    /// Whether the first video of the treasure starts without a choice.
    package var videoAutoplay = false
    /// Rewards that the grown-up gives, such as an ice cream.
    package var rewards: [Reward] = []

    package init() {}

    package func dailyMinutes(of playerId: String) -> Int { dailyTimeLimits[playerId] ?? 60 }

    package func video(_ id: String) -> ApprovedVideo? { approvedVideos.first { $0.id == id } }

    mutating func change(video id: String, _ change: (inout ApprovedVideo) -> Void) {
        for index in approvedVideos.indices where approvedVideos[index].id == id {
            change(&approvedVideos[index])
        }
    }

    /// A video that is approved already keeps what is known about it.
    mutating func approve(_ video: ApprovedVideo, price: Int) {
        if self.video(video.id) == nil { approvedVideos.append(video) }
        change(video: video.id) { ($0.title, $0.price) = (video.title, price) }
    }

    /// Offers a reward. One of the same name gets its price.
    mutating func offer(_ reward: Reward) {
        if let index = rewards.firstIndex(where: { $0.name == reward.name }) {
            rewards[index] = reward
        } else {
            rewards.append(reward)
        }
    }

    mutating func toggleLock(of activity: ActivityType, for playerId: String) {
        let others = (lockedActivities[playerId] ?? []).filter { $0 != activity }
        lockedActivities[playerId] = isLocked(activity, for: playerId) ? others : others + [activity]
    }

    package func isLocked(_ activity: ActivityType, for playerId: String) -> Bool {
        lockedActivities[playerId]?.contains(activity) ?? false
    }
}
