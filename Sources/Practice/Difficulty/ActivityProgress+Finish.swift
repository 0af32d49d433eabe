extension ActivityProgress {
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
