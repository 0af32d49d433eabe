import CounterModel
import CounterTUI
import Testing

@testable import Practice

/// A model, its times, and what it said.
struct Afternoon {
    private(set) var model: PracticeModel
    private(set) var spoken: [String] = []
    private(set) var effects: [Effect] = []
    var steady = Duration.seconds(1000)
    var time = Timestamp(seconds: 1_795_348_800)  // 2026-11-22 12:00 UTC
    var seed: UInt64 = 7

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
        return Afternoon(
            PracticeModel(
                settings: settings, hasPIN: true, players: [LoadedPlayer(player), LoadedPlayer(noah)]))
    }

    var now: Moment {
        Moment(time: time, steady: steady, calendar: OperationalCalendar(zone: .utc), seed: seed)
    }

    /// Presses keys, a second apart.
    mutating func press(_ inputs: PracticeInput...) {
        for input in inputs {
            wait(.seconds(1))
            note(model.take(input, at: now))
        }
    }

    mutating func type(_ text: String) {
        for character in text { note(model.edit(.character(character))) }
        press(.both)
    }

    mutating func answer(_ answer: PINAnswer) { note(model.take(answer)) }

    mutating func pass() { note(model.pass(now)) }

    mutating func tell(unsaved text: String) { model.unsaved = text }

    mutating func warn(_ lines: [String]) { model.warning = lines }

    mutating func wait(_ duration: Duration) {
        steady += duration
        time = Timestamp(microseconds: time.microseconds + duration.components.seconds * 1_000_000)
    }

    /// Chooses cards until the one of that title is reached, by what is spoken.
    mutating func choose(_ title: String) {
        for _ in 0..<30 where !heard.contains("\(title).") { press(.up) }
        press(.both)
    }

    var heard: String { spoken.last ?? "" }

    func isDone(_ effect: Effect) -> Bool { effects.contains(effect) }

    private mutating func note(_ effects: [Effect]) {
        self.effects += effects
        for case .say(let text) in effects { spoken.append(text) }
        if effects.contains(.endSession) { model.forgetSession() }
    }
}
