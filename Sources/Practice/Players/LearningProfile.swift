public import CounterModel

/// What the program has learnt about a player, over all activities. `update(with:)` changes it after each level and each session.
public struct LearningProfile: Hashable, Sendable {
    /// Exponential average over solved levels.
    public var averageSolveTime = Duration.seconds(30)
    /// Mistakes per level, an exponential average over levels.
    public var mistakeFrequency = 0.0
    /// The share of levels that were quit, 0.0...1.0, an exponential average over levels.
    public var quitRate = 0.0
    /// Exponential average over sessions.
    public var sessionDuration = Duration.seconds(600)

    /// Hints per level, an exponential average over levels.
    public var hintUsageRate = 0.0
    /// Whether "Go on" was pressed quickly in the last session.
    public var celebrationEngagement = true
    /// How many levels of each activity were played.
    public var preferredActivityTypes: [ActivityType: Int] = [:]
    /// How many sessions began in each local hour, 0...23.
    public var timeOfDayPreference: [Int: Int] = [:]

    /// The mean of the activities' difficulties, 0.0...1.0.
    public var globalDifficultyLevel: Float = 0.3
    /// Rows and columns of the pattern, 3...6.
    public var puzzleGridSizePreference = 3
    /// 2...4.
    public var puzzleColorCount = 2
    /// 0.0...1.0.
    public var labyrinthComplexity: Float = 0.2
    /// The largest number: 10 or 20.
    public var numberRange = 10

    /// Whether levels after a hint go better than those before it. If not, the program repeats the task instead of giving a
    /// hint, until the fifth mistake.
    public var respondsWellToHints = true
    /// Whether more than a third of the last ten levels were quit. If so, each right step is praised, on the screen and aloud.
    public var needsMoreEncouragement = false
    /// Whether sessions take under ten minutes on average. If so, home proposes a break after ten minutes.
    public var prefersShortSessions = false

    /// The last levels, oldest first, at most ``recentLevelLimit``.
    public var recentLevels: [LevelResult] = []
    /// The end of the last level or session; `nil` before the first one.
    public var lastUpdated: Timestamp?

    /// How many levels `recentLevels` keeps.
    public static let recentLevelLimit = 40

    /// The profile of a new player.
    public init() {}
}
