public import Practice

/// What one save writes: the player as it is now, and the rows that are new since the last save that succeeded.
public struct PlayerChange: Hashable, Sendable {
    /// The player.
    public var player: PlayerData
    /// New rows of the balance.
    public var coins: [CoinEntry] = []
    /// New videos.
    public var videos: [VideoRecord] = []
    /// The session; `nil` where none runs.
    public var session: SessionMetrics?
    /// How many of the session's levels were stored before.
    public var storedLevels = 0
    /// Whether the session has ended.
    public var hasEnded = false

    /// A change of nothing but the player.
    public init(player: PlayerData) { self.player = player }
}
