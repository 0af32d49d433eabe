import CounterModel
import TestSupport
import Testing

@testable import Practice

@Suite struct CoinTests {
    @Test func `A solved level earns one coin, one more without a mistake, a quit one none`() {
        var player = Sample.player()
        let results = [
            Sample.result(), Sample.result(mistakes: 1), Sample.result(hints: 1),
            Sample.result(solved: false),
        ]
        let rows = results.map { player.finish(level: $0, in: Sample.utc) }
        #expect(rows.map { $0.map(\.amount) } == [[1, 1], [1], [1, 1], []])
        #expect(rows[0].map(\.reason.kind) == [.levelSolved, .withoutMistake])
        #expect(rows[0].allSatisfy { $0.reason.subject == "zahlen_wuerfel" && $0.reason.level == 1 })
        #expect((player.coins, player.totalCoinsEarned) == (5, 5))
        #expect(player.today.activitiesCompleted == 3)
    }

    @Test func `A balance is the sum of its rows and never below 0`() {
        for seed in Volume.of(sample: 50, full: UInt64(0)..<1_000) {
            var random = SplitMix64(seed: seed)
            var player = Sample.player()
            var rows: [CoinEntry] = []
            for step in 0..<200 {
                let now = Sample.noon.later(by: step * 60)
                if random.below(4) > 0 {
                    let result = Sample.result(
                        level: step, solved: random.below(5) > 0, mistakes: random.below(3), at: now)
                    rows += player.finish(level: result, in: Sample.utc)
                } else {
                    let reward = Reward(name: "ice cream", price: random.below(30))
                    let before = player.coins
                    let row = player.spend(reward.price, for: .reward(name: reward.name), at: now)
                    #expect((row != nil) == (reward.price <= before))
                    rows += row.map { [$0] } ?? []
                }
                #expect(player.coins == rows.reduce(0) { $0 + $1.amount } && player.coins >= 0)
            }
            #expect(player.totalCoinsEarned == rows.reduce(0) { $0 + max(0, $1.amount) })
        }
    }

    @Test func `A video costs ten coins, or what the grown-up says`() {
        var player = Sample.player()
        for level in 1...6 { _ = player.finish(level: Sample.result(level: level), in: Sample.utc) }
        let video = ApprovedVideo(
            id: "dQw4w9WgXcQ", title: "Song", duration: .seconds(212), addedAt: Sample.noon)
        let reason = CoinReason.video(id: video.id)
        #expect(video.price == 10)
        let row = player.spend(video.price, for: reason, at: Sample.noon)
        #expect(row == CoinEntry(at: Sample.noon, amount: -10, reason: .video(id: "dQw4w9WgXcQ")))
        let amounts = [10, -1, 2].map { player.spend($0, for: reason, at: Sample.noon)?.amount }
        #expect(amounts == [nil, nil, -2] && player.coins == 0)
    }

    /// (watched seconds, length, whether to the end).
    @Test(arguments: [(212, 212, true), (211, 212, false), (500, 212, true), (500, 0, false)])
    func `A record says whether a video was watched to the end`(watched: Int, length: Int, completed: Bool) {
        let video = ApprovedVideo(
            id: "dQw4w9WgXcQ", title: "Song", duration: .seconds(length), addedAt: Sample.noon)
        let record = VideoRecord(
            id: 7, video: video, watchedAt: Sample.noon, duration: .seconds(watched))
        #expect(record.completed == completed)
        var player = Sample.player()
        player.record(record, in: Sample.utc)
        #expect(player.today.videosWatched == [record])
    }

    @Test func `The global difficulty is the mean of the activities that were played`() {
        var player = Sample.player()
        _ = player.finish(level: Sample.result(.zahlenWuerfel), in: Sample.utc)
        _ = player.finish(level: Sample.result(.zahlenWaehle, hints: 1), in: Sample.utc)
        #expect(abs(player.learningProfile.globalDifficultyLevel - 0.27) < 0.0001)
        for level in 2...40 { _ = player.finish(level: Sample.result(level: level), in: Sample.utc) }
        #expect(abs(player.learningProfile.globalDifficultyLevel - 0.61) < 0.0001)
        #expect(
            (player.learningProfile.puzzleGridSizePreference, player.learningProfile.numberRange) == (4, 20))
    }

    @Test func `The activities that are played most come first on home`() {
        var player = Sample.player()
        for activity in [ActivityType.zahlenWaehle, .zahlenWaehle, .zahlenWuerfel] {
            _ = player.finish(level: Sample.result(activity), in: Sample.utc)
        }
        player.end(session: Sample.session())
        #expect(
            player.preferredActivities
                == [.zahlenWaehle, .zahlenWuerfel, .raetselPuzzle, .raetselLabyrinth])
        #expect(player.lastPlayedDate == Sample.noon.later(by: 900))
    }
}

@Suite struct VideoAddressTests {
    @Test(arguments: VideoAddresses.good)
    func `An address of a video gives its ID`(address: String) throws {
        #expect(try ApprovedVideo.extractVideoID(from: address) == VideoAddresses.id)
    }

    @Test(arguments: ["-_-_-_-_-_-", "00000000000", "abcdefghijk", "ABCDEFGHIJK"])
    func `An ID has letters, digits, - and _`(id: String) throws {
        #expect(try ApprovedVideo.extractVideoID(from: "https://youtu.be/\(id)") == id)
        let video = ApprovedVideo(id: id, title: "", duration: .zero, addedAt: Sample.noon)
        #expect(video.link == "https://www.youtube.com/watch?v=\(id)")
        #expect(try ApprovedVideo.extractVideoID(from: video.link) == id)
    }

    @Test(arguments: VideoAddresses.bad)
    func `Anything else is refused with the reason`(address: String, reason: VideoAddressError) {
        #expect(throws: reason) { try ApprovedVideo.extractVideoID(from: address) }
    }

    @Test func `Every reason says what to do`() {
        let messages = VideoAddressError.allCases.map(\.message)
        #expect(Set(messages).count == messages.count && messages.allSatisfy { $0.hasSuffix(".") })
    }
}
