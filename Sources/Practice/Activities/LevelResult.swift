package import CounterModel

/// How a level ended, as it is told to the rules of difficulty, coins and streaks.
package struct LevelResult: Hashable, Sendable {
    /// The activity.
    package let activity: ActivityType
    /// The number of the level, from 1.
    package let level: Int
    /// Whether it was solved; `false` if the player quit.
    package let solved: Bool
    /// Mistakes, 0 or more.
    package let mistakes: Int
    /// Hints, asked for or given, 0 or more.
    package let hints: Int
    /// The time from the first showing to the end, without the time that the player was idle.
    package let solveTime: Duration
    /// When it ended.
    package let endedAt: Timestamp

    /// Creates a result.
    package init(
        activity: ActivityType, level: Int, solved: Bool, mistakes: Int, hints: Int, solveTime: Duration,
        endedAt: Timestamp
    ) {
        self.activity = activity
        self.level = level
        self.solved = solved
        self.mistakes = mistakes
        self.hints = hints
        self.solveTime = solveTime
        self.endedAt = endedAt
    }

    /// Whether it was solved without mistake or hint.
    package var isClean: Bool { solved && mistakes == 0 && hints == 0 }
}
