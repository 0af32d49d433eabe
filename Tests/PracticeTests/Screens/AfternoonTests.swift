import CounterModel
import CounterTUI
import PracticeTestSupport
import Testing

@testable import Practice

@Suite struct AfternoonTests {
    @Test func `The first start makes a PIN and a player`() {
        var first = Afternoon(
            PracticeModel(settings: AppSettings(appVersion: "1"), hasPIN: false, players: []))
        first.type("12")
        #expect(first.heard == Texts.noPIN)
        first.type("\u{7F}\u{7F}4711")
        first.type("4712")
        #expect(first.heard.hasPrefix(Texts.otherPIN))
        first.type("4711")
        first.type("4711")
        #expect(first.isDone(.set(pin: "4711")))
        first.type("Mia")
        first.press(.up, .both)
        guard
            case .make(let player) = first.effects.first(where: { if case .make = $0 { true } else { false } }
            )
        else {
            Issue.record("no player was made")
            return
        }
        #expect((player.name, player.avatarName) == ("Mia", "cat"))
        #expect(first.heard == "Who plays? Mia.")
    }

    @Test func `Both keys held lead home, and the level is quit`() {
        var afternoon = Afternoon.mia()
        afternoon.press(.both)
        afternoon.choose("Dice")
        afternoon.press(.up, .home)
        #expect(afternoon.model.player?.progress(in: .zahlenWuerfel).quitCount == 1)
        #expect(afternoon.effects.contains(.save(coins: [], videos: [])))
        guard case .cards(.home, _) = afternoon.model.stage else {
            Issue.record("not at home")
            return
        }
    }

    @Test func `A video costs coins, only its own link is opened, and coming back is recorded`() {
        var afternoon = Afternoon.mia()
        afternoon.press(.both)
        afternoon.choose("Treasure")
        afternoon.press(.both)
        #expect(afternoon.isDone(.open(link: "https://www.youtube.com/watch?v=abcdefghijk")))
        #expect(afternoon.model.player?.coins == 2)
        afternoon.wait(.seconds(400))
        afternoon.press(.both)
        let record = afternoon.model.player?.todayVideosWatched.first
        #expect(record?.completed == true)
        #expect(afternoon.model.settings.parentSettings.approvedVideos[0].watchCount == 1)
        afternoon.choose("Treasure")
        afternoon.press(.both)
        #expect(afternoon.heard == "It costs 10 coins, you have 2 coins.")
    }

    @Test
    func `Five minutes before the limit it is said; at the limit the level may be finished, and none begun`()
    {
        var afternoon = Afternoon.mia(limit: 6)
        afternoon.press(.both)
        for _ in 0..<3 {
            afternoon.wait(.seconds(30))
            afternoon.press(.up)
        }
        #expect(afternoon.spoken.contains { $0.contains(Texts.lastMinutes) || $0.contains("5 min left") })
        afternoon.press(.home, .both)
        afternoon.choose("Pattern")
        for _ in 0..<12 {
            afternoon.wait(.seconds(30))
            afternoon.press(.down)
        }
        guard case .level = afternoon.model.stage else {
            Issue.record("the level was ended by the limit")
            return
        }
        afternoon.press(.home)
        #expect(afternoon.heard.contains("On again at 0:00"))
        afternoon.press(.both)
        #expect(afternoon.heard.contains("On again at 0:00"))
    }

    @Test
    func `Five minutes before the limit it is said once, and is on the screen for some seconds at least`() {
        var afternoon = Afternoon.mia(limit: 6)
        afternoon.press(.both)
        afternoon.wait(.seconds(59))
        afternoon.pass()
        #expect(afternoon.model.notice == nil)
        afternoon.press(.up)
        for _ in 0..<4 {
            #expect(afternoon.model.notice == Texts.lastMinutes)
            afternoon.press(.up)
        }
        #expect(afternoon.lines().contains { $0.contains(Texts.lastMinutes) })
        afternoon.wait(.seconds(30))
        afternoon.pass()
        #expect(afternoon.model.notice == Texts.lastMinutes, "it stays until a key")
        afternoon.press(.up)
        #expect(afternoon.model.notice == nil)
        #expect(afternoon.spoken.count { $0.contains(Texts.lastMinutes) } == 1)
    }

    @Test func `Who quits often is praised at each right step, on the screen and aloud`() {
        for (activity, title) in [
            (ActivityType.zahlenWuerfel, "Dice"), (.raetselPuzzle, "Pattern"), (.zahlenWaehle, "Count"),
            (.raetselLabyrinth, "Labyrinth"),
        ] {
            for isPraised in [true, false] {
                var afternoon = Afternoon.mia { $0.learningProfile.needsMoreEncouragement = isPraised }
                afternoon.press(.both)
                afternoon.choose(title)
                guard case .level(let start) = afternoon.model.stage else {
                    Issue.record("no level of \(activity)")
                    continue
                }
                var praised = 0
                for key in (Solver.solve(start.level) ?? []).dropLast() {
                    afternoon.press(key == .up ? .up : key == .down ? .down : .both)
                    guard case .level(let playing) = afternoon.model.stage else { break }
                    let isOnScreen = playing.lastAnswer == Texts.praise
                    #expect(isOnScreen == afternoon.heard.hasPrefix(Texts.praise))
                    #expect(isOnScreen == afternoon.lines().contains { $0.contains(Texts.praise) })
                    praised += isOnScreen ? 1 : 0
                }
                #expect((praised > 0) == isPraised, "\(title)")
            }
        }
    }

    @Test func `A press too many is not praised, and taking it back is`() {
        var afternoon = Afternoon.mia { $0.learningProfile.needsMoreEncouragement = true }
        afternoon.press(.both)
        afternoon.choose("Dice")
        guard case .level(let playing) = afternoon.model.stage, case .dice(let dice) = playing.level.game
        else {
            Issue.record("no dice")
            return
        }
        for press in 1...dice.pips + 1 {
            afternoon.press(.up)
            #expect(afternoon.heard.hasPrefix(Texts.praise) == (press <= dice.pips))
        }
        afternoon.press(.down)
        #expect(afternoon.heard.hasPrefix(Texts.praise))
    }

    @Test func `What is learnt of a player changes with each level that is saved`() {
        var afternoon = Afternoon.mia()
        afternoon.press(.both)
        for number in 1...4 {
            afternoon.choose("Dice")
            afternoon.press(.home)
            #expect(afternoon.effects.last { if case .save = $0 { true } else { false } } != nil)
            #expect(afternoon.model.player?.learningProfile.quitRate == 1)
            #expect(
                afternoon.model.player?.learningProfile.preferredActivityTypes == [.zahlenWuerfel: number])
        }
        #expect(afternoon.model.player?.learningProfile.needsMoreEncouragement == true)
    }

    @Test func `Idle time over a minute does not count, and nothing is written at rest`() {
        var afternoon = Afternoon.mia()
        afternoon.press(.both)
        let start = afternoon.steady
        #expect(afternoon.model.nextWrite(after: start) == start + .seconds(15))
        afternoon.wait(.seconds(600))
        afternoon.pass()
        #expect(afternoon.model.player?.today.played == .seconds(60))
        #expect(afternoon.model.nextWrite(after: afternoon.steady) == nil)
    }

    @Test func `From the player's side no limit, lock or PIN can be changed`() {
        var afternoon = Afternoon.mia()
        let before = afternoon.model.settings.parentSettings
        var random = SystemRandomNumberGenerator()
        let keys: [PracticeInput] = [.up, .down, .both, .home]
        for _ in 0..<5_000 {
            if case .typing(let typing) = afternoon.model.stage {
                #expect(typing.purpose == .pin)
                afternoon.press(.home)
            }
            afternoon.press(keys.randomElement(using: &random) ?? .up)
        }
        let after = afternoon.model.settings.parentSettings
        #expect(after.dailyTimeLimits == before.dailyTimeLimits)
        #expect(after.lockedActivities == before.lockedActivities)
        #expect(after.rewards == before.rewards)
        #expect(
            !afternoon.effects.contains {
                switch $0 {
                case .set, .erase, .make: true
                default: false
                }
            })
    }

    @Test func `The dashboard opens with the PIN alone, and tells how long to wait`() {
        var afternoon = Afternoon.mia()
        afternoon.choose("Grown-up")
        afternoon.type("0000")
        #expect(afternoon.isDone(.check(pin: "0000")))
        afternoon.answer(.wrong)
        #expect(afternoon.heard.contains(Texts.wrongPIN))
        afternoon.answer(.wait(.seconds(30)))
        #expect(afternoon.heard.contains("wait 30 s"))
        afternoon.answer(.right)
        #expect(afternoon.model.stage == .cards(.dashboard, index: 0))
        afternoon.press(.both)
        afternoon.press(.both)
        afternoon.type("90")
        #expect(afternoon.model.settings.parentSettings.dailyLimit(of: "a1").minutes == 90)
    }

    @Test func `What others may count is said before a player begins`() {
        var afternoon = Afternoon.mia()
        afternoon.warn(KeySharing.taken(by: "Remote").lines)
        afternoon.press(.both)
        #expect(
            afternoon.heard.hasPrefix("Another program counts every press. It has the keys of Remote."))
        afternoon.press(.both)
        #expect(afternoon.heard.hasPrefix("Mia"))
    }
}
