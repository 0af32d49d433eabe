import Practice

/// All that is kept: the settings, the PIN and the players. What cannot be written, as on a full disk, is kept in memory and
/// written with the next change.
final class PracticeStorage {
    private let settings: SettingsStore
    private let files: PlayerFiles
    private var unsavedSettings: AppSettings?
    private var unsavedPIN: PIN?

    /// What was not saved and why, for the screen; `nil` while everything is.
    private(set) var problem: String?

    /// Opens the settings.
    ///
    /// - Parameter folder: the directory, which no other program uses.
    /// - Throws: `StoreError`
    init(_ folder: PracticeFolder) throws(StoreError) {
        settings = try SettingsStore(folder.settingsPath, makes: true)
        files = PlayerFiles(folder)
    }

    /// The first model: the settings as of this start, and the players.
    ///
    /// - Throws: `StoreError`
    func model(at now: Moment) throws(StoreError) -> PracticeModel {
        var stored = try settings.settings() ?? .first
        stored.totalLaunches += 1
        stored.lastLaunchDate = now.time
        stored.currentSessionStartTime = nil
        stored.appVersion = PracticeVersion.current
        let (players, troubles) = files.load()
        return PracticeModel(
            settings: stored, hasPIN: try settings.pin() != nil, players: players, troubles: troubles)
    }

    // MARK: - Writing

    func save(_ settings: AppSettings) {
        unsavedSettings = settings
        attempt { () throws(StoreError) in }
    }

    func set(_ pin: PIN) {
        unsavedPIN = pin
        attempt { () throws(StoreError) in }
    }

    func save(
        _ player: PlayerData, session: SessionMetrics?, coins: [CoinEntry], videos: [VideoRecord],
        hasEnded: Bool
    ) {
        attempt { () throws(StoreError) in
            try files.save(player, session: session, coins: coins, videos: videos, hasEnded: hasEnded)
        }
    }

    func make(_ player: PlayerData) {
        attempt { () throws(StoreError) in try files.make(player) }
    }

    func erase(_ player: String) {
        attempt { () throws(StoreError) in try files.erase(player) }
    }

    func check(_ pin: String) -> PINAnswer { PINCheck(store: settings).check(pin) }

    private func attempt(_ body: () throws(StoreError) -> Void) {
        do throws(StoreError) {
            try body()
            if let pin = unsavedPIN { try settings.set(pin) }
            unsavedPIN = nil
            if let settings = unsavedSettings { try self.settings.save(settings) }
            unsavedSettings = nil
            try files.flush()
            problem = nil
        } catch {
            problem = "Not saved: \(error.sentence)"
        }
    }
}

extension AppSettings {
    /// Before the first start. Nothing is heard before somebody asks for it.
    fileprivate static var first: AppSettings {
        var settings = AppSettings(appVersion: PracticeVersion.current)
        settings.audioEnabled = false
        return settings
    }
}
