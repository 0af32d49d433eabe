extension LearningProfile {
    /// At most this long until "Go on" is pressed quickly.
    static let quickTap = Duration.seconds(5)
    /// Sessions below this are short.
    public static let shortSession = Duration.seconds(600)
    /// How many levels `needsMoreEncouragement` looks at.
    static let levelsForEncouragement = 10
    /// The levels with a hint, and a level before and after, from which `respondsWellToHints` is judged.
    static let hintsForJudgement = 3

    /// Takes a session into account. Depends on nothing but its argument.
    public mutating func update(with metrics: SessionMetrics) {
        let isFirst = lastUpdated == nil
        average(&sessionDuration, with: metrics.duration, isFirst: isFirst)
        prefersShortSessions = sessionDuration < Self.shortSession
        timeOfDayPreference[metrics.startHour, default: 0] += 1
        if metrics.celebrationTaps > 0 {
            celebrationEngagement = metrics.celebrationTapDelay <= Self.quickTap
        }
        if !metrics.levels.isEmpty { update(withLevelsOf: metrics) }
        lastUpdated = metrics.endTime
    }

    private mutating func update(withLevelsOf metrics: SessionMetrics) {
        let isFirst = preferredActivityTypes.isEmpty
        let levels = Double(metrics.levels.count)
        let rates: [(WritableKeyPath<Self, Double>, Int)] = [
            (\.mistakeFrequency, metrics.totalMistakes), (\.quitRate, metrics.activitiesQuit),
            (\.hintUsageRate, metrics.hintsUsed),
        ]
        for (rate, count) in rates {
            self[keyPath: rate] = Difficulty.average(
                self[keyPath: rate], with: Double(count) / levels, isFirst: isFirst)
        }
        if metrics.activitiesCompleted > 0 {
            let isFirst = recentLevels.allSatisfy { !$0.solved }
            average(&averageSolveTime, with: metrics.averageSolveTime, isFirst: isFirst)
        }
        for level in metrics.levels { preferredActivityTypes[level.activity, default: 0] += 1 }
        recentLevels = (recentLevels + metrics.levels).suffix(Self.recentLevelLimit)
        judge()
    }

    private func average(_ average: inout Duration, with value: Duration, isFirst: Bool) {
        average = .seconds(
            Difficulty.average(average.inSeconds, with: value.inSeconds, isFirst: isFirst))
    }

    /// What follows from the last levels.
    private mutating func judge() {
        let last = recentLevels.suffix(Self.levelsForEncouragement)
        needsMoreEncouragement = last.count { !$0.solved } * 3 > Self.levelsForEncouragement
        let hinted = recentLevels.indices.dropFirst().dropLast().filter { recentLevels[$0].hints > 0 }
        if hinted.count >= Self.hintsForJudgement {
            let before = hinted.count { recentLevels[$0 - 1].isClean }
            respondsWellToHints = hinted.count { recentLevels[$0 + 1].isClean } > before
        }
    }

    /// Takes over the difficulty of the activities, and the sizes that follow from it.
    mutating func adopt(difficulty: Float) {
        let size = LevelSize(challenge: difficulty)
        globalDifficultyLevel = difficulty
        puzzleGridSizePreference = size.puzzleGridSize
        puzzleColorCount = size.puzzleColorCount
        labyrinthComplexity = size.labyrinthComplexity
        numberRange = size.numberRange
    }

    /// At which mistake of a level a hint is given.
    public var mistakesBeforeHint: Int { respondsWellToHints ? 3 : 5 }
}
