package import CounterModel

package enum Stage {
    /// Cards to choose from, one at a time.
    case cards(Deck, index: Int)
    case typing(Typing)
    case level(Playing)
    case goOn(Celebration)
    case watching(ApprovedVideo, since: Moment)
    /// Something is said, then another deck follows.
    case message([String], then: Deck)
    /// The report of a player, from a line on.
    case report([String], top: Int, of: String)
}

/// A set of cards.
package enum Deck: Hashable, Sendable {
    case selection
    case home
    case treasure
    case spending(Offer)
    case leaving(Playing)
    /// The figures for a new player.
    case figures(name: String, fromDashboard: Bool)
    /// At the first start: whether every text is spoken.
    case voice
    // The grown-up's.
    case dashboard
    case player(id: String)
    case erasing(id: String)
    case videos
    case video(id: String)
    case rewards
    case reward(index: Int)
}

package struct Playing: Hashable, Sendable {
    package internal(set) var level: Level
    /// The time played in it, without idle time.
    var played = Duration.zero
    /// What the last key did; `nil` before the first one.
    var answer: LevelAnswer?
    var isPraised = false

    /// The answer to a mistake or a hint, or praise, for the screen; empty after other keys.
    var shownAnswer: String {
        isPraised ? Texts.praise : answer.map { English.shown($0, level.game) } ?? ""
    }
}

/// The screen after a solved level.
package struct Celebration: Hashable, Sendable {
    let coins: Int
    /// When it was shown, by the steady clock.
    let shownAt: Duration
    /// Which picture of the coins that fall and the figure that jumps, 0...``lastFrame``.
    var frame = 0

    static let lastFrame = 20
    static let pace = Duration.milliseconds(80)
}

// MARK: - In and out

/// What a screen asks the program to do.
package enum Effect: Hashable, Sendable {
    /// Says a text; a later one interrupts it.
    case say(String)
    case ring
    /// Writes the player, with new rows.
    case save(coins: [CoinEntry], videos: [VideoRecord])
    case endSession
    case saveSettings
    case make(PlayerData)
    case erase(player: String)
    /// Checks a PIN; the answer comes through `PracticeModel.takeCheck(problem:)`.
    case check(pin: String)
    case set(pin: String)
    case open(link: String)
    case leave
}

/// The time of an input, on both clocks.
package struct Moment: Hashable, Sendable {
    /// The wall clock, which may be set.
    package let time: Timestamp
    /// A clock that nobody sets and that stands still while the machine sleeps (`CLOCK_MONOTONIC`).
    package let steady: Duration
    /// The local days, from midnight to midnight.
    package let calendar: OperationalCalendar
    /// Chooses a level.
    package let seed: UInt64

    package init(time: Timestamp, steady: Duration, calendar: OperationalCalendar, seed: UInt64) {
        (self.time, self.steady, self.calendar, self.seed) = (time, steady, calendar, seed)
    }
}
