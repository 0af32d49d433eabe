/// What one save writes: the player as it is now, and the rows that are new since the last save that succeeded.
package struct PlayerChange: Hashable, Sendable {
    /// The player.
    package var player: PlayerData
    /// New rows of the balance.
    package var coins: [CoinEntry] = []
    /// New videos.
    package var videos: [VideoRecord] = []
    /// The session; `nil` where none runs.
    package var session: SessionMetrics?
    /// How many of the session's levels were stored before.
    package var storedLevels = 0
    /// Whether the session has ended.
    package var hasEnded = false

    /// A change of nothing but the player.
    package init(player: PlayerData) { self.player = player }
}
