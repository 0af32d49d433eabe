public import CounterModel

/// One session of a player, from the choice of the player to the return to the selection.
public struct SessionMetrics: Hashable, Sendable {
    /// The number of the session within the player's file.
    public var sessionId: Int64
    /// The player.
    public var playerId: String
    /// When it began.
    public var startTime: Timestamp
    /// The local hour of the start, 0...23.
    public var startHour: Int
    /// When it ended, or was last written.
    public var endTime: Timestamp
    /// Its length by a clock that nobody sets.
    public var duration = Duration.zero

    /// The levels, in order. The counts and averages below follow from them.
    public var levels: [LevelResult] = []

    /// The sum of the delays until "Go on" was pressed.
    public var celebrationTapDelayTotal = Duration.zero
    /// How often "Go on" was pressed.
    public var celebrationTaps = 0
    /// Time without a key, beyond the first minute of each pause.
    public var idleTimeTotal = Duration.zero
    /// Spoken lines that were not cut short.
    public var voiceLineCompletions = 0

    /// A session at its start.
    public init(sessionId: Int64, playerId: String, startTime: Timestamp, startHour: Int) {
        self.sessionId = sessionId
        self.playerId = playerId
        self.startTime = startTime
        self.startHour = startHour
        endTime = startTime
    }

    /// How many levels were solved.
    public var activitiesCompleted: Int { levels.count(where: \.solved) }
    /// How many levels were quit.
    public var activitiesQuit: Int { levels.count - activitiesCompleted }
    /// The mistakes of all levels.
    public var totalMistakes: Int { levels.reduce(0) { $0 + $1.mistakes } }
    /// The hints of all levels.
    public var hintsUsed: Int { levels.reduce(0) { $0 + $1.hints } }
    /// The mean over the solved levels; 0 if there are none.
    public var averageSolveTime: Duration {
        let solved = levels.filter(\.solved)
        return solved.isEmpty ? .zero : solved.reduce(.zero) { $0 + $1.solveTime } / solved.count
    }
    /// The mean delay until "Go on" was pressed; 0 if it never was.
    public var celebrationTapDelay: Duration {
        celebrationTaps == 0 ? .zero : celebrationTapDelayTotal / celebrationTaps
    }
}
