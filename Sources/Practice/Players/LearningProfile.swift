package import CounterModel

/// What the program has learnt about a player, over all activities. `update(with:)` changes it after each level and each session.
package struct LearningProfile: Hashable, Sendable {
    /// Exponential averages over solved levels, and over sessions.
    package var averageSolveTime = Duration.seconds(30), sessionDuration = Duration.seconds(600)
    /// Mistakes and hints per level, and the share of levels that were quit, 0.0...1.0: exponential averages over levels.
    package var mistakeFrequency = 0.0, hintUsageRate = 0.0, quitRate = 0.0
    /// Whether "Go on" was pressed quickly in the last session.
    package var celebrationEngagement = true
    package var preferredActivityTypes: [ActivityType: Int] = [:]
    /// How many sessions began in each local hour, 0...23.
    package var timeOfDayPreference: [Int: Int] = [:]

    /// The mean of the activities' difficulties, 0.0...1.0.
    package var globalDifficultyLevel: Float = 0.3
    /// The sizes that follow from it; see ``LevelSize``.
    package var puzzleGridSizePreference = 3, puzzleColorCount = 2, numberRange = 10
    package var labyrinthComplexity: Float = 0.2

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

    package static let recentLevelLimit = 40

    private static let quickTap = Duration.seconds(5)
    static let shortSession = Duration.seconds(600)
    /// How many levels `needsMoreEncouragement` looks at.
    private static let levelsForEncouragement = 10
    /// The levels with a hint, and a level before and after, from which `respondsWellToHints` is judged.
    private static let hintsForJudgement = 3

    package var mistakesBeforeHint: Int { respondsWellToHints ? 3 : 5 }

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
        average = .seconds(Difficulty.average(average.inSeconds, with: value.inSeconds, isFirst: isFirst))
    }

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
}

/// One session of a player, from the choice of the player to the return to the selection.
package struct SessionMetrics: Hashable, Sendable {
    /// The number of the session within the player's file.
    package var sessionId: Int64
    package var startTime: Timestamp
    /// The local hour of the start, 0...23.
    package var startHour: Int
    /// When it ended, or was last written.
    package var endTime: Timestamp
    /// Its length by a clock that nobody sets.
    package var duration = Duration.zero

    /// In the order of time.
    package var levels: [LevelResult] = []

    /// The sum of the delays until "Go on" was pressed, and how often it was.
    package var celebrationTapDelayTotal = Duration.zero, celebrationTaps = 0
    /// Time without a key, beyond the first minute of each pause.
    package var idleTimeTotal = Duration.zero
    /// Spoken lines that were not cut short.
    package var voiceLineCompletions = 0

    package init(sessionId: Int64, startTime: Timestamp, startHour: Int) {
        (self.sessionId, self.startTime, self.startHour) = (sessionId, startTime, startHour)
        endTime = startTime
    }

    var celebrationTapDelay: Duration {
        celebrationTaps == 0 ? .zero : celebrationTapDelayTotal / celebrationTaps
    }
}
