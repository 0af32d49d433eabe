package import CounterModel

package struct ActivityProgress: Hashable, Sendable {
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
    package var lastPlayedDate: Timestamp?
    package var mistakeCount = 0
    package var hintRequestCount = 0
    package var quitCount = 0
    /// From 0.0 (easy) to 1.0 (hard).
    package var currentDifficulty: Float = 0.3

    /// Takes the end of a level into account. Depends on nothing but its argument.
    package mutating func finish(level result: LevelResult) {
        let change = Difficulty.change(after: result, progress: self)
        currentDifficulty = Difficulty.changed(currentDifficulty, by: change)
        successRate = Difficulty.average(
            successRate, with: result.solved ? 1 : 0, isFirst: totalLevelsCompleted + quitCount == 0)
        totalTimeSpentSeconds += Int(result.solveTime.components.seconds)
        mistakeCount += result.mistakes
        hintRequestCount += result.hints
        lastPlayedDate = max(lastPlayedDate ?? result.endedAt, result.endedAt)
        if result.solved { solve(result) } else { quitCount += 1 }
    }

    private mutating func solve(_ result: LevelResult) {
        averageSolveTimeSeconds = Difficulty.average(
            averageSolveTimeSeconds, with: result.solveTime.inSeconds, isFirst: totalLevelsCompleted == 0)
        totalLevelsCompleted += 1
        highestLevelCompleted = max(highestLevelCompleted, result.level)
        currentLevel = max(currentLevel, result.level + 1)
    }
}

/// The formulas of adaptive difficulty, all in this place.
enum Difficulty {
    /// After a level without mistake or hint.
    private static let gain: Float = 0.02
    /// After a level with a hint or more than two mistakes.
    private static let loss: Float = 0.08
    private static let lossAfterQuit: Float = 0.10
    /// The mistakes of a level that change nothing.
    private static let toleratedMistakes = 2
    /// How many times the own average a slow level takes.
    private static let slowFactor = 1.5
    /// The solved levels after which slowness matters.
    private static let levelsBeforeSlow = 3
    /// Of the newest value in an exponential average.
    private static let weight = 0.2

    /// How a level changes the difficulty. As a gain is a quarter of a loss, a player rests where four of five levels are
    /// solved cleanly.
    static func change(after result: LevelResult, progress: ActivityProgress) -> Float {
        guard result.solved else { return -lossAfterQuit }
        if result.hints > 0 || result.mistakes > toleratedMistakes { return -loss }
        if result.mistakes > 0 { return 0 }
        let isSlow =
            progress.totalLevelsCompleted >= levelsBeforeSlow
            && result.solveTime.inSeconds > slowFactor * progress.averageSolveTimeSeconds
        return isSlow ? gain / 2 : gain
    }

    /// A difficulty after a change: within 0.0...1.0, in whole thousandths, so that rounding errors do not add up.
    static func changed(_ difficulty: Float, by change: Float) -> Float {
        min(max(((difficulty + change) * 1000).rounded() / 1000, 0), 1)
    }

    /// An exponential average after one more value. The first value counts whole.
    static func average(_ average: Double, with value: Double, isFirst: Bool) -> Double {
        isFirst ? value : average + weight * (value - average)
    }
}

extension Duration {
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
