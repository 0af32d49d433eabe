import Practice

/// The open files of the players, and what could not be written yet.
///
/// A change that fails (a full disk) is kept and written with the next one, so nothing is lost while the program runs.
final class PlayerFiles {
    private let folder: PracticeFolder
    private var stores: [String: PlayerStore] = [:]
    /// In the order of time.
    private var unsaved: [String: [PlayerChange]] = [:]
    /// How many levels of each player's last session are stored.
    private var stored: [String: (session: Int64, levels: Int)] = [:]

    init(_ folder: PracticeFolder) { self.folder = folder }

    /// Reads all players. A session that was not ended is ended as it stood.
    ///
    /// - Returns: the players, and why others cannot be read.
    func load() -> (players: [LoadedPlayer], troubles: [String]) {
        var players: [LoadedPlayer] = []
        var troubles: [String] = []
        for id in folder.playerIds {
            do throws(StoreError) { players.append(try load(id)) } catch {
                troubles.append(error.sentence)
            }
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
            do throws(StoreError) { try store.save(change) } catch { unsaved[id] = [change] }
        }
        return LoadedPlayer(
            player, nextSessionId: try store.nextSessionId(), nextVideoId: try store.nextVideoId())
    }

    /// Makes the file of a new player.
    func make(_ player: PlayerData) throws(StoreError) {
        unsaved[player.id] = [PlayerChange(player: player)]
        try flush(player.id)
    }

    /// Writes a player with new rows, after all that could not be written before.
    func save(
        _ player: PlayerData, session: SessionMetrics?, coins: [CoinEntry] = [], videos: [VideoRecord] = [],
        hasEnded: Bool = false
    ) throws(StoreError) {
        var waiting = unsaved[player.id] ?? []
        var change = PlayerChange(player: player)
        // A change of the same session is one with the last.
        if let last = waiting.last, last.session?.sessionId == session?.sessionId {
            change = waiting.removeLast()
        }
        change.player = player
        change.coins += coins
        change.videos += videos
        change.session = session
        change.hasEnded = hasEnded
        unsaved[player.id] = waiting + [change]
        try flush(player.id)
    }

    /// Writes what could not be written before.
    func flush() throws(StoreError) {
        for id in unsaved.keys.sorted() { try flush(id) }
    }

    private func flush(_ id: String) throws(StoreError) {
        let store: PlayerStore
        if let opened = stores[id] {
            store = opened
        } else {
            store = try PlayerStore(folder.path(ofPlayer: id), makes: true)
            stores[id] = store
        }
        while var change = unsaved[id]?.first {
            let session = change.session?.sessionId
            if let stored = stored[id], stored.session == session { change.storedLevels = stored.levels }
            try store.save(change)
            stored[id] = session.map { ($0, change.session?.levels.count ?? 0) }
            unsaved[id]?.removeFirst()
        }
        unsaved[id] = nil
    }

    /// Erases a player.
    func erase(_ id: String) throws(StoreError) {
        stores[id] = nil
        unsaved[id] = nil
        try folder.erase(player: id)
    }
}
