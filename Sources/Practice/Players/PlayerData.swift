package import CounterModel

/// Everything that is kept about a player.
package struct PlayerData: Hashable, Sendable {
    /// Identifies the player; never changes.
    package let id: String
    /// Shown and spoken.
    package var name: String
    /// The raw value of an ``Avatar``.
    package var avatarName: String
    /// When the grown-up made the player.
    package let createdAt: Timestamp

    /// The balance, 0 or more: the sum of all ``CoinEntry`` rows.
    package internal(set) var coins: Int
    /// The sum of the rows that are above 0.
    package internal(set) var totalCoinsEarned: Int
    /// Days in a row with a solved level.
    package internal(set) var consecutiveDays: Int
    /// The local day of the last solved level.
    package internal(set) var lastSolvedDay: CalendarDate?
    /// The end of the last session or level.
    package internal(set) var lastPlayedDate: Timestamp?

    /// By activity; no entry before the first level.
    package var activityProgress: [ActivityType: ActivityProgress] = [:]
    /// What was played and watched today.
    package var today = PlayDay()
    /// What the program has learnt.
    package var learningProfile = LearningProfile()
    /// The activities in the order of home.
    package var preferredActivities: [ActivityType] = []

    /// A new player.
    package init(id: String, name: String, avatar: Avatar, createdAt: Timestamp) {
        self.init(
            id: id, name: name, avatarName: avatar.rawValue, createdAt: createdAt, coins: 0,
            totalCoinsEarned: 0,
            consecutiveDays: 0, lastSolvedDay: nil, lastPlayedDate: nil)
    }

    /// A player as stored.
    package init(
        id: String, name: String, avatarName: String, createdAt: Timestamp, coins: Int, totalCoinsEarned: Int,
        consecutiveDays: Int, lastSolvedDay: CalendarDate?, lastPlayedDate: Timestamp?
    ) {
        self.id = id
        self.name = name
        self.avatarName = avatarName
        self.createdAt = createdAt
        self.coins = max(0, coins)
        self.totalCoinsEarned = totalCoinsEarned
        self.consecutiveDays = consecutiveDays
        self.lastSolvedDay = lastSolvedDay
        self.lastPlayedDate = lastPlayedDate
    }

    /// Minutes played today, rounded down. After midnight it is yesterday's until `today.begin(at:in:)`.
    package var todayPlayTimeMinutes: Int { Int(today.played.components.seconds / 60) }
    /// Levels solved today.
    package var todayActivitiesCompleted: Int { today.activitiesCompleted }
    /// Videos watched today.
    package var todayVideosWatched: [VideoRecord] { today.videosWatched }

    /// The progress in an activity; a new one before the first level.
    package func progress(in activity: ActivityType) -> ActivityProgress {
        activityProgress[activity] ?? ActivityProgress(activityType: activity)
    }
}
