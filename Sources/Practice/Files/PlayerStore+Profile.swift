import CounterModel
import SQL

extension PlayerStore {
    func write(_ profile: LearningProfile) throws {
        try db.execute(
            """
            DELETE FROM learning_profile; DELETE FROM preferred_activity_type; DELETE FROM time_of_day_preference
            """)
        let statement = try db.statement(
            """
            INSERT INTO learning_profile VALUES (:solve, :mistakes, :quits, :session, :hints, :celebration, :global, :grid,
                :colors, :labyrinth, :range, :responds, :encouragement, :short, :updated)
            """ as StaticString)
        try statement.bind("solve", profile.averageSolveTime.stored)
            .bind("mistakes", profile.mistakeFrequency).bind("quits", profile.quitRate)
            .bind("session", profile.sessionDuration.stored).bind("hints", profile.hintUsageRate)
            .bind("celebration", profile.celebrationEngagement)
            .bind("global", Double(profile.globalDifficultyLevel))
            .bind("grid", profile.puzzleGridSizePreference).bind("colors", profile.puzzleColorCount)
            .bind("labyrinth", Double(profile.labyrinthComplexity)).bind("range", profile.numberRange)
            .bind("responds", profile.respondsWellToHints)
            .bind("encouragement", profile.needsMoreEncouragement)
            .bind("short", profile.prefersShortSessions).bind("updated", profile.lastUpdated?.microseconds)
            .run()
        let types = try db.statement(
            "INSERT INTO preferred_activity_type VALUES (:type, :count)" as StaticString)
        for (type, count) in profile.preferredActivityTypes {
            try types.bind("type", type.rawValue).bind("count", count).run()
        }
        let hours = try db.statement(
            "INSERT INTO time_of_day_preference VALUES (:hour, :count)" as StaticString)
        for (hour, count) in profile.timeOfDayPreference {
            try hours.bind("hour", hour).bind("count", count).run()
        }
    }

    func write(_ session: SessionMetrics, _ change: PlayerChange) throws {
        let statement = try db.statement(
            """
            INSERT OR REPLACE INTO session VALUES (:id, :start, :hour, :end, :duration, :delay, :taps, :idle, :lines, :ended)
            """ as StaticString)
        try statement.bind("id", session.sessionId).bind("start", session.startTime.microseconds)
            .bind("hour", session.startHour).bind("end", session.endTime.microseconds)
            .bind("duration", session.duration.stored).bind("delay", session.celebrationTapDelayTotal.stored)
            .bind("taps", session.celebrationTaps).bind("idle", session.idleTimeTotal.stored)
            .bind("lines", session.voiceLineCompletions).bind("ended", change.hasEnded).run()
        for level in session.levels.dropFirst(change.storedLevels) {
            try write(level, session: session.sessionId)
        }
    }

    private func write(_ level: LevelResult, session: Int64) throws {
        let statement = try db.statement(
            """
            INSERT INTO level (session_id, activity_type, level, solved, mistakes, hints, solve_time, ended_at)
            VALUES (:session, :type, :level, :solved, :mistakes, :hints, :time, :ended)
            """ as StaticString)
        try statement.bind("session", session).bind("type", level.activity.rawValue)
            .bind("level", level.level).bind("solved", level.solved).bind("mistakes", level.mistakes)
            .bind("hints", level.hints).bind("time", level.solveTime.stored)
            .bind("ended", level.endedAt.microseconds).run()
    }
}
