import CounterModel
import SQL

/// What the rows mean.
extension PlayerStore {
    static func player(_ row: borrowing Row) throws -> PlayerData {
        var player = PlayerData(
            id: try row["id"], name: try row.name("name"), avatarName: try row.name("avatar_name"),
            createdAt: try row.moment("created_at"), coins: try row.number("coins"),
            totalCoinsEarned: try row.number("total_coins_earned"),
            consecutiveDays: try row.number("consecutive_days"),
            lastSolvedDay: try row.dayIfAny("last_solved_day"),
            lastPlayedDate: try row.momentIfAny("last_played_at"))
        player.today = PlayDay(
            date: try row.dayIfAny("today"), played: try row.span("today_played"),
            activitiesCompleted: try row.number("today_activities_completed"))
        let preferred: String = try row["preferred_activities"]
        player.preferredActivities = try preferred.split(separator: " ").map { word in
            guard let activity = ActivityType(rawValue: String(word)) else {
                throw row.damaged("preferred_activities")
            }
            return activity
        }
        return player
    }

    static func progress(_ row: borrowing Row) throws -> ActivityProgress {
        var progress = ActivityProgress(activityType: try row.activity("activity_type"))
        progress.currentLevel = try row.number("current_level", in: 1...Stored.counts.upperBound)
        progress.highestLevelCompleted = try row.number("highest_level_completed")
        progress.totalLevelsCompleted = try row.number("total_levels_completed")
        progress.totalTimeSpentSeconds = try row.number("total_time_spent_seconds")
        progress.averageSolveTimeSeconds = try row.fraction("average_solve_time_seconds", in: Stored.averages)
        progress.successRate = try row.fraction("success_rate", in: Stored.shares)
        progress.lastPlayedDate = try row.momentIfAny("last_played_at")
        progress.mistakeCount = try row.number("mistake_count")
        progress.hintRequestCount = try row.number("hint_request_count")
        progress.quitCount = try row.number("quit_count")
        progress.currentDifficulty = Float(try row.fraction("current_difficulty", in: Stored.shares))
        return progress
    }

    static func profile(_ row: borrowing Row) throws -> LearningProfile {
        var profile = LearningProfile()
        profile.averageSolveTime = try row.span("average_solve_time")
        profile.mistakeFrequency = try row.fraction("mistake_frequency", in: Stored.averages)
        profile.quitRate = try row.fraction("quit_rate", in: Stored.shares)
        profile.sessionDuration = try row.span("session_duration")
        profile.hintUsageRate = try row.fraction("hint_usage_rate", in: Stored.averages)
        profile.celebrationEngagement = try row.flag("celebration_engagement")
        profile.globalDifficultyLevel = Float(
            try row.fraction("global_difficulty_level", in: Stored.shares))
        profile.puzzleGridSizePreference = try row.number("puzzle_grid_size_preference", in: 3...6)
        profile.puzzleColorCount = try row.number("puzzle_color_count", in: 2...4)
        profile.labyrinthComplexity = Float(try row.fraction("labyrinth_complexity", in: Stored.shares))
        profile.numberRange = try row.number("number_range", in: 10...20)
        profile.respondsWellToHints = try row.flag("responds_well_to_hints")
        profile.needsMoreEncouragement = try row.flag("needs_more_encouragement")
        profile.prefersShortSessions = try row.flag("prefers_short_sessions")
        profile.lastUpdated = try row.momentIfAny("last_updated")
        return profile
    }

    static func session(_ row: borrowing Row, of player: String) throws -> SessionMetrics {
        var session = SessionMetrics(
            sessionId: Int64(try row.number("session_id")), playerId: player,
            startTime: try row.moment("start_time"), startHour: try row.number("start_hour", in: 0...23))
        session.endTime = try row.moment("end_time")
        session.duration = try row.span("duration")
        session.celebrationTapDelayTotal = try row.span("celebration_tap_delay_total")
        session.celebrationTaps = try row.number("celebration_taps")
        session.idleTimeTotal = try row.span("idle_time_total")
        session.voiceLineCompletions = try row.number("voice_line_completions")
        return session
    }

    static func level(_ row: borrowing Row) throws -> LevelResult {
        LevelResult(
            activity: try row.activity("activity_type"), level: try row.number("level"),
            solved: try row.flag("solved"), mistakes: try row.number("mistakes"),
            hints: try row.number("hints"),
            solveTime: try row.span("solve_time"), endedAt: try row.moment("ended_at"))
    }

    static func video(_ row: borrowing Row, of player: String) throws -> VideoRecord {
        VideoRecord(
            id: Int64(try row.number("id")), videoId: try row.name("video_id"),
            videoTitle: try row.name("video_title"), watchedAt: try row.moment("watched_at"),
            duration: try row.span("duration"), completed: try row.flag("completed"), playerId: player)
    }
}
