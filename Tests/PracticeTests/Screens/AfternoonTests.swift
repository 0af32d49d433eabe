import CounterModel
import CounterTUI
import Testing

@testable import Practice

@Suite struct AfternoonTests {
    @Test func `The first start makes a PIN and a player`() {
        var first = Afternoon.firstStart
        first.type("12")
        #expect(first.heard == Texts.noPIN)
        first.type("\u{7F}\u{7F}4711")
        first.type("4712")
        #expect(first.heard.hasPrefix(Texts.otherPIN))
        first.type("4711")
        first.type("4711")
        #expect(first.effects.contains(.set(pin: "4711")))
        #expect(first.heard == "Shall it speak? Yes. every text is said.")
        first.press(.both)
        #expect(first.model.settings.audioEnabled && first.effects.dropLast().last == .saveSettings)
        first.type("Mia")
        first.press(.up, .both)
        let made = first.effects.compactMap { if case .make(let player) = $0 { player } else { nil } }
        #expect(made.map(\.name) == ["Mia"] && made.map(\.avatarName) == ["cat"])
        #expect(first.heard == "Who plays? Mia.")
    }

    @Test func `At the first start Escape goes back a step, and leaves at the first one`() {
        var first = Afternoon.firstStart
        first.type("4711")
        first.press(.home)
        #expect(first.heard == Texts.firstPIN.title)
        first.type("4711")
        first.type("4711")
        first.press(.both)
        #expect(first.heard == Texts.playerName.title)
        first.press(.home)
        #expect(first.heard == "Shall it speak? Yes. every text is said.")
        first.press(.home)
        #expect(first.heard == Texts.firstPIN.title && !first.effects.contains(.leave))
        first.press(.home)
        #expect(first.effects.contains(.leave))
    }

    @Test func `Both keys held ask whether to leave a level, which is quit then`() {
        var afternoon = Afternoon.mia()
        afternoon.choose("Mia", "Dice", then: .up)
        let level = afternoon.model.stage.level
        for keys: [PracticeInput] in [[.both], [.home]] {
            afternoon.press(.home)
            #expect(afternoon.heard == "Stop this level? Play on.")
            for key in keys { afternoon.press(key) }
            #expect(afternoon.model.stage.level == level)
            #expect(afternoon.model.player?.progress(in: .zahlenWuerfel).quitCount == 0)
        }
        afternoon.quit()
        #expect(afternoon.model.player?.progress(in: .zahlenWuerfel).quitCount == 1)
        #expect(afternoon.effects.contains(.save(coins: [], videos: [])))
        #expect(afternoon.heard.hasSuffix("Dice. Level 4."), "home, at the same card")
    }

    @Test func `A video costs coins, only its own link is opened, and coming back is recorded`() {
        var afternoon = Afternoon.mia()
        afternoon.choose("Mia", "Treasure", then: .both)
        #expect(afternoon.heard == "Foxes in the snow for 10 coins? No. keep the coins.")
        afternoon.press(.both)
        #expect(afternoon.model.player?.coins == 12)
        #expect(afternoon.heard.hasPrefix("Treasure. Foxes in the snow."))
        afternoon.press(.both, .up, .both)
        #expect(afternoon.effects.contains(.open(link: "https://www.youtube.com/watch?v=abcdefghijk")))
        #expect(afternoon.model.player?.coins == 2)
        afternoon.wait(.seconds(400))
        afternoon.press(.both)
        let record = afternoon.model.player?.today.videosWatched.first
        #expect(record?.completed == true)
        #expect(afternoon.parent.approvedVideos[0].watchCount == 1)
        afternoon.choose("Treasure", then: .both)
        #expect(afternoon.heard == "It costs 10 coins, you have 2 coins.")
        #expect(afternoon.lines().contains { $0.contains(afternoon.heard) })
        #expect(afternoon.model.player?.coins == 2)
    }

    @Test func `A reward asks too, and is given once`() {
        var afternoon = Afternoon.mia(coins: 25)
        afternoon.choose("Mia", "Treasure", "ice cream")
        #expect(afternoon.model.player?.coins == 25)
        afternoon.press(.up, .both)
        #expect(afternoon.heard == Texts.given("ice cream"))
        #expect(afternoon.model.player?.coins == 5)
        afternoon.press(.both)
        #expect(afternoon.heard.hasPrefix("Treasure. ice cream."), "at the row of the treasure")
    }

    @Test func `A solved level moves, comes to rest, and shows the days in a row`() {
        var afternoon = Afternoon.mia()
        afternoon.press(.both)
        afternoon.solveDice()
        var pictures: [[String]] = [afternoon.lines()]
        while let due = afternoon.model.nextFrame, pictures.count < 100 {
            afternoon.wait(due - afternoon.steady)
            afternoon.model.move(to: afternoon.steady)
            pictures.append(afternoon.lines())
        }
        #expect(pictures.count == Celebration.lastFrame + 1)
        #expect(Set(pictures).count > 5)
        #expect(!pictures[0].joined().contains("( 1 )  ( 1 )"))
        #expect(pictures.last?.joined().contains("( 1 )  ( 1 )") == true)
        #expect(pictures.allSatisfy { $0.joined().contains("1 level today, 4 days in a row") })
        // Whoever looks late sees the end at once, and going on is never waited for.
        afternoon.press(.both)
        #expect(afternoon.model.nextFrame == nil)
        #expect(afternoon.heard.hasSuffix("Dice. Level 5."))
    }

    @Test func `A streak that is broken is no longer shown`() {
        for (day, shown) in [("2026-11-22", true), ("2026-11-21", true), ("2026-11-20", false)] {
            var afternoon = Afternoon.mia { $0.lastSolvedDay = CalendarDate(iso8601: day) }
            afternoon.press(.both)
            #expect(afternoon.heard.contains("day 3") == shown, "\(day)")
            #expect(afternoon.lines(columns: 80)[0].contains("day 3") == shown, "\(day)")
        }
    }

    @Test func `Where no key can be read, the screen names Enter`() {
        var afternoon = Afternoon.mia()
        #expect(afternoon.lines()[11].contains("[Both choose]"))
        afternoon.warn(.noKeys)
        afternoon.press(.both)
        #expect(afternoon.lines()[11].contains("[Enter go on]"))
        afternoon.press(.both)
        afternoon.solveDice()
        #expect(afternoon.heard == "Solved! 2 coins for you. Go on: Enter.")
        #expect(afternoon.lines()[11].contains("[Enter go on]"))
    }

    @Test func `At the limit the level may be finished, and none begun`() {
        var afternoon = Afternoon.mia(limit: 4)
        afternoon.choose("Mia", "Pattern")
        for _ in 0..<12 {
            afternoon.wait(.seconds(30))
            afternoon.press(.down)
        }
        #expect(afternoon.model.stage.level != nil, "the level is not ended by the limit")
        afternoon.quit()
        #expect(afternoon.heard.contains("On again tomorrow."))
        afternoon.press(.both)
        #expect(afternoon.heard.contains("On again tomorrow."))
    }

    @Test func `After a clock was set back, home says on which day it goes on`() {
        var afternoon = Afternoon.mia(limit: 0)
        afternoon.press(.both)
        #expect(afternoon.heard.contains("On again tomorrow."))
        afternoon.time = Timestamp(seconds: afternoon.time.seconds - 3 * 86_400)
        afternoon.press(.up)
        #expect(afternoon.heard.contains("On again on 2026-11-23."))
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

    @Test func `Who quits often is praised at each right step, on the screen and aloud`() throws {
        for activity in ActivityType.allCases {
            for isPraised in [true, false] {
                var afternoon = Afternoon.mia { $0.learningProfile.needsMoreEncouragement = isPraised }
                afternoon.press(.both)
                afternoon.choose(English.name(activity))
                let start = try #require(afternoon.model.stage.level)
                var praised = 0
                for key in (Solver.solve(start) ?? []).dropLast() {
                    afternoon.press(.key(key))
                    guard case .level(let playing) = afternoon.model.stage else { break }
                    let isOnScreen = playing.shownAnswer == Texts.praise
                    #expect(isOnScreen == afternoon.heard.hasPrefix(Texts.praise))
                    #expect(isOnScreen == afternoon.lines().contains { $0.contains(Texts.praise) })
                    praised += isOnScreen ? 1 : 0
                }
                #expect((praised > 0) == isPraised, "\(activity)")
            }
        }
    }

    @Test func `A press too many is not praised, and taking it back is`() throws {
        var afternoon = Afternoon.mia { $0.learningProfile.needsMoreEncouragement = true }
        afternoon.choose("Mia", "Dice")
        let dice = try #require(afternoon.dice)
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
            afternoon.quit()
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

    @Test func `From the player's side no limit, lock, reward or PIN is changed, and no player made`() {
        var afternoon = Afternoon.mia()
        let before = afternoon.parent
        var random = SystemRandomNumberGenerator()
        let keys: [PracticeInput] = [.up, .down, .both, .home]
        for _ in 0..<5_000 {
            if case .typing(let typing) = afternoon.model.stage {
                #expect(typing.title == Texts.pin.title)
                afternoon.press(.home)
            }
            afternoon.press(keys.randomElement(using: &random) ?? .up)
        }
        // Only how often a video was watched, and when.
        var after = afternoon.parent
        after.change(video: "abcdefghijk") { ($0.watchCount, $0.lastWatchedAt) = (0, nil) }
        #expect(after == before)
        #expect(afternoon.model.players.map(\.id) == ["a1", "b2"])
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
        #expect(afternoon.effects.contains(.check(pin: "0000")))
        afternoon.openDashboard(Texts.wait(.seconds(30)))
        #expect(afternoon.heard.contains("wait 30 s"))
        afternoon.openDashboard()
        #expect(afternoon.model.stage.place == .init(deck: .dashboard, index: 0))
        afternoon.press(.both)
        afternoon.press(.both)
        afternoon.type("90")
        #expect(afternoon.parent.dailyMinutes(of: "a1") == 90)
    }

    @Test func `What others may count is said at once to a player who has begun, and once to each`() {
        let text = KeySharing.shared.lines[0]
        var afternoon = Afternoon.mia()
        afternoon.choose("Mia", "Dice")
        let task = afternoon.heard
        afternoon.warn(.shared)
        #expect(afternoon.heard.hasPrefix(text) && afternoon.heard.hasSuffix(task))
        afternoon.press(.up)
        #expect(afternoon.lines().joined().contains("Other programs may get these presses"))
        afternoon.wait(.seconds(5))
        afternoon.press(.up)
        #expect(afternoon.model.notice == nil)
        // In the background it is not known.
        afternoon.warn(nil)
        afternoon.warn(.shared)
        #expect(afternoon.model.notice == nil)
        afternoon.warn(.noKeys)
        #expect(afternoon.heard.hasPrefix("No volume keys can be read."))
        afternoon.quit()
        afternoon.warn(.taken(by: "Remote"))
        afternoon.press(.home, .both)
        #expect(
            afternoon.heard.hasPrefix("Another program counts every press. It has the keys of Remote."),
            "the next player, before the game begins")
        afternoon.press(.both)
        #expect(afternoon.heard.hasPrefix("Mia"))
    }
}

/// What is spoken of a mistake is on the screen as a mark too, for a child who cannot read.
@Suite struct MarkTests {
    private func begin(_ activity: String) -> Afternoon {
        var afternoon = Afternoon.mia()
        afternoon.press(.both)
        afternoon.choose(activity)
        return afternoon
    }

    private func keys(_ afternoon: Afternoon) -> String { afternoon.lines(columns: 80)[11] }

    @Test func `The first wrong cell of a pattern is marked until it is right`() {
        var afternoon = begin("Pattern")
        #expect(!afternoon.lines().joined().contains("!"))
        afternoon.press(.both)
        guard case .puzzle(let puzzle) = afternoon.model.stage.level?.game, let wrong = puzzle.wrong else {
            Issue.record("no cell is marked")
            return
        }
        #expect(wrong == puzzle.pattern.firstIndex { $0 != .red })
        // In the pattern and in the copy, where the player may be at it.
        let lines = afternoon.lines().joined()
        #expect(lines.contains("!#!") && lines.contains(wrong == 0 ? "[o!" : "!o!"))
        #expect(afternoon.lines(columns: 80, rows: 24).joined().contains("!####!"))
        for _ in 0..<wrong { afternoon.press(.up) }
        #expect(afternoon.lines().joined().contains("[o!"))
        afternoon.press(.down)
        #expect(!afternoon.lines().joined().contains("!"))
        #expect(afternoon.heard == "blue square")
        // The next one, and at the third mistake what it should be.
        afternoon.press(.both, .both)
        #expect(afternoon.lines(columns: 80).joined().contains("The marked one should be a blue square."))
    }

    @Test func `The next key is marked where it is told`() {
        var afternoon = begin("Labyrinth")
        #expect(keys(afternoon).contains("[Up walk]"))
        afternoon.press(.both)
        let key = afternoon.heard == "Hint: press up." ? ">Up walk<" : ">Down turn<"
        #expect(keys(afternoon).contains(key), "\(afternoon.heard)")
        let short = afternoon.heard == "Hint: press up." ? ">Up<" : ">Down<"
        #expect(afternoon.lines(columns: 20, rows: 6)[5].contains(short))
        afternoon.press(.down)
        #expect(!keys(afternoon).contains(">"))
    }

    @Test func `Dice that are not right mark the key, and after a hint show how often it is pressed`() throws
    {
        var afternoon = begin("Dice")
        let dice = try #require(afternoon.dice)
        afternoon.press(.both, .both)
        #expect(keys(afternoon).contains(">Up more<"))
        #expect(!afternoon.lines().joined().contains("....."))
        afternoon.press(.both)
        #expect(afternoon.heard.hasSuffix("Press up \(English.number(dice.pips)) times."))
        #expect(afternoon.lines().joined().count { $0 == "." } >= dice.pips)
        for _ in 0..<dice.pips + 2 { afternoon.press(.up) }
        #expect(afternoon.lines().contains { $0.contains("xx") })
        afternoon.press(.both)
        #expect(keys(afternoon).contains(">Down less<"))
    }

    @Test func `A number that is not right is crossed, and a hint marks the right one`() {
        var afternoon = begin("Count")
        var refused = 0
        for _ in 0..<40 where refused < 3 {
            guard case .choice(let choice) = afternoon.model.stage.level?.game else { break }
            let number = choice.numbers[choice.cursor]
            if number == choice.count {
                afternoon.press(choice.cursor == 0 ? .up : .down)
            } else {
                afternoon.press(.both)
                refused += 1
                #expect(afternoon.lines().joined().contains("\(number)x"))
                #expect(afternoon.lines().joined().contains("!\(choice.count)!") == (refused == 3))
            }
        }
        #expect(refused == 3)
    }
}

extension Stage {
    /// The card that is shown.
    var place: PracticeModel.Place? {
        if case .cards(let deck, let index) = self { .init(deck: deck, index: index) } else { nil }
    }

    /// The level that is played.
    fileprivate var level: Level? { if case .level(let playing) = self { playing.level } else { nil } }
}
