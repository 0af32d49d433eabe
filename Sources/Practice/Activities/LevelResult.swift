public import CounterModel

/// How a level ended, as it is told to the rules of difficulty, coins and streaks.
public struct LevelResult: Hashable, Sendable {
    /// The activity.
    public let activity: ActivityType
    /// The number of the level, from 1.
    public let level: Int
    /// Whether it was solved; `false` if the player quit.
    public let solved: Bool
    /// Mistakes, 0 or more.
    public let mistakes: Int
    /// Hints, asked for or given, 0 or more.
    public let hints: Int
    /// The time from the first showing to the end, without the time that the player was idle.
    public let solveTime: Duration
    /// When it ended.
    public let endedAt: Timestamp

    /// Creates a result.
    public init(
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
    public var isClean: Bool { solved && mistakes == 0 && hints == 0 }
}
