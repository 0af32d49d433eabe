package import CounterModel

/// One session of a player, from the choice of the player to the return to the selection.
package struct SessionMetrics: Hashable, Sendable {
    /// The number of the session within the player's file.
    package var sessionId: Int64
    /// The player.
    package var playerId: String
    /// When it began.
    package var startTime: Timestamp
    /// The local hour of the start, 0...23.
    package var startHour: Int
    /// When it ended, or was last written.
    package var endTime: Timestamp
    /// Its length by a clock that nobody sets.
    package var duration = Duration.zero

    /// The levels, in order. The counts and averages below follow from them.
    package var levels: [LevelResult] = []

    /// The sum of the delays until "Go on" was pressed.
    package var celebrationTapDelayTotal = Duration.zero
    /// How often "Go on" was pressed.
    package var celebrationTaps = 0
    /// Time without a key, beyond the first minute of each pause.
    package var idleTimeTotal = Duration.zero
    /// Spoken lines that were not cut short.
    package var voiceLineCompletions = 0

    /// A session at its start.
    package init(sessionId: Int64, playerId: String, startTime: Timestamp, startHour: Int) {
        self.sessionId = sessionId
        self.playerId = playerId
        self.startTime = startTime
        self.startHour = startHour
        endTime = startTime
    }

    /// How many levels were solved.
    package var activitiesCompleted: Int { levels.count(where: \.solved) }
    /// How many levels were quit.
    package var activitiesQuit: Int { levels.count - activitiesCompleted }
    /// The mistakes of all levels.
    package var totalMistakes: Int { levels.reduce(0) { $0 + $1.mistakes } }
    /// The hints of all levels.
    package var hintsUsed: Int { levels.reduce(0) { $0 + $1.hints } }
    /// The mean over the solved levels; 0 if there are none.
    package var averageSolveTime: Duration {
        let solved = levels.filter(\.solved)
        return solved.isEmpty ? .zero : solved.reduce(.zero) { $0 + $1.solveTime } / solved.count
    }
    /// The mean delay until "Go on" was pressed; 0 if it never was.
    package var celebrationTapDelay: Duration {
        celebrationTaps == 0 ? .zero : celebrationTapDelayTotal / celebrationTaps
    }
}
