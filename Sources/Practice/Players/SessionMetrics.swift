package import CounterModel

/// One session of a player, from the choice of the player to the return to the selection.
package struct SessionMetrics: Hashable, Sendable {
    /// The number of the session within the player's file.
    package var sessionId: Int64
    package var playerId: String
    package var startTime: Timestamp
    /// The local hour of the start, 0...23.
    package var startHour: Int
    /// When it ended, or was last written.
    package var endTime: Timestamp
    /// Its length by a clock that nobody sets.
    package var duration = Duration.zero

    /// The levels, in order. The counts below follow from them.
    package var levels: [LevelResult] = []

    /// The sum of the delays until "Go on" was pressed, and how often it was.
    package var celebrationTapDelayTotal = Duration.zero, celebrationTaps = 0
    /// Time without a key, beyond the first minute of each pause.
    package var idleTimeTotal = Duration.zero
    /// Spoken lines that were not cut short.
    package var voiceLineCompletions = 0

    package init(sessionId: Int64, playerId: String, startTime: Timestamp, startHour: Int) {
        (self.sessionId, self.playerId) = (sessionId, playerId)
        (self.startTime, self.startHour) = (startTime, startHour)
        endTime = startTime
    }

    /// The mean delay until "Go on" was pressed; 0 if it never was.
    var celebrationTapDelay: Duration {
        celebrationTaps == 0 ? .zero : celebrationTapDelayTotal / celebrationTaps
    }
}
