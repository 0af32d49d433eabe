import CounterModel
import Foundation
import TestSupport
import Testing

@testable import Practice

@Suite struct StoreTests {
    private let scratch: ScratchFolder
    private let folder: PracticeFolder

    init() throws {
        scratch = try ScratchFolder()
        folder = PracticeFolder(below: scratch.path)
        try folder.take()
    }

    /// Why something is refused; `nil` where it is not.
    private func reason<T>(_ body: () throws -> T) -> StoreError.Reason? {
        do { _ = try body() } catch { return (error as? StoreError)?.reason }
        return nil
    }

    @Test func `A player comes back as it was stored, and its session is open until it was ended`() throws {
        let change = Sample.change("x1", [.raetselPuzzle])
        try PlayerStore("x1", in: folder, makes: true).save(change)
        let store = try PlayerStore("x1", in: folder)
        let read = try store.player()
        #expect(read == change.player)
        let coins = try PlayerStore.coinEntries.all("ORDER BY id", in: store.db)
        #expect(coins == change.coins)
        #expect(coins.reduce(0) { $0 + $1.amount } == read.coins)
        let session = try #require(try store.openSession())
        #expect(session == change.session)
        var ended = change
        (ended.coins, ended.videos, ended.hasEnded) = ([], [], true)
        ended.player.end(session: session)
        try store.save(ended)
        #expect(try store.openSession() == nil)
        #expect(try store.player() == ended.player)
        #expect(try PlayerStore.levelResults().all(in: store.db).count == 1)
    }

    /// Each table with its columns: `!` is NOT NULL, `k` a key. Files of earlier versions have these, and stay readable.
    private static let tables = [
        "activity_progress: activity_type TEXT!k, current_level INTEGER!, highest_level_completed INTEGER!, "
            + "total_levels_completed INTEGER!, total_time_spent_seconds INTEGER!, "
            + "average_solve_time_seconds REAL!, success_rate REAL!, last_played_at INTEGER, "
            + "mistake_count INTEGER!, hint_request_count INTEGER!, quit_count INTEGER!, "
            + "current_difficulty REAL!",
        "coin: id INTEGERk, at INTEGER!, amount INTEGER!, reason TEXT!, subject TEXT!, level INTEGER",
        "learning_profile: average_solve_time INTEGER!, mistake_frequency REAL!, quit_rate REAL!, "
            + "session_duration INTEGER!, hint_usage_rate REAL!, celebration_engagement INTEGER!, "
            + "global_difficulty_level REAL!, puzzle_grid_size_preference INTEGER!, "
            + "puzzle_color_count INTEGER!, labyrinth_complexity REAL!, number_range INTEGER!, "
            + "responds_well_to_hints INTEGER!, needs_more_encouragement INTEGER!, "
            + "prefers_short_sessions INTEGER!, last_updated INTEGER",
        "level: id INTEGERk, session_id INTEGER!, activity_type TEXT!, level INTEGER!, solved INTEGER!, "
            + "mistakes INTEGER!, hints INTEGER!, solve_time INTEGER!, ended_at INTEGER!",
        "player: id TEXT!, name TEXT!, avatar_name TEXT!, created_at INTEGER!, coins INTEGER!, "
            + "total_coins_earned INTEGER!, consecutive_days INTEGER!, last_solved_day TEXT, "
            + "last_played_at INTEGER, today TEXT, today_played INTEGER!, "
            + "today_activities_completed INTEGER!, preferred_activities TEXT!",
        "preferred_activity_type: activity_type TEXT!k, play_count INTEGER!",
        "session: session_id INTEGERk, start_time INTEGER!, start_hour INTEGER!, end_time INTEGER!, "
            + "duration INTEGER!, celebration_tap_delay_total INTEGER!, celebration_taps INTEGER!, "
            + "idle_time_total INTEGER!, voice_line_completions INTEGER!, has_ended INTEGER!",
        "time_of_day_preference: hour INTEGERk, session_count INTEGER!",
        "video_record: id INTEGERk, video_id TEXT!, video_title TEXT!, watched_at INTEGER!, "
            + "duration INTEGER!, completed INTEGER!, is_of_today INTEGER!",
        "app_settings: last_active_player_id TEXT, current_session_start_time INTEGER, "
            + "audio_enabled INTEGER!, voice_volume REAL!, effects_volume REAL!, video_autoplay INTEGER!, "
            + "app_version TEXT!, last_launch_date INTEGER, total_launches INTEGER!",
        "approved_video: position INTEGERk, id TEXT!, title TEXT!, duration INTEGER!, added_at INTEGER!, "
            + "category TEXT, price INTEGER!, watch_count INTEGER!, last_watched_at INTEGER",
        "daily_time_limit: player_id TEXT!k, minutes INTEGER!",
        "locked_activity: player_id TEXT!k, activity_type TEXT!k",
        "pin: hash TEXT, failures INTEGER!, boot_id TEXT, since_boot INTEGER",
        "reward: position INTEGERk, name TEXT!, price INTEGER!",
    ]

    @Test func `The tables stay what they are`() throws {
        _ = try PlayerStore("x1", in: folder, makes: true)
        _ = try SettingsStore(folder.settingsPath, makes: true)
        let query = """
            SELECT l.name || ': ' || group_concat(
                c.name || ' ' || c.type || CASE WHEN c."notnull" THEN '!' ELSE '' END || CASE WHEN c.pk THEN 'k' ELSE '' END, ', ')
            FROM pragma_table_list l, pragma_table_xinfo(l.name) c
            WHERE l.schema = 'main' AND l.strict GROUP BY l.name ORDER BY l.name
            """
        let found = try [folder.path(ofPlayer: "x1"), folder.settingsPath].flatMap {
            try RawDatabase($0).texts(query)
        }
        #expect(found == Self.tables)
    }

    @Test func `Files are for their owner only, and erasing leaves nothing`() throws {
        try PlayerStore("x1", in: folder, makes: true).save(Sample.change("x1", [.raetselPuzzle]))
        var status = stat()
        #expect(stat(folder.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat(folder.path(ofPlayer: "x1"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(folder.playerIds == ["x1"])
        try folder.erase(player: "x1")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `A file that is a link is erased with what it leads to`() throws {
        let cloud = try ScratchFolder()
        let kept = cloud.path(of: "player-x1.sqlite")
        try PlayerStore("x1", in: folder, makes: true).save(Sample.change("x1", [.raetselPuzzle]))
        #expect(rename(folder.path(ofPlayer: "x1"), kept) == 0)
        #expect(symlink(kept, folder.path(ofPlayer: "x1")) == 0)
        try folder.erase(player: "x1")
        #expect(access(kept, F_OK) != 0 && folder.playerIds.isEmpty)
    }

    @Test func `Settings come back as they were stored, with videos and rewards in their order`() throws {
        let store = try SettingsStore(folder.settingsPath, makes: true)
        #expect(try store.settings() == nil)
        var settings = Sample.settings
        var video = Sample.fox
        video.id = "aaaaaaaaaaa"
        settings.parentSettings.approvedVideos.append(video)
        settings.parentSettings.rewards.append(Reward(name: "a walk", price: 2))
        for _ in 1...2 {
            try store.save(settings)
            #expect(try SettingsStore(folder.settingsPath, makes: false).settings() == settings)
            settings.parentSettings.approvedVideos.reverse()
            settings.parentSettings.rewards.reverse()
        }
    }

    @Test func `The PIN is stored as crypt makes it, and tries are kept over restarts`() throws {
        let store = try SettingsStore(folder.settingsPath, makes: true)
        try store.set(PIN("4711"))
        let again = try SettingsStore(folder.settingsPath, makes: false)
        let pin = try #require(try again.pin())
        #expect(pin.matches("4711") && !pin.matches("4712") && pin.hash.hasPrefix("$"))
        let bytes = try Data(contentsOf: URL(filePath: folder.settingsPath))
        #expect(bytes.range(of: Data("4711".utf8)) == nil)
        var attempts = PINAttempts()
        let boot = BootMoment(bootId: "b", sinceBoot: .seconds(100))
        for _ in 0..<PINAttempts.freeTries { _ = attempts.begin(at: boot) }
        try again.save(attempts)
        let kept = try SettingsStore(folder.settingsPath, makes: false).attempts()
        #expect(kept.wait(at: boot) == .seconds(30))
    }

    @Test func `A file of another player is neither read nor written, and one with other tables is damaged`()
        throws
    {
        let change = Sample.change("x1", [.raetselPuzzle])
        let own = folder.path(ofPlayer: "x1")
        try PlayerStore("x1", in: folder, makes: true).save(change)
        try FileManager.default.copyItem(atPath: own, toPath: folder.path(ofPlayer: "x1-old"))
        let refusal = StoreError.Reason.otherPlayer(file: "player-x1.sqlite")
        #expect(reason { try PlayerStore("x1-old", in: folder).player() } == refusal)
        #expect(reason { try PlayerStore("x1-old", in: folder).save(change) } == refusal)
        var old = Sample.change("x1-old", [])
        old.session = nil
        #expect(reason { try PlayerStore("x1-old", in: folder).save(old) } == refusal)
        // The same tables, written in another way.
        let layout = "UPDATE sqlite_master SET sql = replace(sql, ', ', ' ,  ')"
        try RawDatabase(own).execute("PRAGMA writable_schema = ON; \(layout)")
        #expect(try PlayerStore("x1", in: folder).player() == change.player)
        try RawDatabase(own).execute("ALTER TABLE player DROP COLUMN coins")
        #expect(
            reason { try PlayerStore("x1", in: folder) }
                == .corrupt("its tables are not those of this program"))
    }

    @Test func `A damaged file and one of a later version are refused, and stay as they are`() throws {
        let path = folder.path(ofPlayer: "x1")
        try Data("this is no database, but long enough to be one page of one".utf8).write(
            to: URL(filePath: path))
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(reason { try PlayerStore("x1", in: folder) }?.what.hasPrefix("it is damaged") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        try PlayerStore("x2", in: folder, makes: true).save(Sample.change("x2", []))
        try RawDatabase(folder.path(ofPlayer: "x2")).execute("PRAGMA user_version = 9")
        #expect(reason { try PlayerStore("x2", in: folder) } == .newer(version: 9))
    }

    @Test func `On a full disk nothing is lost that was stored before`() throws {
        let store = try PlayerStore("x1", in: folder, makes: true)
        var change = Sample.change("x1", [.raetselPuzzle])
        try store.save(change)
        // Its present size, as less is not possible.
        try store.db.execute("PRAGMA max_page_count = 1")
        let many = (0..<20_000).map {
            CoinEntry(at: Timestamp(seconds: $0), amount: 1, reason: .reward(name: "x"))
        }
        change.coins = many
        #expect(reason { try store.save(change) } == .diskFull)
        #expect(try PlayerStore.coinEntries.all("ORDER BY id", in: store.db).count == 2)
        #expect(try store.player().coins == 2)
    }
}
