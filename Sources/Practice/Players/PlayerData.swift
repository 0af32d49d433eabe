public import CounterModel

/// Everything that is kept about a player.
public struct PlayerData: Hashable, Sendable {
    /// Identifies the player; never changes.
    public let id: String
    /// Shown and spoken.
    public var name: String
    /// The raw value of an ``Avatar``.
    public var avatarName: String
    /// When the grown-up made the player.
    public let createdAt: Timestamp

    /// The balance, 0 or more: the sum of all ``CoinEntry`` rows.
    public internal(set) var coins: Int
    /// The sum of the rows that are above 0.
    public internal(set) var totalCoinsEarned: Int
    /// Days in a row with a solved level.
    public internal(set) var consecutiveDays: Int
    /// The local day of the last solved level.
    public internal(set) var lastSolvedDay: CalendarDate?
    /// The end of the last session or level.
    public internal(set) var lastPlayedDate: Timestamp?

    /// By activity; no entry before the first level.
    public var activityProgress: [ActivityType: ActivityProgress] = [:]
    /// What was played and watched today.
    public var today = PlayDay()
    /// What the program has learnt.
    public var learningProfile = LearningProfile()
    /// The activities in the order of home.
    public var preferredActivities: [ActivityType] = []

    /// A new player.
    public init(id: String, name: String, avatar: Avatar, createdAt: Timestamp) {
        self.init(
            id: id, name: name, avatarName: avatar.rawValue, createdAt: createdAt, coins: 0,
            totalCoinsEarned: 0,
            consecutiveDays: 0, lastSolvedDay: nil, lastPlayedDate: nil)
    }

    /// A player as stored.
    public init(
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
    public var todayPlayTimeMinutes: Int { Int(today.played.components.seconds / 60) }
    /// Levels solved today.
    public var todayActivitiesCompleted: Int { today.activitiesCompleted }
    /// Videos watched today.
    public var todayVideosWatched: [VideoRecord] { today.videosWatched }

    /// The progress in an activity; a new one before the first level.
    public func progress(in activity: ActivityType) -> ActivityProgress {
        activityProgress[activity] ?? ActivityProgress(activityType: activity)
    }
}
