public import CounterModel

/// The progress of a player in one activity. `finish(level:)` changes it.
public struct ActivityProgress: Hashable, Sendable {
    /// The activity.
    public var activityType: ActivityType
    /// The highest level that may be played, from 1.
    public var currentLevel = 1
    /// The highest level that was solved; 0 before the first one.
    public var highestLevelCompleted = 0
    /// How many levels were solved, repeated ones included.
    public var totalLevelsCompleted = 0
    /// Whole seconds in solved and quit levels.
    public var totalTimeSpentSeconds = 0
    /// Exponential average over solved levels; 0 before the first one.
    public var averageSolveTimeSeconds = 0.0
    /// Exponential average over all levels: 1 for a solved one, 0 for a quit one.
    public var successRate = 1.0
    /// The end of the last level.
    public var lastPlayedDate: Timestamp?
    /// All mistakes so far.
    public var mistakeCount = 0
    /// All hints so far.
    public var hintRequestCount = 0
    /// How many levels were quit.
    public var quitCount = 0
    /// From 0.0 (easy) to 1.0 (hard).
    public var currentDifficulty: Float = 0.3

    /// The progress before the first level.
    public init(activityType: ActivityType) { self.activityType = activityType }
}
