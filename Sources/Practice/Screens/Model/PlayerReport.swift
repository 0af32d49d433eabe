/// What the grown-up reads about a player, as lines of text.
package struct PlayerReport {
    private let player: PlayerData
    private let parent: ParentSettings

    /// The report of a player.
    package init(_ player: PlayerData, _ parent: ParentSettings) {
        self.player = player
        self.parent = parent
    }

    /// The lines, without control characters.
    package var lines: [String] {
        [
            "\(player.name), \(player.avatarName)",
            "coins \(player.coins), earned in all \(player.totalCoinsEarned)",
            "days in a row \(player.consecutiveDays)",
            "today \(player.todayPlayTimeMinutes) of \(parent.dailyLimit(of: player.id).minutes) minutes, "
                + "\(player.todayActivitiesCompleted) levels solved, \(player.todayVideosWatched.count) videos watched",
        ] + activities + profile
    }

    private var activities: [String] {
        ActivityType.allCases.compactMap { activity in
            guard let progress = player.activityProgress[activity] else { return nil }
            let difficulty = Int((progress.currentDifficulty * 100).rounded())
            return
                "\(English.name(activity)): level \(progress.currentLevel), \(progress.totalLevelsCompleted) solved, "
                + "\(progress.quitCount) quit, \(progress.mistakeCount) mistakes, \(progress.hintRequestCount) hints, "
                + "difficulty \(difficulty)%, \(progress.totalTimeSpentSeconds) s"
        }
    }

    private var profile: [String] {
        let profile = player.learningProfile
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
