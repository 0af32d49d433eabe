package import CounterModel

/// The progress of a player in one activity. `finish(level:)` changes it.
package struct ActivityProgress: Hashable, Sendable {
    /// The activity.
    package var activityType: ActivityType
    /// The highest level that may be played, from 1.
    package var currentLevel = 1
    /// The highest level that was solved; 0 before the first one.
    package var highestLevelCompleted = 0
    /// How many levels were solved, repeated ones included.
    package var totalLevelsCompleted = 0
    /// Whole seconds in solved and quit levels.
    package var totalTimeSpentSeconds = 0
    /// Exponential average over solved levels; 0 before the first one.
    package var averageSolveTimeSeconds = 0.0
    /// Exponential average over all levels: 1 for a solved one, 0 for a quit one.
    package var successRate = 1.0
    /// The end of the last level.
    package var lastPlayedDate: Timestamp?
    /// All mistakes so far.
    package var mistakeCount = 0
    /// All hints so far.
    package var hintRequestCount = 0
    /// How many levels were quit.
    package var quitCount = 0
    /// From 0.0 (easy) to 1.0 (hard).
    package var currentDifficulty: Float = 0.3

    /// The progress before the first level.
    package init(activityType: ActivityType) { self.activityType = activityType }
}
