import Testing

@testable import Practice

/// Raw values and defaults are stored and documented: they stay.
@Suite struct DefaultsTests {
    @Test func `The activities have their stored names`() {
        #expect(
            ActivityType.allCases.map(\.rawValue)
                == ["raetsel_puzzle", "raetsel_labyrinth", "zahlen_wuerfel", "zahlen_waehle"])
    }

    @Test func `A new progress is at its first level`() {
        let progress = ActivityProgress(activityType: .zahlenWaehle)
        #expect((progress.currentLevel, progress.highestLevelCompleted) == (1, 0))
        #expect((progress.successRate, progress.averageSolveTimeSeconds) == (1, 0))
        #expect(progress.currentDifficulty == 0.3 && progress.lastPlayedDate == nil)
    }

    @Test func `A new profile knows nothing yet`() {
        let profile = LearningProfile()
        #expect(profile.averageSolveTime == .seconds(30) && profile.sessionDuration == .seconds(600))
        #expect(profile.celebrationEngagement && profile.respondsWellToHints)
        #expect(!profile.needsMoreEncouragement && !profile.prefersShortSessions)
        #expect(
            (profile.puzzleGridSizePreference, profile.puzzleColorCount, profile.numberRange) == (3, 2, 10))
        #expect((profile.globalDifficultyLevel, profile.labyrinthComplexity) == (0.3, 0.2))
    }

    @Test func `New settings have the volumes of the design, and limits and locks of each player`() {
        let settings = AppSettings(appVersion: "1")
        #expect((settings.voiceVolume, settings.effectsVolume) == (1, 0.7))
        #expect(settings.audioEnabled && settings.totalLaunches == 0)
        var parent = settings.parentSettings
        #expect(!parent.videoAutoplay)
        (parent.dailyTimeLimits, parent.lockedActivities) = (["a": 20], ["a": [.raetselLabyrinth]])
        #expect(["a", "b"].map { parent.dailyMinutes(of: $0) } == [20, 60])
        #expect(["a", "b"].map { parent.isLocked(.raetselLabyrinth, for: $0) } == [true, false])
        #expect(!parent.isLocked(.zahlenWaehle, for: "a"))
    }

    @Test func `Twelve figures are drawn in three lines of seven ASCII characters, each its own`() {
        #expect(Avatar.allCases.count == 12)
        for avatar in Avatar.allCases {
            #expect(avatar.drawing.map(\.count) == [7, 7, 7], "\(avatar)")
            #expect(avatar.drawing.joined().allSatisfy { $0.isASCII }, "\(avatar)")
        }
        #expect(Set(Avatar.allCases.map(\.drawing)).count == 12)
    }

    @Test(arguments: [
        ("Ada", true), ("ice cream", true), ("Ölfaß 🐻", true), ("", false), ("  ", false),
        ("a\u{1B}[2J", false),
        (String(repeating: "x", count: 40), true), (String(repeating: "x", count: 41), false),
        ("\u{202E}abc", false),
    ])
    func `A name is short and safe to show`(name: String, admitted: Bool) {
        #expect(Reward.admits(name: name) == admitted)
    }
}
