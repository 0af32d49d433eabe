import Linux

/// All that is kept: the settings, the PIN and the players. What cannot be written, as on a full disk, is kept in memory and
/// written with the next change.
package final class PracticeStorage {
    private let settings: SettingsStore
    private let folder: PracticeFolder
    private var stores: [String: PlayerStore] = [:]
    /// The changes of each player, in the order of time.
    private var unsaved: [String: [PlayerChange]] = [:]
    private var unsavedSettings: AppSettings?
    private var unsavedPIN: PIN?

    /// What was not saved and why, for the screen; `nil` while everything is.
    package private(set) var problem: String?

    /// Opens the settings in a directory that no other program uses.
    package init(_ folder: PracticeFolder) throws(StoreError) {
        settings = try SettingsStore(folder.settingsPath, makes: true)
        self.folder = folder
    }

    /// The first model: the settings as of this start of a version of the program, and the players.
    package func model(at now: Moment, version: String) throws(StoreError) -> PracticeModel {
        // Nothing is heard before somebody asks for it.
        var stored = try settings.settings() ?? AppSettings(audioEnabled: false, appVersion: "")
        stored.totalLaunches += 1
        stored.lastLaunchDate = now.time
        stored.currentSessionStartTime = nil
        stored.appVersion = version
        let (players, troubles) = load()
        return PracticeModel(
            settings: stored, hasPIN: try settings.pin() != nil, players: players, troubles: troubles)
    }

    package func save(_ settings: AppSettings) {
        unsavedSettings = settings
        attempt {}
    }

    package func set(_ pin: PIN) {
        unsavedPIN = pin
        attempt {}
    }

    /// Saves a player as it is now, with new rows, after all that could not be written before.
    package func save(
        _ player: PlayerData, session: SessionMetrics? = nil, coins: [CoinEntry] = [],
        videos: [VideoRecord] = [], hasEnded: Bool = false
    ) {
        var waiting = unsaved[player.id] ?? []
        var change = PlayerChange(
            player: player, coins: coins, videos: videos, session: session, hasEnded: hasEnded)
        // A change of the same session is one with the last.
        if let last = waiting.last, last.session?.sessionId == session?.sessionId {
            waiting.removeLast()
            change.coins = last.coins + coins
            change.videos = last.videos + videos
        }
        unsaved[player.id] = waiting + [change]
        attempt { () throws(StoreError) in try write(player.id) }
    }

    package func erase(_ player: String) {
        (stores[player], unsaved[player]) = (nil, nil)
        attempt { () throws(StoreError) in try folder.erase(player: player) }
    }

    /// Does something, and then what failed before.
    private func attempt(_ body: () throws(StoreError) -> Void) {
        do throws(StoreError) {
            try body()
            if let pin = unsavedPIN { try settings.set(pin) }
            unsavedPIN = nil
            if let settings = unsavedSettings { try self.settings.save(settings) }
            unsavedSettings = nil
            for id in unsaved.keys.sorted() { try write(id) }
            problem = nil
        } catch {
            problem = "Not saved: \(error.sentence)"
        }
    }

    private func write(_ id: String) throws(StoreError) {
        let store: PlayerStore
        if let opened = stores[id] {
            store = opened
        } else {
            store = try PlayerStore(id, in: folder, makes: true)
            stores[id] = store
        }
        while let change = unsaved[id]?.first {
            try store.save(change)
            unsaved[id]?.removeFirst()
        }
        unsaved[id] = nil
    }

    // MARK: - Reading

    /// Reads all players, and why some cannot be read. A session that was not ended is ended as it stood.
    private func load() -> (players: [PlayerData], troubles: [String]) {
        var (players, troubles) = ([PlayerData](), [String]())
        for id in folder.playerIds {
            do throws(StoreError) { players.append(try load(id)) } catch {
                troubles.append(error.sentence)
            }
        }
        return (players, troubles)
    }

    /// All is read before anything is written: a file that is damaged stays as it is.
    private func load(_ id: String) throws(StoreError) -> PlayerData {
        let store = try PlayerStore(id, in: folder)
        var player = try store.player()
        player.nextSessionId = try store.next("session_id", in: "session")
        player.nextVideoId = try store.next("id", in: "video_record")
        let session = try store.openSession()
        stores[id] = store
        guard let session else { return player }
        player.end(session: session)
        save(player, session: session, hasEnded: true)
        return player
    }

    /// Checks the grown-up's PIN, and returns why it opens nothing; `nil` where it is right. A try is stored before it is made, so
    /// that a program that is killed gives none for free.
    package func check(_ text: String) -> String? {
        do throws(StoreError) {
            guard let pin = try settings.pin() else { return "There is no PIN." }
            var attempts = try settings.attempts()
            let now = BootMoment(
                bootId: Clock.bootId ?? "", sinceBoot: .microseconds(Clock.boottime.microseconds))
            guard attempts.begin(at: now) else { return Texts.wait(attempts.wait(at: now)) }
            try settings.save(attempts)
            guard pin.matches(text) else { return Texts.wrongPIN }
            attempts.succeed()
            try settings.save(attempts)
            return nil
        } catch { return "\(error)" }
    }
}
