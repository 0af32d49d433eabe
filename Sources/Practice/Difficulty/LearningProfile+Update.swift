extension LearningProfile {
    /// At most this long until "Go on" is pressed quickly.
    static let quickTap = Duration.seconds(5)
    /// Sessions below this are short.
    package static let shortSession = Duration.seconds(600)
    /// How many levels `needsMoreEncouragement` looks at.
    static let levelsForEncouragement = 10
    /// The levels with a hint, and a level before and after, from which `respondsWellToHints` is judged.
    static let hintsForJudgement = 3

    /// Takes the end of a session into account; its levels were, as each ended. Depends on nothing but its argument.
    package mutating func update(with metrics: SessionMetrics) {
        let isFirst = timeOfDayPreference.isEmpty
        average(&sessionDuration, with: metrics.duration, isFirst: isFirst)
        prefersShortSessions = sessionDuration < Self.shortSession
        timeOfDayPreference[metrics.startHour, default: 0] += 1
        if metrics.celebrationTaps > 0 {
            celebrationEngagement = metrics.celebrationTapDelay <= Self.quickTap
        }
        lastUpdated = metrics.endTime
    }

    /// Takes the end of a level into account. Depends on nothing but its argument.
    package mutating func update(with level: LevelResult) {
        let isFirst = preferredActivityTypes.isEmpty
        let rates: [(WritableKeyPath<Self, Double>, Int)] = [
            (\.mistakeFrequency, level.mistakes), (\.quitRate, level.solved ? 0 : 1),
            (\.hintUsageRate, level.hints),
        ]
        for (rate, count) in rates {
            self[keyPath: rate] = Difficulty.average(
                self[keyPath: rate], with: Double(count), isFirst: isFirst)
        }
        if level.solved {
            let isFirst = recentLevels.allSatisfy { !$0.solved }
            average(&averageSolveTime, with: level.solveTime, isFirst: isFirst)
        }
        preferredActivityTypes[level.activity, default: 0] += 1
        recentLevels = (recentLevels + [level]).suffix(Self.recentLevelLimit)
        judge()
        lastUpdated = level.endedAt
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
    package var mistakesBeforeHint: Int { respondsWellToHints ? 3 : 5 }
}
