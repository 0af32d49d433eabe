import CounterModel

/// The texts of the screens, in English; what is spoken in a level is in ``English``. Another language is another file like this.
enum Texts {
    // MARK: Titles

    static let whoPlays = "Who plays?"
    static let whichFigure = "Which figure?"
    static let treasure = "Treasure"
    static func spend(_ offer: Offer) -> String { "\(offer.name) for \(coins(offer.price))?" }
    static let leave = "Stop this level?"
    static let shallSpeak = "Shall it speak?"
    static let grownUp = "Grown-up"
    static let tooSmall = "too small: 20 x 6"

    static func level(_ level: Level) -> String { "\(English.name(level.activity)) \(level.number)" }

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
        case .report: ("on", "back", "done", "")
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

    static func task(_ game: Game) -> String {
        switch game {
        case .dice(let dice): dice.dice.count > 1 ? "Up for all the dots" : "Up for each dot"
        case .choice(let choice): "How many? \(choice.round) of \(choice.rounds)"
        case .puzzle: "Make it the same"
        case .labyrinth: "Walk to the *"
        }
    }

    /// Coins, days in a row and the time left, in forms from long to short.
    static func status(_ player: PlayerData, _ streak: Int, _ minutes: Int) -> [String] {
        let (coins, left) = (coins(player.coins), minutes == 0 ? noTime : "\(minutes) min left")
        return (streak > 0 ? ["\(coins), day \(streak), \(left)"] : []) + ["\(coins), \(left)", left]
    }

    static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
    static func coins(_ count: Int) -> String { counted(count, "coin") }

    /// The same in words, for the voice.
    static func spokenStatus(_ player: PlayerData, _ streak: Int, _ minutes: Int) -> String {
        let days = streak > 0 ? ", day \(streak)" : ""
        let time = minutes == 0 ? noTime : "\(counted(minutes, "minute")) left"
        return "\(coins(player.coins))\(days), \(time)."
    }

    private static let noTime = "no time left"

    /// A title as a sentence, so that the voice pauses after it.
    static func sentence(_ title: String) -> String {
        title.last.map { "?!.".contains($0) } ?? true ? title : title + "."
    }

    static func unlocked(_ progress: ActivityProgress) -> String { "Level \(progress.currentLevel)" }
    static let locked = "closed by the grown-up"
    static func until(_ day: String) -> String { "Enough for today. On again \(day)." }
    static let lastMinutes = "Five minutes left."
    static let pause = "Ten minutes: time for a break?"

    // MARK: After a level

    static let goOn = "Go on"
    static func solved(_ coins: Int) -> String { "Solved! \(self.coins(coins)) for you." }
    static func again(_ solved: Int, _ streak: Int) -> String {
        "\(counted(solved, "level")) today" + (streak > 1 ? ", \(streak) days in a row" : "")
    }
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
    static func comeBack(_ hasKeys: Bool) -> String { "\(hasKeys ? "Both keys" : "Enter") when it is over" }

    // MARK: Typing

    typealias Asked = (title: String, hint: String)

    static let firstPIN: Asked = (
        "Grown-up: choose a PIN", "4 to 12 digits, then Enter. The dashboard asks for it. Escape leaves."
    )
    static let newPIN: Asked = ("The new PIN", "4 to 12 digits, then Enter. The dashboard asks for it.")
    static let repeatedPIN: Asked = ("The PIN once more", "The same digits again, then Enter.")
    static let pin: Asked = ("PIN of the grown-up", "Then Enter; Escape goes back.")
    static let playerName: Asked = ("The player's name", "Up to 40 letters, then Enter.")
    static let minutesPerDay: Asked = ("Minutes per day", "0 to 1440, then Enter.")
    static let videoLink: Asked = ("Address of the video", "From YouTube; only this video can be opened.")
    static let videoTitle: Asked = ("What is it called?", playerName.hint)
    static let price: Asked = ("Its price in coins", "0 to 1000, then Enter. Enter alone: 10.")
    static let videoLength: Asked = (
        "How many minutes does it last?", "1 to 600, then Enter. Enter alone: not known."
    )
    static let videoCategory: Asked = (
        "In which group is it?", "Up to 40 letters, then Enter. Enter alone: none."
    )
    static let rewardName: Asked = ("Which reward?", playerName.hint)
    static let volume: Asked = ("How loud is the voice?", "0 to 100, then Enter.")

    static let noPIN = "A PIN has 4 to 12 digits."
    static let otherPIN = "That was another PIN. Begin again."
    static let wrongPIN = "That is not the PIN."
    static func wait(_ duration: Duration) -> String {
        // Rounded up: after that time the next try is free.
        let seconds = Int(duration.inSeconds.rounded(.up))
        return "Too many tries: wait \(seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min")."
    }
    static let takenName = "Another player has that name."
    static let noName = "A name has 1 to 40 letters."
    static let noNumber = "That is no number from this range."
}

// MARK: - What is spoken in a level

/// Each activity can be played by somebody who only hears this: the task, then the answer to each key.
package enum English {
    /// What there is to do and to see, spoken when a level begins, and at each further question.
    package static func task(_ view: Game) -> String {
        switch view {
        case .dice(let view): dice(view)
        case .choice(let view): choice(view)
        case .puzzle(let view): puzzle(view)
        case .labyrinth(let view): "Find the goal. Up walks, down turns, both gives a hint. " + place(view)
        }
    }

    /// What an input did; `view` is what the player sees after it.
    package static func answer(_ answer: LevelAnswer, _ view: Game) -> String {
        switch answer {
        case .number(let value): number(value)
        case .noFurther(let value): "\(number(value)). There is no further number."
        case .nextQuestion: "Right. " + task(view)
        case .cell, .walked: here(view)
        case .color(let color): name(color)
        case .turned(let direction): "Looking \(direction)."
        case .hint(let key): "Hint: press \(name(key))."
        case .mistake(let hint): mistake(view, hint, isSeen: false)
        case .solved: "Solved. Well done!"
        }
    }

    /// What the screen says of an answer: mistakes and hints, without what can be seen.
    package static func shown(_ answer: LevelAnswer, _ view: Game) -> String {
        switch answer {
        case .mistake(let hint): capitalized(mistake(view, hint, isSeen: true))
        case .hint: self.answer(answer, view)
        case .number, .noFurther, .nextQuestion, .cell, .color, .walked, .turned, .solved: ""
        }
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// A number as a word up to twenty; as digits otherwise.
    package static func number(_ value: Int) -> String {
        words.indices.contains(value) ? words[value] : String(value)
    }

    package static func name(_ activity: ActivityType) -> String {
        switch activity {
        case .raetselPuzzle: "Pattern"
        case .raetselLabyrinth: "Labyrinth"
        case .zahlenWuerfel: "Dice"
        case .zahlenWaehle: "Count"
        }
    }

    /// A colour with its shape, such as "red circle".
    package static func name(_ color: Puzzle.Color) -> String { "\(color) \(color.shape)" }

    static func name(_ key: LevelInput) -> String {
        switch key {
        case .up: "up"
        case .down: "down"
        case .both: "both keys"
        }
    }
}

// MARK: Tasks

extension English {
    private static func dice(_ view: Dice) -> String {
        let pips = view.dice.map(number).joined(separator: " and ")
        let total = view.dice.count > 1 ? " Together \(number(view.pips))." : ""
        let shown = view.dice.count > 1 ? "The dice show" : "The die shows"
        return "\(shown) \(pips).\(total) Press up so often, then both keys. Down takes one back."
    }

    /// Each thing is named once, to be counted by ear.
    private static func choice(_ view: Choice) -> String {
        let things = Array(repeating: view.thing.rawValue, count: view.count).joined(separator: ", ")
        let numbers = view.numbers.map(number).joined(separator: ", ")
        return "Count: \(things). Which number is it: \(numbers)? You are at "
            + "\(number(view.numbers[view.cursor])). Up goes on, down goes back, both keys choose."
    }

    private static func puzzle(_ view: Puzzle) -> String {
        let colors = Puzzle.Color.allCases.prefix(view.colorCount).map(name)
        return "Copy the pattern: \(number(view.size)) rows of \(number(view.size)). Up goes on, down "
            + "changes the colour, in this order: \(colors.joined(separator: ", ")). Both keys when it is done. "
            + cell(view)
    }
}

// MARK: Places

extension English {
    private static func here(_ view: Game) -> String {
        switch view {
        case .puzzle(let view): cell(view)
        case .labyrinth(let view): place(view)
        case .dice, .choice: ""
        }
    }

    private static func cell(_ view: Puzzle) -> String {
        let cell = view.cursor
        return "\(position(cell, of: view.size)): it is a \(name(view.copy[cell])), it should be "
            + "a \(name(view.pattern[cell]))."
    }

    private static func place(_ view: Labyrinth) -> String {
        let open = Labyrinth.Direction.allCases.filter(view.openings[view.figure].contains)
        return "You are at \(position(view.figure, of: view.width)), looking \(view.facing). "
            + "Open: \(open.map { "\($0)" }.joined(separator: ", ")). "
            + "The goal is at \(position(view.goal, of: view.width))."
    }

    private static func position(_ cell: Int, of width: Int) -> String {
        "row \(number(cell / width + 1)), place \(number(cell % width + 1))"
    }
}

// MARK: Mistakes

extension English {
    /// `isSeen`: on the screen, which marks the place and shows the task.
    private static func mistake(_ view: Game, _ hint: Bool, isSeen: Bool) -> String {
        switch view {
        case .dice(let dice):
            let missing = dice.pips - dice.pressed
            let key = missing > 0 ? "up" : "down"
            let help = hint ? " Press \(key) \(times(abs(missing)))." : ""
            return "\(number(dice.pressed)) is too \(missing > 0 ? "few" : "many").\(help)"
        case .choice(let choice):
            let help = hint ? " It is \(number(choice.count))." : isSeen ? "" : " " + task(view)
            return "It is not \(number(choice.numbers[choice.cursor])).\(help)"
        case .puzzle(let puzzle): return differences(of: puzzle, hint, isSeen)
        case .labyrinth: return "A dead end." + (isSeen ? "" : " " + here(view))
        }
    }

    private static func differences(of puzzle: Puzzle, _ hint: Bool, _ isSeen: Bool) -> String {
        let (count, first) = (puzzle.missing, puzzle.wrong ?? 0)
        let cells = count == 1 ? "One cell is different." : "\(number(count)) cells are different."
        let wanted = "should be a \(name(puzzle.pattern[first]))."
        if isSeen { return cells + (hint ? " The marked one \(wanted)" : "") }
        return "\(cells) The first is \(position(first, of: puzzle.size))" + (hint ? ": it \(wanted)" : ".")
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(number(count)) times" }

    private static let words = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    ]
}

// MARK: - The report

extension PlayerData {
    /// What the grown-up reads about the player at a moment, as lines of text.
    package func report(_ parent: ParentSettings, at now: Moment) -> [String] {
        var player = self
        player.today.begin(at: now.time, in: now.calendar)
        return [
            "\(name), \(avatarName)",
            "coins \(coins), earned in all \(totalCoinsEarned)",
            "days in a row \(player.streak(in: now.calendar))",
            "today \(player.todayPlayTimeMinutes) of \(Texts.counted(parent.dailyMinutes(of: id), "minute")), "
                + "\(Texts.counted(player.today.activitiesCompleted, "level")) solved, "
                + "\(Texts.counted(player.today.videosWatched.count, "video")) watched",
        ] + activityLines + profileLines
    }

    private var activityLines: [String] {
        ActivityType.allCases.compactMap { activity in
            guard let progress = activityProgress[activity] else { return nil }
            let difficulty = Int((progress.currentDifficulty * 100).rounded())
            return
                "\(English.name(activity)): level \(progress.currentLevel), \(progress.totalLevelsCompleted) solved, "
                + "\(progress.quitCount) quit, \(Texts.counted(progress.mistakeCount, "mistake")), "
                + "\(Texts.counted(progress.hintRequestCount, "hint")), "
                + "difficulty \(difficulty)%, \(progress.totalTimeSpentSeconds) s"
        }
    }

    private var profileLines: [String] {
        let profile = learningProfile
        let favourite = profile.preferredActivityTypes.max {
            ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue)
        }
        let hour = profile.timeOfDayPreference.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return [
            favourite.map { "plays most: \(English.name($0.key))" },
            hour.map { "begins most often at \($0.key):00" },
            profile.needsMoreEncouragement ? "quits often: each right step is praised" : nil,
            profile.prefersShortSessions
                ? "sessions are short: home proposes a break after ten minutes" : nil,
            profile.respondsWellToHints ? nil : "hints do not help much: they come after the fifth mistake",
            profile.celebrationEngagement ? nil : "takes long to go on after a level",
        ].compactMap(\.self)
    }
}

// MARK: - Who else receives the keys

/// Why presses may reach somebody else, which a player is told.
package enum KeySharing: Hashable, Sendable {
    /// Other programs may receive the keys too.
    case shared
    /// Another counter has the keys of these devices.
    case taken(by: String)
    case noKeys

    /// The sentences of the screen. The first one says it all: a small terminal has no room for the others.
    package var lines: [String] {
        switch self {
        case .shared:
            [
                "Other programs may get these presses too.",
                "The volume may move, and counters that listen may count.",
                "With the arrow keys and Enter nothing else counts.",
            ]
        case .taken(let devices):
            [
                "Another program counts every press.",
                "It has the keys of \(devices).",
                "End it first, or use the arrow keys and Enter.",
            ]
        case .noKeys:
            [
                "No volume keys can be read.",
                "The arrow keys, Enter and clicks work.",
                "counter doctor tells why.",
            ]
        }
    }
}
