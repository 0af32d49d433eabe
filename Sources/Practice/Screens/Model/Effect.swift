/// What a screen asks the program to do.
package enum Effect: Hashable, Sendable {
    /// Says a text; a later one interrupts it.
    case say(String)
    /// Rings the bell.
    case ring
    /// Writes the player, with new rows.
    case save(coins: [CoinEntry], videos: [VideoRecord])
    /// Writes the player; the session has ended.
    case endSession
    /// Writes the settings.
    case saveSettings
    /// Makes the file of a new player.
    case make(PlayerData)
    /// Erases the file of a player.
    case erase(player: String)
    /// Checks a PIN; the answer comes through `PracticeModel.take(_:at:)`.
    case check(pin: String)
    /// Sets the PIN.
    case set(pin: String)
    /// Opens an address in the desktop's browser.
    case open(link: String)
    /// Ends the program.
    case leave
}

/// The result of checking a PIN.
package enum PINAnswer: Hashable, Sendable {
    /// It was right.
    case right
    /// It was wrong.
    case wrong
    /// It was not checked: the next try must wait.
    case wait(Duration)
    /// It was not checked: the try could not be stored.
    case failed(String)
}

/// A player as read from the file.
package struct LoadedPlayer: Hashable, Sendable {
    /// The player.
    package var player: PlayerData
    /// The number of the next session.
    package var nextSessionId: Int64
    /// The number of the next video.
    package var nextVideoId: Int64

    /// A player as read.
    package init(_ player: PlayerData, nextSessionId: Int64 = 1, nextVideoId: Int64 = 1) {
        self.player = player
        self.nextSessionId = nextSessionId
        self.nextVideoId = nextVideoId
    }
}

/// What a player or a grown-up does.
package enum PracticeInput: Hashable, Sendable {
    /// The up key, an arrow up or right.
    case up
    /// The down key, an arrow down or left.
    case down
    /// Both keys were let go, or Enter.
    case both
    /// Both keys were held, or Escape.
    case home
    /// A card of the deck was clicked.
    case card(Int)
}
