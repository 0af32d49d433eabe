import Practice
import PracticeScreens
import PracticeStore

/// The open files of the players, and what could not be written yet.
///
/// A change that fails (a full disk) is kept and written with the next one, so nothing is lost while the program runs.
final class PlayerFiles {
    private let folder: PracticeFolder
    private var stores: [String: PlayerStore] = [:]
    private var unsaved: [String: PlayerChange] = [:]
    /// How many levels of the running session are stored.
    private var storedLevels = 0

    init(_ folder: PracticeFolder) { self.folder = folder }

    /// Reads all players. A session that was not ended is ended as it stood.
    ///
    /// - Returns: the players, and why others cannot be read.
    func load() -> (players: [LoadedPlayer], troubles: [String]) {
        var players: [LoadedPlayer] = []
        var troubles: [String] = []
        for id in folder.playerIds {
            do throws(StoreError) { players.append(try load(id)) } catch { troubles.append("\(error). \(error.remedy)") }
        }
        return (players, troubles)
    }

    private func load(_ id: String) throws(StoreError) -> LoadedPlayer {
        let store = try PlayerStore(folder.path(ofPlayer: id))
        var player = try store.player()
        stores[id] = store
        if let session = try store.openSession(of: id) {
            player.end(session: session)
            var change = PlayerChange(player: player)
            change.session = session
            change.storedLevels = session.levels.count
            change.hasEnded = true
            do throws(StoreError) { try store.save(change) } catch { unsaved[id] = change }
        }
        return LoadedPlayer(
            player, nextSessionId: try store.nextSessionId(), nextVideoId: try store.nextVideoId())
    }

    /// Makes the file of a new player.
    func make(_ player: PlayerData) throws(StoreError) {
        let path = folder.path(ofPlayer: player.id)
        let store = try PlayerStore(path, makes: true)
        stores[player.id] = store
        try store.save(PlayerChange(player: player))
    }

    /// Writes a player with new rows.
    func save(
        _ player: PlayerData, session: SessionMetrics?, coins: [CoinEntry] = [], videos: [VideoRecord] = [],
        hasEnded: Bool = false
    ) throws(StoreError) {
        var change = unsaved[player.id] ?? PlayerChange(player: player)
        change.player = player
        change.coins += coins
        change.videos += videos
        change.session = session ?? change.session
        change.storedLevels = storedLevels
        change.hasEnded = hasEnded
        unsaved[player.id] = change
        guard let store = stores[player.id] else { return }
        try store.save(change)
        unsaved[player.id] = nil
        storedLevels = hasEnded ? 0 : session?.levels.count ?? 0
    }

    /// Whether something waits for the disk.
    var hasUnsaved: Bool { !unsaved.isEmpty }

    /// Erases a player.
    func erase(_ id: String) throws(StoreError) {
        stores[id] = nil
        unsaved[id] = nil
        try folder.erase(player: id)
    }
}
