package import CounterModel

/// What the program has learnt about a player, over all activities. `update(with:)` changes it after each level and each session.
package struct LearningProfile: Hashable, Sendable {
    /// Exponential average over solved levels.
    package var averageSolveTime = Duration.seconds(30)
    /// Mistakes per level, an exponential average over levels.
    package var mistakeFrequency = 0.0
    /// The share of levels that were quit, 0.0...1.0, an exponential average over levels.
    package var quitRate = 0.0
    /// Exponential average over sessions.
    package var sessionDuration = Duration.seconds(600)

    /// Hints per level, an exponential average over levels.
    package var hintUsageRate = 0.0
    /// Whether "Go on" was pressed quickly in the last session.
    package var celebrationEngagement = true
    /// How many levels of each activity were played.
    package var preferredActivityTypes: [ActivityType: Int] = [:]
    /// How many sessions began in each local hour, 0...23.
    package var timeOfDayPreference: [Int: Int] = [:]

    /// The mean of the activities' difficulties, 0.0...1.0.
    package var globalDifficultyLevel: Float = 0.3
    /// Rows and columns of the pattern, 3...6.
    package var puzzleGridSizePreference = 3
    /// 2...4.
    package var puzzleColorCount = 2
    /// 0.0...1.0.
    package var labyrinthComplexity: Float = 0.2
    /// The largest number: 10 or 20.
    package var numberRange = 10

    /// Whether levels after a hint go better than those before it. If not, the program repeats the task instead of giving a
    /// hint, until the fifth mistake.
    package var respondsWellToHints = true
    /// Whether more than a third of the last ten levels were quit. If so, each right step is praised, on the screen and aloud.
    package var needsMoreEncouragement = false
    /// Whether sessions take under ten minutes on average. If so, home proposes a break after ten minutes.
    package var prefersShortSessions = false

    /// The last levels, oldest first, at most ``recentLevelLimit``.
    package var recentLevels: [LevelResult] = []
    /// The end of the last level or session; `nil` before the first one.
    package var lastUpdated: Timestamp?

    /// How many levels `recentLevels` keeps.
    package static let recentLevelLimit = 40

    /// The profile of a new player.
    package init() {}
}
