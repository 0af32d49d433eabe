import CounterModel
import CounterTUI
import Testing

@testable import Practice

/// Results, players and moments of the tests.
enum Sample {
    /// 2026-06-01 12:00:00 UTC.
    static let noon = Timestamp(seconds: 1_780_315_200)
    static let utc = OperationalCalendar(zone: .utc)

    static func result(
        _ activity: ActivityType = .zahlenWuerfel, level: Int = 1, solved: Bool = true, mistakes: Int = 0,
        hints: Int = 0, seconds: Int = 30, at: Timestamp = noon
    ) -> LevelResult {
        LevelResult(
            activity: activity, level: level, solved: solved, mistakes: mistakes, hints: hints,
            solveTime: .seconds(seconds), endedAt: at)
    }

    static func player(_ id: String = "a") -> PlayerData {
        PlayerData(id: id, name: "Ada", avatar: .bear, createdAt: noon)
    }

    static func session(
        _ levels: [LevelResult] = [], minutes: Int = 15, hour: Int = 16, number: Int64 = 1
    ) -> SessionMetrics {
        var session = SessionMetrics(sessionId: number, startTime: noon, startHour: hour)
        session.levels = levels
        session.duration = .seconds(minutes * 60)
        session.endTime = noon.later(by: minutes * 60)
        return session
    }
}

extension Timestamp {
    /// Some seconds later; earlier where negative.
    func later(by seconds: Int) -> Timestamp { Timestamp(seconds: self.seconds + seconds) }
}

extension Sample {
    /// A player who has watched a video, and ended a level of each of some activities, in a session that runs; the first is solved.
    static func change(_ id: String, _ activities: [ActivityType]) -> PlayerChange {
        var player = PlayerData(id: id, name: "Zoë", avatar: .owl, createdAt: noon)
        player.today.begin(at: noon, in: utc)
        player.today.add(.seconds(75), until: noon, in: utc)
        var change = PlayerChange(player: player)
        change.session = SessionMetrics(sessionId: 1, startTime: noon, startHour: 12)
        for (number, activity) in activities.enumerated() {
            let result = result(activity, solved: number == 0, mistakes: number, hints: number, seconds: 31)
            change.coins += player.finish(level: result, in: utc)
            change.session?.levels.append(result)
        }
        let video = VideoRecord(id: 1, video: fox, watchedAt: noon, duration: .seconds(4))
        player.record(video, in: utc)
        (change.videos, change.player) = ([video], player)
        return change
    }

    static let fox = ApprovedVideo(
        id: "abcdefghijk", title: "Fox", duration: .zero, addedAt: noon, category: "animals")

    /// With a value in each column.
    static var settings: AppSettings {
        var settings = AppSettings(
            lastActivePlayerId: "a1", currentSessionStartTime: noon, appVersion: "0.1.0",
            lastLaunchDate: noon)
        settings.parentSettings.dailyTimeLimits = ["a1": 45]
        settings.parentSettings.lockedActivities = ["a1": [.zahlenWaehle]]
        settings.parentSettings.rewards = [Reward(name: "ice cream", price: 3)]
        settings.parentSettings.approvedVideos = [fox]
        return settings
    }
}

/// A model, its times, and what it said.
struct Afternoon {
    var model: PracticeModel
    private(set) var spoken: [String] = []
    private(set) var effects: [Effect] = []
    var steady = Duration.seconds(1000)
    var time = Timestamp(seconds: 1_795_348_800)  // 2026-11-22 12:00 UTC

    init(_ model: PracticeModel) {
        self.model = model
        note(model.greeting())
    }

    /// Mia, who has played before, with the grown-up's videos and rewards.
    static func mia(
        coins: Int = 12, limit: Int = 60, _ change: (inout PlayerData) -> Void = { _ in }
    ) -> Afternoon {
        var player = PlayerData(
            id: "a1", name: "Mia", avatar: .cat, createdAt: Timestamp(seconds: 1_795_000_000))
        (player.coins, player.totalCoinsEarned, player.consecutiveDays) = (coins, 31, 3)
        player.lastSolvedDay = CalendarDate(iso8601: "2026-11-21")
        var progress = ActivityProgress(activityType: .zahlenWuerfel)
        progress.currentLevel = 4
        player.activityProgress[.zahlenWuerfel] = progress
        change(&player)
        let noah = PlayerData(
            id: "b2", name: "Noah", avatar: .frog, createdAt: Timestamp(seconds: 1_795_000_001))
        var settings = AppSettings(appVersion: "0.1.0")
        settings.parentSettings.dailyTimeLimits["a1"] = limit
        settings.parentSettings.lockedActivities["b2"] = [.raetselPuzzle]
        settings.parentSettings.approvedVideos = [
            ApprovedVideo(
                id: "abcdefghijk", title: "Foxes in the snow", duration: .seconds(300),
                addedAt: Timestamp(seconds: 1_795_000_000))
        ]
        settings.parentSettings.rewards = [Reward(name: "ice cream", price: 20)]
        return Afternoon(PracticeModel(settings: settings, hasPIN: true, players: [player, noah]))
    }

    /// Without a PIN and a player.
    static var firstStart: Afternoon {
        Afternoon(PracticeModel(settings: AppSettings(appVersion: "1"), hasPIN: false, players: []))
    }

    var parent: ParentSettings { model.settings.parentSettings }

    var now: Moment {
        Moment(time: time, steady: steady, calendar: OperationalCalendar(zone: .utc), seed: 7)
    }

    /// Presses keys, a second apart.
    mutating func press(_ inputs: PracticeInput...) {
        for input in inputs {
            wait(.seconds(1))
            note(model.take(input, at: now))
        }
    }

    mutating func type(_ text: String) {
        for character in text { model.edit(.character(character)) }
        press(.both)
    }

    mutating func openDashboard(_ problem: String? = nil) { note(model.takeCheck(problem: problem)) }

    mutating func pass() { note(model.pass(now)) }

    mutating func warn(_ sharing: KeySharing?) { note(model.warn(sharing, at: now)) }

    /// Leaves a level, and says that it is meant.
    mutating func quit() { press(.home, .up, .both) }

    /// The dice of the level that is played.
    var dice: Dice? {
        guard case .level(let playing) = model.stage, case .dice(let dice) = playing.level.game else {
            return nil
        }
        return dice
    }

    mutating func solveDice() {
        choose("Dice")
        for _ in 0..<(dice?.pips ?? 0) { press(.up) }
        press(.both)
    }

    mutating func wait(_ duration: Duration) {
        steady += duration
        time = Timestamp(microseconds: time.microseconds + duration.components.seconds * 1_000_000)
    }

    /// Goes on until the card of each title is reached, by what is spoken, and chooses it; then presses keys.
    mutating func choose(_ titles: String..., then inputs: PracticeInput...) {
        for title in titles {
            for _ in 0..<30 where !heard.contains("\(title).") { press(.up) }
            press(.both)
        }
        for input in inputs { press(input) }
    }

    var heard: String { spoken.last ?? "" }

    /// What is on a screen without colours.
    func lines(columns: Int = 40, rows: Int = 12) -> [String] {
        PracticeView(model, look: Capabilities(glyphs: .ascii, palette: .none)).draw(
            size: Size(columns: columns, rows: rows)
        ).grid.lines
    }

    private mutating func note(_ effects: [Effect]) {
        self.effects += effects
        for case .say(let text) in effects { spoken.append(text) }
        if effects.contains(.endSession) { model.forgetSession() }
    }
}
