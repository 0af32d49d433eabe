internal import CounterModel
internal import Practice
internal import SQL

extension Row {
    func moment(_ name: StaticString) -> Timestamp? {
        (self[name] as Int64?).map(Timestamp.init(microseconds:))
    }
    func span(_ name: StaticString) -> Duration { Duration(stored: self[name] ?? 0) }
    func number(_ name: StaticString) -> Double { self[name] ?? 0 }
}

/// What the rows mean.
extension PlayerStore {
    static func player(_ row: borrowing Row) throws -> PlayerData {
        let solved: String? = row["last_solved_day"]
        var player = PlayerData(
            id: try row["id"], name: try row["name"], avatarName: try row["avatar_name"],
            createdAt: row.moment("created_at") ?? Timestamp(seconds: 0), coins: try row["coins"],
            totalCoinsEarned: try row["total_coins_earned"], consecutiveDays: try row["consecutive_days"],
            lastSolvedDay: solved.flatMap { CalendarDate(iso8601: $0) },
            lastPlayedDate: row.moment("last_played_at"))
        let today: String? = row["today"]
        player.today = PlayDay(
            date: today.flatMap { CalendarDate(iso8601: $0) }, played: row.span("today_played"),
            activitiesCompleted: try row["today_activities_completed"])
        let preferred: String = try row["preferred_activities"]
        player.preferredActivities = preferred.split(separator: " ").compactMap {
            ActivityType(rawValue: String($0))
        }
        return player
    }

    static func progress(_ row: borrowing Row) throws -> ActivityProgress? {
        let type: String = try row["activity_type"]
        guard let activity = ActivityType(rawValue: type) else { return nil }
        var progress = ActivityProgress(activityType: activity)
        progress.currentLevel = try row["current_level"]
        progress.highestLevelCompleted = try row["highest_level_completed"]
        progress.totalLevelsCompleted = try row["total_levels_completed"]
        progress.totalTimeSpentSeconds = try row["total_time_spent_seconds"]
        progress.averageSolveTimeSeconds = row.number("average_solve_time_seconds")
        progress.successRate = row.number("success_rate")
        progress.lastPlayedDate = row.moment("last_played_at")
        progress.mistakeCount = try row["mistake_count"]
        progress.hintRequestCount = try row["hint_request_count"]
        progress.quitCount = try row["quit_count"]
        progress.currentDifficulty = Float(row.number("current_difficulty"))
        return progress
    }

    static func profile(_ row: borrowing Row) throws -> LearningProfile {
        var profile = LearningProfile()
        profile.averageSolveTime = row.span("average_solve_time")
        profile.mistakeFrequency = row.number("mistake_frequency")
        profile.quitRate = row.number("quit_rate")
        profile.sessionDuration = row.span("session_duration")
        profile.hintUsageRate = row.number("hint_usage_rate")
        profile.celebrationEngagement = try row["celebration_engagement"]
        profile.globalDifficultyLevel = Float(row.number("global_difficulty_level"))
        profile.puzzleGridSizePreference = try row["puzzle_grid_size_preference"]
        profile.puzzleColorCount = try row["puzzle_color_count"]
        profile.labyrinthComplexity = Float(row.number("labyrinth_complexity"))
        profile.numberRange = try row["number_range"]
        profile.respondsWellToHints = try row["responds_well_to_hints"]
        profile.needsMoreEncouragement = try row["needs_more_encouragement"]
        profile.prefersShortSessions = try row["prefers_short_sessions"]
        profile.lastUpdated = row.moment("last_updated")
        return profile
    }

    static func session(_ row: borrowing Row, of player: String) throws -> SessionMetrics {
        var session = SessionMetrics(
            sessionId: try row["session_id"], playerId: player,
            startTime: row.moment("start_time") ?? Timestamp(seconds: 0), startHour: try row["start_hour"])
        session.endTime = row.moment("end_time") ?? session.startTime
        session.duration = row.span("duration")
        session.celebrationTapDelayTotal = row.span("celebration_tap_delay_total")
        session.celebrationTaps = try row["celebration_taps"]
        session.idleTimeTotal = row.span("idle_time_total")
        session.voiceLineCompletions = try row["voice_line_completions"]
        return session
    }

    static func level(_ row: borrowing Row) throws -> LevelResult? {
        let type: String = try row["activity_type"]
        return ActivityType(rawValue: type).map {
            LevelResult(
                activity: $0, level: row["level"] ?? 1, solved: (row["solved"] as Int?) == 1,
                mistakes: row["mistakes"] ?? 0, hints: row["hints"] ?? 0, solveTime: row.span("solve_time"),
                endedAt: row.moment("ended_at") ?? Timestamp(seconds: 0))
        }
    }

    static func video(_ row: borrowing Row, of player: String) throws -> VideoRecord {
        VideoRecord(
            id: try row["id"], videoId: try row["video_id"], videoTitle: try row["video_title"],
            watchedAt: row.moment("watched_at") ?? Timestamp(seconds: 0), duration: row.span("duration"),
            completed: try row["completed"], playerId: player)
    }
}
