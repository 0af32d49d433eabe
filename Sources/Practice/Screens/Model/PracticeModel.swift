/// All screens as a state machine: inputs and times in, effects out. It reads no clock, no file and no terminal.
package struct PracticeModel: Hashable, Sendable {
    /// The settings.
    package internal(set) var settings: AppSettings
    /// The players that can be read, in the order in which they were made.
    package internal(set) var players: [LoadedPlayer]
    /// What is on the screen.
    package internal(set) var stage: Stage
    /// What was not saved and why; `nil` while everything is.
    package var unsaved: String?
    /// Something that is told until the next key; `nil` where nothing is.
    package var notice: String?
    /// Until when the notice stays, whatever keys come, by the steady clock.
    var noticeEnd = Duration.zero
    /// The number of the selected player; `nil` while nobody plays.
    var current: Int?
    /// The session of the selected player.
    package internal(set) var session: SessionMetrics?
    /// Measures the time; `nil` while nobody plays or the program is in the background.
    var meter: PlayMeter?
    /// When a key was last pressed, by the steady clock.
    var lastKey = Duration.zero
    /// The local time at which the next day begins, as it is said.
    var untilWhen = ""
    /// What is said before a player begins; empty where the keys are this program's own.
    package var warning: [String] = []
    /// Why some players are not in the selection.
    let troubles: [String]

    /// The first screen.
    ///
    /// - Parameters:
    ///   - settings: as stored.
    ///   - hasPIN: whether the grown-up has chosen one; without one it is the first start.
    ///   - players: all players that can be read.
    ///   - troubles: why others cannot.
    package init(
        settings: AppSettings, hasPIN: Bool, players: [LoadedPlayer], troubles: [String] = []
    ) {
        self.settings = settings
        self.players = players
        self.troubles = troubles
        let chosen = players.firstIndex { $0.player.id == settings.lastActivePlayerId } ?? 0
        // Behind a PIN only the grown-up makes players: a new one would have a day's time.
        stage = hasPIN ? .cards(.selection, index: chosen) : .typing(Typing(.firstPIN))
    }

    /// The selected player; `nil` while nobody plays.
    package var player: PlayerData? {
        get { current.map { players[$0].player } }
        set { if let current, let newValue { players[current].player = newValue } }
    }

    /// What the limit of the selected player says now.
    var limit: DailyLimit.State {
        guard let player else { return .open(minutesLeft: 0) }
        return settings.parentSettings.dailyLimit(of: player.id).state(of: player.today)
    }

    /// What is spoken when the program starts.
    package func greeting() -> [Effect] { [.say(spoken)] }

    /// The text that is spoken of the present screen.
    var spoken: String {
        switch stage {
        case .cards(let deck, let index):
            let cards = cards(of: deck)
            let state = deck == .home ? player.map { "\(Texts.spokenStatus($0, limit)) " } ?? "" : ""
            let pause = deck == .home && isTimeForBreak ? "\(Texts.pause) " : ""
            return "\(Texts.sentence(title(of: deck))) \(state)\(pause)"
                + cards[min(index, cards.count - 1)].spoken
        case .typing(let typing):
            return [typing.problem, Texts.title(typing.purpose)].compactMap(\.self).joined(separator: " ")
        case .level(let playing): return English.task(playing.level.view)
        case .goOn(let celebration): return "\(Texts.solved(celebration.coins)) \(Texts.goOn): both keys."
        case .watching(let watching): return "\(Texts.watching(watching.video.title)). \(Texts.comeBack)."
        case .message(let lines, _), .page(let lines, _, _): return lines.joined(separator: " ")
        }
    }

    /// Whether home proposes a break: after ten minutes, to a player who prefers short sessions.
    var isTimeForBreak: Bool {
        guard let player, let session else { return false }
        return player.learningProfile.prefersShortSessions
            && session.duration >= LearningProfile.shortSession
    }

    /// Goes to a deck, at the card that was shown there last where that is known, and says it.
    mutating func show(_ deck: Deck, at index: Int = 0) -> [Effect] {
        stage = .cards(deck, index: index)
        return [.say(spoken)]
    }

    mutating func show(_ stage: Stage) -> [Effect] {
        self.stage = stage
        return [.say(spoken)]
    }
}
