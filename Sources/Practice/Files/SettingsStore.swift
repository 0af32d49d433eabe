import CounterModel
import SQL

/// The file of the settings, with the grown-up's PIN. Each save is one transaction.
package final class SettingsStore: PracticeFile {
    package init(_ path: String, makes: Bool) throws(StoreError) {
        try super.init(path, schema: Self.schema, makes: makes)
    }

    // MARK: - The PIN

    package func pin() throws(StoreError) -> PIN? {
        try attempt { try db.statement("SELECT hash FROM pin" as StaticString).text().map(PIN.init(hash:)) }
    }

    /// Sets the PIN, or removes it, and forgets failed tries.
    package func set(_ pin: PIN?) throws(StoreError) {
        try attempt {
            try db.statement(
                "UPDATE pin SET hash = :hash, failures = 0, boot_id = NULL, since_boot = NULL" as StaticString
            ).bind("hash", pin?.hash).run()
        }
    }

    package func attempts() throws(StoreError) -> PINAttempts {
        try attempt {
            try db.statement("SELECT * FROM pin" as StaticString).first { row in
                guard let failures = Int(stored: try row["failures"]) else { throw row.damaged("failures") }
                guard let boot = row["boot_id"] as String? else { return PINAttempts(failures: failures) }
                guard let since = Duration(stored: try row["since_boot"]) else {
                    throw row.damaged("since_boot")
                }
                return PINAttempts(failures: failures, lastTry: BootMoment(bootId: boot, sinceBoot: since))
            } ?? PINAttempts()
        }
    }

    /// Stores the tries, before a PIN is checked. Where it fails the PIN must not be checked.
    package func save(_ attempts: PINAttempts) throws(StoreError) {
        try attempt {
            try db.statement(
                "UPDATE pin SET failures = :failures, boot_id = :boot, since_boot = :since" as StaticString
            ).bind("failures", attempts.failures).bind("boot", attempts.lastTry?.bootId)
                .bind("since", attempts.lastTry?.sinceBoot.stored).run()
        }
    }

    // MARK: - The settings

    package func settings() throws(StoreError) -> AppSettings? {
        try attempt {
            guard var settings = try Self.appSettings.first(in: db) else { return nil }
            var parent = settings.parentSettings
            parent.approvedVideos = try Self.videos.all("ORDER BY position", in: db)
            parent.rewards = try Self.rewards.all("ORDER BY position", in: db)
            for limit in try Self.limits.all(in: db) { parent.dailyTimeLimits[limit.key] = limit.value }
            for lock in try Self.locks.all(in: db) {
                parent.lockedActivities[lock.key, default: []].append(lock.value)
            }
            settings.parentSettings = parent
            return settings
        }
    }

    package func save(_ settings: AppSettings) throws(StoreError) {
        let parent = settings.parentSettings
        try attempt {
            try db.transaction(.writing) {
                try Self.appSettings.replace(by: [settings], in: db)
                try Self.limits.replace(by: parent.dailyTimeLimits, in: db)
                let locks = parent.lockedActivities.flatMap { player, activities in
                    Set(activities).map { (key: player, value: $0) }
                }
                try Self.locks.replace(by: locks, in: db)
                try Self.videos.replace(by: parent.approvedVideos, in: db)
                try Self.rewards.replace(by: parent.rewards, in: db)
            }
        }
    }
}

// MARK: - Tables

extension SettingsStore {
    private static var schema: String {
        let pin = """
            CREATE TABLE pin (hash TEXT, failures INTEGER NOT NULL, boot_id TEXT, since_boot INTEGER) STRICT;
            INSERT INTO pin VALUES (NULL, 0, NULL, NULL);
            """
        return [
            appSettings.schema, pin, limits.schema, locks.schema, videos.schema, rewards.schema,
        ].joined(separator: "\n")
    }

    private static var appSettings: Table<AppSettings> {
        Table(
            "app_settings", of: AppSettings(appVersion: ""),
            Column("last_active_player_id", \.lastActivePlayerId),
            Column("current_session_start_time", \.currentSessionStartTime),
            Column("audio_enabled", \.audioEnabled), Column("voice_volume", \.voiceVolume),
            Column("effects_volume", \.effectsVolume),
            Column("video_autoplay", \.parentSettings.videoAutoplay), Column("app_version", \.appVersion),
            Column("last_launch_date", \.lastLaunchDate), Column("total_launches", \.totalLaunches))
    }

    private static var limits: Table<(key: String, value: Int)> {
        Table(
            "daily_time_limit", of: (key: "", value: 0),
            Column("player_id", \.key, "PRIMARY KEY"),
            Column("minutes", \.value, in: ParentSettings.dailyLimits))
    }

    private static var locks: Table<(key: String, value: ActivityType)> {
        Table(
            "locked_activity", of: (key: "", value: .raetselPuzzle),
            Column("player_id", \.key),
            // With the rule for both columns.
            Column("activity_type", \.value, "NOT NULL, PRIMARY KEY (player_id, activity_type)"))
    }

    /// The positions, which SQLite gives one after the other, are the order.
    private static var videos: Table<ApprovedVideo> {
        Table(
            "approved_video",
            of: ApprovedVideo(id: "", title: "", duration: .zero, addedAt: Timestamp(seconds: 0)),
            .constant("position", "INTEGER PRIMARY KEY", nil),
            Column("id", \.id, "NOT NULL UNIQUE", where: ApprovedVideo.admits), .name("title", \.title),
            Column("duration", \.duration), Column("added_at", \.addedAt),
            Column("category", \.category) { Reward.admits(name: $0) },
            Column("price", \.price, in: Reward.prices),
            Column("watch_count", \.watchCount), Column("last_watched_at", \.lastWatchedAt))
    }

    private static var rewards: Table<Reward> {
        Table(
            "reward", of: Reward(name: "", price: 0),
            .constant("position", "INTEGER PRIMARY KEY", nil), .name("name", \.name),
            Column("price", \.price, in: Reward.prices))
    }
}
