import CounterModel
import SQL

/// What one save writes: the player as it is now, and the rows that are new since the last save that succeeded.
package struct PlayerChange: Hashable, Sendable {
    package var player: PlayerData
    package var coins: [CoinEntry] = [], videos: [VideoRecord] = []
    /// The session, with all its levels; `nil` where none runs.
    package var session: SessionMetrics?
    package var hasEnded = false
}

/// The file of one player, whose id is in the file's name. Each save is one transaction.
///
/// A file that holds another player, such as a copy of that player's file, is neither read nor written.
package final class PlayerStore: PracticeFile {
    private let id: String

    package init(_ id: String, in folder: PracticeFolder, makes: Bool = false) throws(StoreError) {
        self.id = id
        try super.init(folder.path(ofPlayer: id), schema: Self.schema, makes: makes)
    }

    /// Writes all of a change, or nothing: the caller keeps it then, and saves it with the next one.
    package func save(_ change: PlayerChange) throws(StoreError) {
        let player = change.player
        try attempt {
            try db.transaction(.writing) {
                try requireOwn(player.id)
                try db.statement("SELECT id FROM player" as StaticString).text().map(requireOwn)
                try Self.players.replace(by: [player], in: db)
                try write(player.learningProfile)
                try Self.progress.insert(player.activityProgress.values, replacing: true, into: db)
                try Self.coinEntries.insert(change.coins, into: db)
                if let session = change.session {
                    try Self.sessions(hasEnded: change.hasEnded).insert([session], replacing: true, into: db)
                    try write(session.levels, of: session.sessionId)
                }
                try Self.videoRecords.insert(change.videos, into: db)
                if player.today.videosWatched.isEmpty {
                    try db.execute("UPDATE video_record SET is_of_today = 0")
                }
            }
        }
    }

    /// Adds the levels that are not stored yet.
    private func write(_ levels: [LevelResult], of session: Int64) throws {
        let stored =
            try db.statement("SELECT count(*) FROM level WHERE session_id = :session")
            .bind("session", session).integer() ?? 0
        try Self.levelResults(of: session).insert(levels.dropFirst(Int(stored)), into: db)
    }

    private func write(_ profile: LearningProfile) throws {
        try Self.profiles.replace(by: [profile], in: db)
        try Self.playCounts.replace(by: profile.preferredActivityTypes, in: db)
        try Self.hours.replace(by: profile.timeOfDayPreference, in: db)
    }

    package func player() throws(StoreError) -> PlayerData {
        try attempt {
            guard var player = try Self.players.first(in: db) else {
                throw StoreError(path: path, reason: .corrupt("it has no player"))
            }
            try requireOwn(player.id)
            player.today.videosWatched = try Self.videoRecords.all("WHERE is_of_today ORDER BY id", in: db)
            for progress in try Self.progress.all(in: db) {
                player.activityProgress[progress.activityType] = progress
            }
            player.learningProfile = try profile()
            return player
        }
    }

    private func profile() throws -> LearningProfile {
        var profile = try Self.profiles.first(in: db) ?? LearningProfile()
        for count in try Self.playCounts.all(in: db) {
            profile.preferredActivityTypes[count.key] = count.value
        }
        for count in try Self.hours.all(in: db) { profile.timeOfDayPreference[count.key] = count.value }
        profile.recentLevels = try Self.levelResults().all(
            "ORDER BY id DESC LIMIT \(LearningProfile.recentLevelLimit)", in: db
        ).reversed()
        return profile
    }

    /// The session that was not ended, as it stood, with its levels; `nil` where there is none.
    package func openSession() throws(StoreError) -> SessionMetrics? {
        try attempt {
            let found = try Self.sessions().first(
                "WHERE has_ended = 0 ORDER BY session_id DESC LIMIT 1", in: db)
            guard var session = found else { return nil }
            session.levels = try Self.levelResults().all(
                "WHERE session_id = \(session.sessionId) ORDER BY id", in: db)
            return session
        }
    }

    /// The number of a table's next row.
    func next(_ column: String, in table: String) throws(StoreError) -> Int64 {
        try attempt {
            let last = try db.statement("SELECT max(\(column)) FROM \(table)").integer() ?? 0
            guard Int64.counts.contains(last) else {
                throw SQLError.contradiction("\(column) has a value that this program never writes")
            }
            return last + 1
        }
    }

    /// Refuses the id of another player. Ids are compared byte by byte, as names of files are.
    private func requireOwn(_ other: String) throws(StoreError) {
        let isId = 1...64 ~= other.utf8.count && other.utf8.allSatisfy(Self.bytesOfIds.contains)
        guard isId else {
            throw StoreError(path: path, reason: .corrupt("id has a value that this program never writes"))
        }
        guard other.utf8.elementsEqual(id.utf8) else {
            throw StoreError(path: path, reason: .otherPlayer(file: PracticeFolder.fileName(ofPlayer: other)))
        }
    }

    private static let bytesOfIds = Array("0123456789abcdefghijklmnopqrstuvwxyz-".utf8)
}

// MARK: - Tables

extension PlayerStore {
    private static var schema: String {
        [
            players.schema, progress.schema, profiles.schema, playCounts.schema, hours.schema,
            sessions().schema, levelResults().schema, "CREATE INDEX level_of_session ON level (session_id);",
            coinEntries.schema, videoRecords.schema,
        ].joined(separator: "\n")
    }

    private static let never = Timestamp(seconds: 0)

    private static var players: Table<PlayerData> {
        Table(
            "player", of: PlayerData(id: "", name: "", avatar: .bear, createdAt: never),
            Column("id", \.id), .name("name", \.name), .name("avatar_name", \.avatarName),
            Column("created_at", \.createdAt),
            Column("coins", \.coins, "NOT NULL CHECK (coins >= 0)"),
            Column("total_coins_earned", \.totalCoinsEarned),
            Column("consecutive_days", \.consecutiveDays), Column("last_solved_day", \.lastSolvedDay),
            Column("last_played_at", \.lastPlayedDate), Column("today", \.today.date),
            Column("today_played", \.today.played),
            Column("today_activities_completed", \.today.activitiesCompleted),
            Column("preferred_activities", \.preferredActivities))
    }

    private static var progress: Table<ActivityProgress> {
        Table(
            "activity_progress", of: ActivityProgress(activityType: .raetselPuzzle),
            Column("activity_type", \.activityType, "PRIMARY KEY"),
            Column("current_level", \.currentLevel, where: { $0 >= 1 }),
            Column("highest_level_completed", \.highestLevelCompleted),
            Column("total_levels_completed", \.totalLevelsCompleted),
            Column("total_time_spent_seconds", \.totalTimeSpentSeconds),
            Column("average_solve_time_seconds", \.averageSolveTimeSeconds),
            Column("success_rate", \.successRate, where: Double.isShare),
            Column("last_played_at", \.lastPlayedDate), Column("mistake_count", \.mistakeCount),
            Column("hint_request_count", \.hintRequestCount), Column("quit_count", \.quitCount),
            Column("current_difficulty", \.currentDifficulty))
    }

    private static var profiles: Table<LearningProfile> {
        Table(
            "learning_profile", of: LearningProfile(),
            Column("average_solve_time", \.averageSolveTime),
            Column("mistake_frequency", \.mistakeFrequency),
            Column("quit_rate", \.quitRate, where: Double.isShare),
            Column("session_duration", \.sessionDuration),
            Column("hint_usage_rate", \.hintUsageRate),
            Column("celebration_engagement", \.celebrationEngagement),
            Column("global_difficulty_level", \.globalDifficultyLevel),
            Column("puzzle_grid_size_preference", \.puzzleGridSizePreference, in: 3...6),
            Column("puzzle_color_count", \.puzzleColorCount, in: 2...4),
            Column("labyrinth_complexity", \.labyrinthComplexity),
            Column("number_range", \.numberRange, in: 10...20),
            Column("responds_well_to_hints", \.respondsWellToHints),
            Column("needs_more_encouragement", \.needsMoreEncouragement),
            Column("prefers_short_sessions", \.prefersShortSessions),
            Column("last_updated", \.lastUpdated))
    }

    private static var playCounts: Table<(key: ActivityType, value: Int)> {
        Table(
            "preferred_activity_type", of: (key: .raetselPuzzle, value: 0),
            Column("activity_type", \.key, "PRIMARY KEY"), Column("play_count", \.value))
    }

    private static var hours: Table<(key: Int, value: Int)> {
        Table(
            "time_of_day_preference", of: (key: 0, value: 0),
            Column("hour", \.key, "PRIMARY KEY") { 0...23 ~= $0 }, Column("session_count", \.value))
    }

    private static func sessions(hasEnded: Bool = false) -> Table<SessionMetrics> {
        Table(
            "session", of: SessionMetrics(sessionId: 0, startTime: never, startHour: 0),
            Column("session_id", \.sessionId, "PRIMARY KEY"), Column("start_time", \.startTime),
            Column("start_hour", \.startHour, in: 0...23), Column("end_time", \.endTime),
            Column("duration", \.duration),
            Column("celebration_tap_delay_total", \.celebrationTapDelayTotal),
            Column("celebration_taps", \.celebrationTaps), Column("idle_time_total", \.idleTimeTotal),
            Column("voice_line_completions", \.voiceLineCompletions),
            .constant("has_ended", "INTEGER NOT NULL", hasEnded ? 1 : 0))
    }

    static func levelResults(of session: Int64 = 0) -> Table<LevelResult> {
        Table(
            "level",
            of: LevelResult(
                activity: .raetselPuzzle, level: 0, solved: false, mistakes: 0, hints: 0, solveTime: .zero,
                endedAt: never),
            .constant("id", "INTEGER PRIMARY KEY", nil),
            .constant("session_id", "INTEGER NOT NULL REFERENCES session", session),
            Column("activity_type", \.activity), Column("level", \.level), Column("solved", \.solved),
            Column("mistakes", \.mistakes), Column("hints", \.hints), Column("solve_time", \.solveTime),
            Column("ended_at", \.endedAt))
    }

    static var coinEntries: Table<CoinEntry> {
        Table(
            "coin", of: CoinEntry(at: never, amount: 0, reason: .video(id: "")),
            .constant("id", "INTEGER PRIMARY KEY", nil), Column("at", \.at),
            // Below 0 too.
            Column(name: "amount", declaration: "INTEGER NOT NULL") { row, coin in
                coin.amount = try row["amount"]
            } write: {
                try $0.bind("amount", $1.amount)
            },
            Column("reason", \.reason.kind), Column("subject", \.reason.subject),
            Column("level", \.reason.level))
    }

    private static var videoRecords: Table<VideoRecord> {
        let video = ApprovedVideo(id: "", title: "", duration: .zero, addedAt: never)
        return Table(
            "video_record", of: VideoRecord(id: 0, video: video, watchedAt: never, duration: .zero),
            Column("id", \.id, "PRIMARY KEY"), .name("video_id", \.videoId),
            .name("video_title", \.videoTitle),
            Column("watched_at", \.watchedAt), Column("duration", \.duration),
            Column("completed", \.completed), .constant("is_of_today", "INTEGER NOT NULL", 1))
    }
}
