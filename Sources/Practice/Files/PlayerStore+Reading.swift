import CounterModel
import SQL

extension PlayerStore {
    /// Reads the player.
    ///
    /// - Throws: `StoreError`
    package func player() throws(StoreError) -> PlayerData {
        do {
            guard var player = try db.statement("SELECT * FROM player" as StaticString).first(Self.player)
            else {
                throw StoreError(path: path, reason: .corrupt("it has no player"))
            }
            try requireOwn(player.id)
            player.today.videosWatched = try videos(ofTodayBy: player.id)
            for progress in try db.statement("SELECT * FROM activity_progress" as StaticString)
                .all(Self.progress)
            {
                player.activityProgress[progress.activityType] = progress
            }
            player.learningProfile = try profile()
            return player
        } catch { throw StoreError(path: path, error) }
    }

    /// All rows of the balance, oldest first.
    ///
    /// - Throws: `StoreError`
    package func coins() throws(StoreError) -> [CoinEntry] {
        do {
            return try db.statement("SELECT * FROM coin ORDER BY id" as StaticString).all { row in
                let reason = CoinReason(
                    reason: try row["reason"], subject: try row["subject"], level: row["level"])
                guard let reason else { throw row.damaged("reason") }
                return CoinEntry(at: try row.moment("at"), amount: try row["amount"], reason: reason)
            }
        } catch { throw StoreError(path: path, error) }
    }

    /// The session that was not ended, as it stood, with its levels; `nil` where there is none.
    ///
    /// - Throws: `StoreError`
    package func openSession(of player: String) throws(StoreError) -> SessionMetrics? {
        do {
            let found = try db.statement(
                "SELECT * FROM session WHERE has_ended = 0 ORDER BY session_id DESC LIMIT 1" as StaticString
            ).first { row in try Self.session(row, of: player) }
            guard var session = found else { return nil }
            session.levels = try levels(ofSession: session.sessionId)
            return session
        } catch { throw StoreError(path: path, error) }
    }

    /// The number for the next session.
    ///
    /// - Throws: `StoreError`
    package func nextSessionId() throws(StoreError) -> Int64 { try next("session", "session_id") }

    /// The number for the next video.
    ///
    /// - Throws: `StoreError`
    package func nextVideoId() throws(StoreError) -> Int64 { try next("video_record", "id") }

    /// All levels, oldest first.
    ///
    /// - Throws: `StoreError`
    package func levels() throws(StoreError) -> [LevelResult] {
        do {
            return try db.statement("SELECT * FROM level ORDER BY id" as StaticString).all(Self.level)
        } catch { throw StoreError(path: path, error) }
    }

    /// All videos that were watched, oldest first.
    ///
    /// - Throws: `StoreError`
    package func videos(of player: String) throws(StoreError) -> [VideoRecord] {
        do {
            return try db.statement("SELECT * FROM video_record ORDER BY id" as StaticString)
                .all { row in try Self.video(row, of: player) }
        } catch { throw StoreError(path: path, error) }
    }

    /// Limits the file to its present size and some pages, as a full disk does.
    func limit(pages: Int) throws {
        let count = try db.statement("PRAGMA page_count").integer() ?? 0
        _ = try db.statement("PRAGMA max_page_count = \(Int(count) + pages)").integer()
    }

    private func next(_ table: String, _ column: String) throws(StoreError) -> Int64 {
        do {
            let last = try db.statement("SELECT max(\(column)) FROM \(table)").integer() ?? 0
            guard Stored.counts.contains(last) else {
                throw SQLError.contradiction("\(column) has a value that this program never writes")
            }
            return last + 1
        } catch { throw StoreError(path: path, error) }
    }

    private func levels(ofSession id: Int64) throws -> [LevelResult] {
        try db.statement("SELECT * FROM level WHERE session_id = :session ORDER BY id" as StaticString)
            .bind("session", id).all(Self.level)
    }

    private func videos(ofTodayBy player: String) throws -> [VideoRecord] {
        try db.statement("SELECT * FROM video_record WHERE is_of_today ORDER BY id" as StaticString)
            .all { row in try Self.video(row, of: player) }
    }

    private func profile() throws -> LearningProfile {
        var profile =
            try db.statement("SELECT * FROM learning_profile" as StaticString).first(Self.profile)
            ?? LearningProfile()
        try db.statement("SELECT * FROM preferred_activity_type" as StaticString).forEach { row in
            profile.preferredActivityTypes[try row.activity("activity_type")] = try row.number("play_count")
        }
        try db.statement("SELECT * FROM time_of_day_preference" as StaticString).forEach { row in
            let hour = try row.number("hour", in: 0...23)
            profile.timeOfDayPreference[hour] = try row.number("session_count")
        }
        profile.recentLevels = try db.statement(
            "SELECT * FROM level ORDER BY id DESC LIMIT \(LearningProfile.recentLevelLimit)"
        ).all(Self.level).reversed()
        return profile
    }
}
