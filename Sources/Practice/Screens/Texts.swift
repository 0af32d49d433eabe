import CounterModel

/// All texts of the screens, in English; what is spoken in a level is in `English` of module Practice. Another language is
/// another pair of files.
enum Texts {
    // MARK: Titles

    static let whoPlays = "Who plays?"
    static let whichFigure = "Which figure?"
    static let treasure = "Treasure"
    static let grownUp = "Grown-up"
    static let tooSmall = "too small: 20 x 6"

    static func home(_ player: PlayerData) -> String { player.name }
    static func level(_ level: Level, number: Int) -> String { "\(English.name(level.activity)) \(number)" }

    // MARK: Keys

    /// What the keys do; empty for a key that is not shown.
    typealias KeyTexts = (up: String, down: String, both: String, home: String)

    static func keys(_ stage: Stage) -> KeyTexts {
        switch stage {
        case .cards(.selection, _): ("next", "back", "choose", "")
        case .cards(.home, _): ("next", "back", "choose", "players")
        case .cards(.treasure, _): ("next", "back", "choose", "home")
        case .cards: ("next", "back", "choose", "back")
        case .level(let playing): keys(playing.level.activity)
        case .page: ("on", "back", "done", "")
        case .typing: ("", "", "go on", "back")
        case .message, .goOn, .watching: ("", "", "go on", "")
        }
    }

    private static func keys(_ activity: ActivityType) -> KeyTexts {
        switch activity {
        case .zahlenWuerfel: ("more", "less", "done", "home")
        case .zahlenWaehle: ("on", "back", "choose", "home")
        case .raetselPuzzle: ("on", "colour", "done", "home")
        case .raetselLabyrinth: ("walk", "turn", "hint", "home")
        }
    }

    static let more = "more below"

    // MARK: What is asked

    static func task(_ view: LevelView) -> String {
        switch view {
        case .dice(let dice): dice.dice.count > 1 ? "Up for all the dots" : "Up for each dot"
        case .choice(let choice): "How many? \(choice.round) of \(choice.rounds)"
        case .puzzle: "Make it the same"
        case .labyrinth: "Walk to the *"
        }
    }

    /// Coins, days in a row and the time left, in forms from long to short.
    static func status(_ player: PlayerData, _ limit: DailyLimit.State) -> [String] {
        let (coins, left) = (coins(player.coins), minutes(limit))
        let streak = player.consecutiveDays > 0 ? ["\(coins), \(days(player.consecutiveDays)), \(left)"] : []
        return streak + ["\(coins), \(left)", left]
    }

    static func coins(_ count: Int) -> String { count == 1 ? "1 coin" : "\(count) coins" }
    static func days(_ count: Int) -> String { count == 1 ? "day 1" : "day \(count)" }

    static func minutes(_ limit: DailyLimit.State) -> String {
        switch limit {
        case .open(let left), .ending(let left): "\(left) min left"
        case .reached: "no time left"
        }
    }

    /// The same in words, for the voice.
    static func spokenStatus(_ player: PlayerData, _ limit: DailyLimit.State) -> String {
        let streak = player.consecutiveDays > 0 ? ", \(days(player.consecutiveDays))" : ""
        let time =
            switch limit {
            case .open(let left), .ending(let left): left == 1 ? "1 minute left" : "\(left) minutes left"
            case .reached: "no time left"
            }
        return "\(coins(player.coins))\(streak), \(time)."
    }

    /// A title as a sentence, so that the voice pauses after it.
    static func sentence(_ title: String) -> String {
        title.last.map { "?!.".contains($0) } ?? true ? title : title + "."
    }

    static func unlocked(_ progress: ActivityProgress) -> String { "Level \(progress.currentLevel)" }
    static let locked = "closed by the grown-up"
    static func until(_ day: String) -> String { "Enough for today. On again at \(day)." }
    static let lastMinutes = "Five minutes left."
    static let pause = "Ten minutes: time for a break?"

    // MARK: After a level

    static let goOn = "Go on"
    static func solved(_ coins: Int) -> String {
        "Solved! \(coins == 1 ? "1 coin" : "\(coins) coins") for you."
    }
    static func again(_ solved: Int) -> String { solved == 1 ? "1 level today" : "\(solved) levels today" }
    static let praise = "Good!"

    // MARK: Treasure

    static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
    static func length(_ duration: Duration) -> String {
        duration == .zero ? "not known" : "\(duration.components.seconds / 60) min"
    }
    static func price(_ price: Int) -> String { "costs \(coins(price))" }
    static func tooDear(_ price: Int, _ balance: Int) -> String {
        "It costs \(coins(price)), you have \(coins(balance))."
    }
    static let nothingYet = "Nothing here yet"
    static func given(_ name: String) -> String { "Yours: \(name). Tell the grown-up!" }
    static func watching(_ title: String) -> String { "Have fun: \(title)" }
    static let comeBack = "Both keys when it is over"

    // MARK: Typing

    static func title(_ purpose: Typing.Purpose) -> String {
        switch purpose {
        case .firstPIN: "Grown-up: choose a PIN"
        case .newPIN: "The new PIN"
        case .repeatedPIN: "The PIN once more"
        case .pin: "PIN of the grown-up"
        case .playerName: "The player's name"
        case .minutes: "Minutes per day"
        case .videoLink: "Address of the video"
        case .videoTitle: "What is it called?"
        case .videoPrice: "Its price in coins"
        case .videoLength: "How many minutes does it last?"
        case .videoCategory: "In which group is it?"
        case .rewardName: "Which reward?"
        case .rewardPrice: "Its price in coins"
        case .volume: "How loud is the voice?"
        }
    }

    static func hint(_ purpose: Typing.Purpose) -> String {
        switch purpose {
        case .firstPIN, .newPIN: "4 to 12 digits, then Enter. The dashboard asks for it."
        case .repeatedPIN: "The same digits again, then Enter."
        case .pin: "Then Enter; Escape goes back."
        case .playerName: "Up to 40 letters, then Enter."
        case .minutes: "0 to 1440, then Enter."
        case .videoLink: "From YouTube; only this video can be opened."
        case .videoTitle, .rewardName: "Up to 40 letters, then Enter."
        case .videoPrice, .rewardPrice: "0 to 1000, then Enter. Enter alone: 10."
        case .videoLength: "1 to 600, then Enter. Enter alone: not known."
        case .videoCategory: "Up to 40 letters, then Enter. Enter alone: none."
        case .volume: "0 to 100, then Enter."
        }
    }

    static let noPIN = "A PIN has 4 to 12 digits."
    static let otherPIN = "That was another PIN. Begin again."
    static let wrongPIN = "That is not the PIN."
    static func wait(_ duration: Duration) -> String {
        // Rounded up: after that time the next try is free.
        let seconds = Int(duration.components.seconds) + (duration.components.attoseconds > 0 ? 1 : 0)
        return "Too many tries: wait \(seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min")."
    }
    static let takenName = "Another player has that name."
    static let noName = "A name has 1 to 40 letters."
    static let noNumber = "That is no number from this range."
}
