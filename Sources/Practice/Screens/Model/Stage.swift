import CounterModel
package import CounterTUI

/// What is on the screen.
package enum Stage: Hashable, Sendable {
    /// Cards to choose from, one at a time.
    case cards(Deck, index: Int)
    /// A text is typed.
    case typing(Typing)
    /// A level is played.
    case level(Playing)
    /// A level was solved.
    case goOn(Celebration)
    /// A video is watched.
    case watching(Watching)
    /// Something is said, then another deck follows.
    case message([String], then: Deck)
    /// A page of text.
    case page([String], top: Int, then: Deck)
}

/// A set of cards.
package enum Deck: Hashable, Sendable {
    /// The players.
    case selection
    /// The activities of the player.
    case home
    /// Videos and rewards.
    case treasure
    /// The figures for a new player.
    case figures(name: String, fromDashboard: Bool)
    /// The grown-up's dashboard.
    case dashboard
    /// The grown-up's cards of one player.
    case player(id: String)
    /// Whether to erase a player.
    case erasing(id: String)
    /// The grown-up's videos.
    case videos
    /// What is known about one of them.
    case video(id: String)
    /// The grown-up's rewards.
    case rewards
    /// One of them.
    case reward(index: Int)

    /// Whether it is the grown-up's: a list instead of one card at a time.
    var isList: Bool {
        switch self {
        case .selection, .home, .treasure, .figures: false
        case .dashboard, .player, .erasing, .videos, .video, .rewards, .reward: true
        }
    }
}

/// A level that is played.
package struct Playing: Hashable, Sendable {
    /// The level.
    package internal(set) var level: Level
    /// Its number, from 1.
    package let number: Int
    /// The time played in it, without idle time.
    var played = Duration.zero
    /// The answer to a mistake or a hint, or praise, for the screen; empty after other keys.
    var lastAnswer = ""
    /// Whether the answer is praise.
    var isPraised = false
}

/// The screen after a solved level.
package struct Celebration: Hashable, Sendable {
    let result: LevelResult
    let coins: Int
    /// When it was shown, by the steady clock.
    let shownAt: Duration
}

/// A video that was opened.
package struct Watching: Hashable, Sendable {
    let video: ApprovedVideo
    let openedAt: Timestamp
    /// By the steady clock.
    let since: Duration
}

/// A text that is typed.
package struct Typing: Hashable, Sendable {
    /// What the text is for.
    package enum Purpose: Hashable, Sendable {
        case firstPIN
        case newPIN
        /// `isFirst`: at the first start; the text is the PIN typed before.
        case repeatedPIN(String, isFirst: Bool)
        case pin
        case playerName(fromDashboard: Bool)
        case minutes(player: String)
        case videoLink
        case videoTitle(id: String)
        case videoPrice(id: String, title: String)
        case videoLength(id: String)
        case videoCategory(id: String)
        case rewardName
        case rewardPrice(name: String)
        case volume

        /// Whether the text is hidden on the screen.
        var isSecret: Bool {
            switch self {
            case .firstPIN, .newPIN, .repeatedPIN, .pin: true
            case .playerName, .minutes, .videoLink, .videoTitle, .videoPrice, .videoLength, .videoCategory,
                .rewardName, .rewardPrice, .volume:
                false
            }
        }
    }

    /// What the text is for.
    package let purpose: Purpose
    /// The text so far.
    package var field = TextField()
    /// Why the text was refused.
    var problem: String?

    init(_ purpose: Purpose, problem: String? = nil) {
        self.purpose = purpose
        self.problem = problem
    }
}
