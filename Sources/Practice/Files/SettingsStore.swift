import CounterModel
import SQL

/// The file of the settings, with the grown-up's PIN. Each save is one transaction.
package final class SettingsStore {
    private let path: String
    private let db: Connection

    private static let tables = """
        CREATE TABLE app_settings (
            last_active_player_id TEXT, current_session_start_time INTEGER, audio_enabled INTEGER NOT NULL,
            voice_volume REAL NOT NULL, effects_volume REAL NOT NULL, video_autoplay INTEGER NOT NULL,
            app_version TEXT NOT NULL, last_launch_date INTEGER, total_launches INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE pin (
            hash TEXT, failures INTEGER NOT NULL, boot_id TEXT, since_boot INTEGER
        ) STRICT;
        INSERT INTO pin VALUES (NULL, 0, NULL, NULL);
        CREATE TABLE daily_time_limit (player_id TEXT PRIMARY KEY, minutes INTEGER NOT NULL) STRICT;
        CREATE TABLE locked_activity (
            player_id TEXT NOT NULL, activity_type TEXT NOT NULL, PRIMARY KEY (player_id, activity_type)
        ) STRICT;
        CREATE TABLE approved_video (
            position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, duration INTEGER NOT NULL,
            added_at INTEGER NOT NULL, category TEXT, price INTEGER NOT NULL, watch_count INTEGER NOT NULL,
            last_watched_at INTEGER
        ) STRICT;
        CREATE TABLE reward (position INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL) STRICT;
        """

    /// Opens the settings.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - makes: whether to make it where it is missing.
    /// - Throws: `StoreError`; the file then stays as it was.
    package init(_ path: String, makes: Bool) throws(StoreError) {
        self.path = path
        db = try PracticeFile.open(path, schema: Self.tables, makes: makes)
    }

    // MARK: - The PIN

    /// The PIN; `nil` before the grown-up has chosen one.
    ///
    /// - Throws: `StoreError`
    package func pin() throws(StoreError) -> PIN? {
        try reading { try db.statement("SELECT hash FROM pin" as StaticString).text().map(PIN.init(hash:)) }
    }

    /// Sets the PIN, or removes it, and forgets failed tries.
    ///
    /// - Throws: `StoreError`
    package func set(_ pin: PIN?) throws(StoreError) {
        try reading {
            try db.statement(
                "UPDATE pin SET hash = :hash, failures = 0, boot_id = NULL, since_boot = NULL" as StaticString
            ).bind("hash", pin?.hash).run()
        }
    }

    /// The tries at the PIN.
    ///
    /// - Throws: `StoreError`
    package func attempts() throws(StoreError) -> PINAttempts {
        try reading {
            try db.statement("SELECT * FROM pin" as StaticString).first { row in
                let failures = try row.number("failures")
                guard let id = row["boot_id"] as String? else { return PINAttempts(failures: failures) }
                let last = BootMoment(bootId: id, sinceBoot: try row.span("since_boot"))
                return PINAttempts(failures: failures, lastTry: last)
            } ?? PINAttempts()
        }
    }

    /// Stores the tries; before a PIN is checked, so that a program that is killed gives no free try.
    ///
    /// - Throws: `StoreError`; the PIN must not be checked then.
    package func save(_ attempts: PINAttempts) throws(StoreError) {
        try reading {
            try db.statement(
                "UPDATE pin SET failures = :failures, boot_id = :boot, since_boot = :since" as StaticString
            ).bind("failures", attempts.failures).bind("boot", attempts.lastTry?.bootId)
                .bind("since", attempts.lastTry?.sinceBoot.stored).run()
        }
    }

    // MARK: - The settings

    /// The settings; `nil` where none were saved yet.
    ///
    /// - Throws: `StoreError`
    package func settings() throws(StoreError) -> AppSettings? {
        try reading {
            guard
                var settings = try db.statement("SELECT * FROM app_settings" as StaticString).first(
                    Self.settings)
            else { return nil }
            settings.parentSettings.approvedVideos = try db.statement(
                "SELECT * FROM approved_video ORDER BY position" as StaticString
            ).all(Self.video)
            settings.parentSettings.rewards = try db.statement(
                "SELECT * FROM reward ORDER BY position" as StaticString
            ).all { row in Reward(name: try row.name("name"), price: try row.price()) }
            try db.statement("SELECT * FROM daily_time_limit" as StaticString).forEach { row in
                let minutes = try row.number("minutes", in: Int64.range(DailyLimit.range))
                settings.parentSettings.dailyTimeLimits[try row["player_id"]] = minutes
            }
            try db.statement("SELECT * FROM locked_activity" as StaticString).forEach { row in
                let activity = try row.activity("activity_type")
                settings.parentSettings.lockedActivities[try row["player_id"], default: []].append(activity)
            }
            return settings
        }
    }

    /// Writes all settings, or nothing.
    ///
    /// - Throws: `StoreError`
    package func save(_ settings: AppSettings) throws(StoreError) {
        try reading {
            try db.transaction(.writing) {
                try db.execute(
                    """
                    DELETE FROM app_settings; DELETE FROM daily_time_limit; DELETE FROM locked_activity;
                    DELETE FROM approved_video; DELETE FROM reward
                    """)
                try write(settings)
                try write(settings.parentSettings)
            }
        }
    }

    private func write(_ settings: AppSettings) throws {
        try db.statement(
            """
            INSERT INTO app_settings VALUES (:player, :session, :audio, :voice, :effects, :autoplay, :version, :launch, :launches)
            """ as StaticString
        )
        .bind("player", settings.lastActivePlayerId)
        .bind("session", settings.currentSessionStartTime?.microseconds).bind("audio", settings.audioEnabled)
        .bind("voice", Double(settings.voiceVolume)).bind("effects", Double(settings.effectsVolume))
        .bind("autoplay", settings.parentSettings.videoAutoplay).bind("version", settings.appVersion)
        .bind("launch", settings.lastLaunchDate?.microseconds).bind("launches", settings.totalLaunches).run()
    }

    private func write(_ parent: ParentSettings) throws {
        for (player, minutes) in parent.dailyTimeLimits {
            try db.statement("INSERT INTO daily_time_limit VALUES (:player, :minutes)" as StaticString)
                .bind("player", player).bind("minutes", minutes).run()
        }
        for (player, activities) in parent.lockedActivities {
            for activity in Set(activities) {
                try db.statement("INSERT INTO locked_activity VALUES (:player, :activity)" as StaticString)
                    .bind("player", player).bind("activity", activity.rawValue).run()
            }
        }
        for (position, video) in parent.approvedVideos.enumerated() { try write(video, position) }
        for (position, reward) in parent.rewards.enumerated() {
            try db.statement("INSERT INTO reward VALUES (:position, :name, :price)" as StaticString)
                .bind("position", position).bind("name", reward.name).bind("price", reward.price).run()
        }
    }

    private func write(_ video: ApprovedVideo, _ position: Int) throws {
        try db.statement(
            """
            INSERT INTO approved_video VALUES (:position, :id, :title, :duration, :added, :category, :price, :count, :last)
            """ as StaticString
        )
        .bind("position", position).bind("id", video.id).bind("title", video.title)
        .bind("duration", video.duration.stored).bind("added", video.addedAt.microseconds)
        .bind("category", video.category).bind("price", video.price).bind("count", video.watchCount)
        .bind("last", video.lastWatchedAt?.microseconds).run()
    }

    private static func settings(_ row: borrowing Row) throws -> AppSettings {
        var settings = AppSettings(appVersion: try row["app_version"])
        settings.lastActivePlayerId = row["last_active_player_id"]
        settings.currentSessionStartTime = try row.momentIfAny("current_session_start_time")
        settings.audioEnabled = try row.flag("audio_enabled")
        settings.voiceVolume = Float(try row.fraction("voice_volume", in: Stored.shares))
        settings.effectsVolume = Float(try row.fraction("effects_volume", in: Stored.shares))
        settings.parentSettings.videoAutoplay = try row.flag("video_autoplay")
        settings.lastLaunchDate = try row.momentIfAny("last_launch_date")
        settings.totalLaunches = try row.number("total_launches")
        return settings
    }

    private static func video(_ row: borrowing Row) throws -> ApprovedVideo {
        let id: String = try row["id"]
        guard ApprovedVideo.admits(id: id) else { throw row.damaged("id") }
        let hasCategory = (row["category"] as String?) != nil
        var video = ApprovedVideo(
            id: id, title: try row.name("title"), duration: try row.span("duration"),
            addedAt: try row.moment("added_at"), category: hasCategory ? try row.name("category") : nil,
            price: try row.price())
        video.watchCount = try row.number("watch_count")
        video.lastWatchedAt = try row.momentIfAny("last_watched_at")
        return video
    }

    private func reading<T>(_ body: () throws -> T) throws(StoreError) -> T {
        do { return try body() } catch { throw StoreError(path: path, error) }
    }
}

extension Row {
    fileprivate func price() throws(SQLError) -> Int { try number("price", in: Int64.range(Reward.prices)) }
}

extension Int64 {
    fileprivate static func range(_ range: ClosedRange<Int>) -> ClosedRange<Int64> {
        Int64(range.lowerBound)...Int64(range.upperBound)
    }
}
