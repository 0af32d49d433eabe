import CounterModel
import Testing

@testable import Practice

/// The grown-up's part.
@Suite struct DashboardTests {
    private func dashboard() -> Afternoon {
        var afternoon = Afternoon.mia()
        afternoon.choose("Grown-up")
        afternoon.openDashboard()
        return afternoon
    }

    @Test func `A video gets a length and a group, and keeps what is known when it is approved again`() {
        var afternoon = dashboard()
        afternoon.choose("Videos", "Foxes in the snow", "Length")
        afternoon.type("0")
        #expect(afternoon.heard == Texts.noNumber)
        afternoon.type("\u{7F}7")
        afternoon.choose("Group")
        afternoon.type("animals")
        afternoon.choose("Back", "Add a video")
        afternoon.type("https://youtu.be/abcdefghijk")
        afternoon.type("Foxes")
        // Nothing typed is the usual price.
        afternoon.type("")
        let videos = afternoon.parent.approvedVideos
        #expect(videos.map(\.title) == ["Foxes"])
        #expect((videos[0].duration, videos[0].category, videos[0].price) == (.seconds(420), "animals", 10))
        afternoon.choose("Group")
        afternoon.type("")
        #expect(afternoon.parent.approvedVideos[0].category == nil)
    }

    @Test func `A bad address is refused with the reason, and nothing is opened`() {
        var afternoon = dashboard()
        afternoon.choose("Videos", "Add a video")
        let before = afternoon.model.settings
        for reason in VideoAddressError.allCases {
            guard let bad = VideoAddresses.bad.first(where: { $0.1 == reason && !$0.0.isEmpty }) else {
                Issue.record("no address for \(reason)")
                continue
            }
            // Ctrl-U removes what was typed before.
            afternoon.type("\u{15}\(bad.0)")
            #expect(afternoon.heard == reason.message, "\(bad.0)")
            #expect(afternoon.lines(columns: 80).joined().contains(reason.message.prefix(40)))
        }
        #expect(afternoon.model.settings == before)
        #expect(!afternoon.effects.contains { if case .open = $0 { true } else { false } })
        afternoon.type("\u{15}\(VideoAddresses.good[0])")
        #expect(afternoon.heard == Texts.videoTitle.title)
    }

    @Test func `Nothing is removed by choosing it`() {
        var afternoon = dashboard()
        afternoon.choose("Videos", "Foxes in the snow")
        #expect(afternoon.parent.approvedVideos.count == 1)
        afternoon.choose("Remove")
        #expect(afternoon.parent.approvedVideos.isEmpty)
        afternoon.choose("Back", "Rewards", then: .card(1))
        #expect(afternoon.parent.rewards.count == 1)
        afternoon.choose("Price")
        afternoon.type("5")
        #expect(afternoon.parent.rewards == [Reward(name: "ice cream", price: 5)])
        afternoon.press(.card(1))
        afternoon.choose("Remove")
        #expect(afternoon.parent.rewards.isEmpty)
    }

    @Test func `A name is given once, and a row of the list is chosen by a click`() {
        var afternoon = dashboard()
        afternoon.press(.card(2))
        afternoon.type("Mia")
        #expect(afternoon.heard == Texts.takenName)
        afternoon.press(.home)
        afternoon.press(.card(99))
        #expect(afternoon.model.stage.place == .init(deck: .dashboard, index: 2))
    }

    @Test func `After a page of the dashboard it is at the row that was chosen, and a question at its first`()
    {
        var afternoon = dashboard()
        func row() -> Int? { afternoon.model.stage.place?.index }
        for title in ["Noah", "Videos", "Rewards", "Volume of the voice", "Change the PIN"] {
            for _ in 0..<20 where !afternoon.heard.contains("\(title).") { afternoon.press(.up) }
            let chosen = row()
            afternoon.press(.both, .home)
            #expect(row() == chosen, "\(title)")
        }
        // Two pages deep, and by the last row, which goes back.
        afternoon.choose("Noah")
        #expect(row() == 0)
        afternoon.choose("Report", then: .both)
        #expect(afternoon.heard == "Noah. Report. what Noah has played.")
        afternoon.choose("Back")
        #expect(afternoon.heard == "Grown-up. Noah. limit, locks, report.")
        afternoon.press(.both)
        #expect(row() == 0)
        // What was removed is not stood at.
        afternoon.choose("Erase Noah")
        #expect(afternoon.heard == "Noah. No, keep Noah.")
        afternoon.press(.both)
        #expect(afternoon.heard == "Noah. Erase Noah. all that is kept.")
        afternoon.press(.both, .up, .both)
        #expect(row() == 1 && afternoon.heard == "Grown-up. Add a player.")
        // Whoever comes again begins at the first row.
        afternoon.press(.home)
        afternoon.choose("Grown-up")
        afternoon.openDashboard()
        #expect(row() == 0)
    }

    @Test func `The treasure offers the first video, and the rest is there afterwards`() {
        var afternoon = dashboard()
        afternoon.choose("Offer the first video", then: .home)
        afternoon.choose("Mia", "Treasure")
        #expect(afternoon.heard == "Foxes in the snow for 10 coins? No. keep the coins.")
        #expect(afternoon.model.player?.coins == 12)
        afternoon.press(.up, .both)
        #expect(afternoon.effects.contains(.open(link: "https://www.youtube.com/watch?v=abcdefghijk")))
        afternoon.press(.both)
        #expect(afternoon.heard == "Treasure. Foxes in the snow. costs 10 coins.")
        // Without coins enough nothing begins.
        afternoon.press(.home)
        afternoon.choose("Treasure")
        #expect(afternoon.heard == "Treasure. Foxes in the snow. costs 10 coins.")
    }

    @Test func `After ten minutes home proposes a break to who prefers short sessions`() {
        for (prefers, minutes, isProposed) in [(true, 9, false), (true, 11, true), (false, 11, false)] {
            var afternoon = Afternoon.mia { $0.learningProfile.prefersShortSessions = prefers }
            afternoon.press(.both)
            for _ in 0..<minutes {
                afternoon.wait(.seconds(59))
                afternoon.press(.up)
            }
            afternoon.choose("Pattern")
            afternoon.quit()
            #expect(afternoon.heard.contains(Texts.pause) == isProposed, "\(minutes) \(prefers)")
        }
    }

    @Test func `The report is of today, also for who has not played since, and one thing is one`() {
        var afternoon = Afternoon.mia(limit: 1)
        func report() -> [String] {
            afternoon.model.players[0].report(afternoon.parent, at: afternoon.now)
        }
        afternoon.press(.both)
        afternoon.choose("Dice", then: .both)
        afternoon.quit()
        afternoon.solveDice()
        #expect(report()[2] == "days in a row 4")
        #expect(report()[3] == "today 0 of 1 minute, 1 level solved, 0 videos watched")
        #expect(report()[4].contains("1 solved, 1 quit, 1 mistake, 0 hints"))
        afternoon.wait(.seconds(2 * 86_400))
        #expect(report()[2] == "days in a row 0")
        #expect(report()[3] == "today 0 of 1 minute, 0 levels solved, 0 videos watched")
    }

    @Test func `Behind a PIN nobody makes a player without it`() {
        let model = PracticeModel(settings: AppSettings(appVersion: "1"), hasPIN: true, players: [])
        #expect(model.stage.place == .init(deck: .selection, index: 0))
    }
}
