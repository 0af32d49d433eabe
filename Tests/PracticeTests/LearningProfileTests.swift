import Testing

@testable import Practice

@Suite struct LearningProfileTests {
    private let clean = Sample.result()
    private let hinted = Sample.result(hints: 1)
    private let quit = Sample.result(solved: false)
    private let wrong = Sample.result(mistakes: 1)

    @Test func `The first level and session count whole, each further one a fifth`() {
        var profile = LearningProfile()
        profile.play(
            Sample.session([Sample.result(mistakes: 2, seconds: 40), quit], minutes: 20, hour: 9))
        #expect((profile.mistakeFrequency, profile.quitRate, profile.hintUsageRate) == (1.6, 0.2, 0))
        #expect(profile.averageSolveTime == .seconds(40))
        #expect(profile.sessionDuration == .seconds(1200))
        profile.play(Sample.session([Sample.result(hints: 1, seconds: 20)], minutes: 10, hour: 9))
        #expect(abs(profile.mistakeFrequency - 1.28) < 0.0001)
        #expect(abs(profile.quitRate - 0.16) < 0.0001)
        #expect(abs(profile.hintUsageRate - 0.2) < 0.0001)
        #expect(abs(profile.averageSolveTime.inSeconds - 36) < 0.0001)
        #expect(abs(profile.sessionDuration.inSeconds - 1080) < 0.0001)
        #expect(profile.timeOfDayPreference == [9: 2])
        #expect(profile.preferredActivityTypes == [.zahlenWuerfel: 3])
    }

    @Test func `A session without a level changes no rate`() {
        var profile = LearningProfile()
        profile.play(Sample.session([quit]))
        profile.play(Sample.session([]))
        #expect(profile.quitRate == 1)
        #expect(profile.averageSolveTime == .seconds(30))
        profile.play(Sample.session([Sample.result(seconds: 50)]))
        #expect(profile.averageSolveTime == .seconds(50))
    }

    /// (levels that were quit among the last ten, whether that is more than a third).
    @Test(arguments: [(0, false), (3, false), (4, true), (10, true)])
    func `Encouragement is needed after more than a third of ten levels quit`(quits: Int, needed: Bool) {
        var profile = LearningProfile()
        profile.play(Sample.session(Array(repeating: quit, count: 20)))
        profile.play(
            Sample.session(
                Array(repeating: clean, count: 10 - quits) + Array(repeating: quit, count: quits)))
        #expect(profile.needsMoreEncouragement == needed)
    }

    @Test func `Short sessions take under ten minutes on average`() {
        var profile = LearningProfile()
        profile.play(Sample.session(minutes: 10))
        #expect(!profile.prefersShortSessions)
        profile.play(Sample.session(minutes: 9))
        #expect(profile.prefersShortSessions)
    }

    @Test func `Hints help if the levels after them go better than those before`() {
        let helped = [wrong, hinted, clean]
        var profile = LearningProfile()
        profile.play(Sample.session([clean, hinted, wrong, clean, hinted, wrong]))
        #expect(profile.respondsWellToHints, "two hints are too few to judge")
        profile.play(Sample.session([clean, hinted, wrong]))
        #expect(!profile.respondsWellToHints && profile.mistakesBeforeHint == 5)
        profile.play(Sample.session((0..<4).flatMap { _ in helped }))
        #expect(profile.respondsWellToHints && profile.mistakesBeforeHint == 3)
        profile.play(Sample.session(Array(repeating: clean, count: 100)))
        #expect(profile.recentLevels.count == LearningProfile.recentLevelLimit)
    }

    @Test func `Go on within five seconds is engagement`() {
        var profile = LearningProfile()
        var session = Sample.session()
        (session.celebrationTaps, session.celebrationTapDelayTotal) = (2, .seconds(11))
        profile.play(session)
        #expect(!profile.celebrationEngagement)
        profile.play(Sample.session())
        #expect(!profile.celebrationEngagement, "a session without the screen says nothing")
        session.celebrationTapDelayTotal = .seconds(10)
        profile.play(session)
        #expect(profile.celebrationEngagement)
    }
}

extension LearningProfile {
    /// Takes the levels of a session into account as they end, and then its end.
    fileprivate mutating func play(_ session: SessionMetrics) {
        for level in session.levels { update(with: level) }
        update(with: session)
    }
}
