package import CounterModel

package struct PlayerData: Hashable, Sendable {
    package internal(set) var id: String
    /// Shown and spoken.
    package var name: String
    /// The raw value of an ``Avatar``.
    package var avatarName: String
    package internal(set) var createdAt: Timestamp

    /// The balance, 0 or more: the sum of all ``CoinEntry`` rows.
    package internal(set) var coins = 0
    /// The sum of the rows that are above 0.
    package internal(set) var totalCoinsEarned = 0
    /// Days in a row with a solved level, until ``lastSolvedDay``; see ``streak(in:)``.
    package internal(set) var consecutiveDays = 0
    package internal(set) var lastSolvedDay: CalendarDate?
    /// The end of the last session or level.
    package internal(set) var lastPlayedDate: Timestamp?

    /// By activity; no entry before the first level.
    package var activityProgress: [ActivityType: ActivityProgress] = [:]
    package var today = PlayDay()
    package var learningProfile = LearningProfile()
    /// The activities in the order of home.
    package var preferredActivities: [ActivityType] = []

    /// The numbers of the next session and of the next video in the player's file.
    var nextSessionId: Int64 = 1, nextVideoId: Int64 = 1

    package init(id: String, name: String, avatar: Avatar, createdAt: Timestamp) {
        (self.id, self.name, self.createdAt) = (id, name, createdAt)
        avatarName = avatar.rawValue
    }

    /// Minutes played today, rounded down. After midnight it is yesterday's until `today.begin(at:in:)`.
    package var todayPlayTimeMinutes: Int { Int(today.played.components.seconds / 60) }

    /// The progress in an activity; a new one before the first level.
    package func progress(in activity: ActivityType) -> ActivityProgress {
        activityProgress[activity] ?? ActivityProgress(activityType: activity)
    }
}

// MARK: - Rules

extension PlayerData {
    /// Takes the end of a level into account: progress, difficulty, coins, streak and today. Returns the coins that were earned.
    package mutating func finish(level result: LevelResult, in calendar: OperationalCalendar) -> [CoinEntry] {
        activityProgress[result.activity, default: ActivityProgress(activityType: result.activity)]
            .finish(level: result)
        learningProfile.update(with: result)
        let difficulties = activityProgress.values.map(\.currentDifficulty).sorted()
        learningProfile.adopt(difficulty: difficulties.reduce(0, +) / Float(difficulties.count))
        lastPlayedDate = max(lastPlayedDate ?? result.endedAt, result.endedAt)
        today.begin(at: result.endedAt, in: calendar)
        guard result.solved else { return [] }
        today.activitiesCompleted += 1
        extendStreak(calendar)
        let earned = CoinEntry.earned(by: result)
        for entry in earned { add(entry) }
        return earned
    }

    package mutating func end(session: SessionMetrics) {
        learningProfile.update(with: session)
        lastPlayedDate = max(lastPlayedDate ?? session.endTime, session.endTime)
        let counts = learningProfile.preferredActivityTypes
        preferredActivities = ActivityType.allCases.enumerated().sorted { left, right in
            let (many, few) = (counts[left.element] ?? 0, counts[right.element] ?? 0)
            return many == few ? left.offset < right.offset : many > few
        }.map(\.element)
    }

    /// Pays for a video or a reward; `nil` where the balance is below the price.
    package mutating func spend(_ price: Int, for reason: CoinReason, at now: Timestamp) -> CoinEntry? {
        guard price >= 0, price <= coins else { return nil }
        let entry = CoinEntry(at: now, amount: -price, reason: reason)
        add(entry)
        return entry
    }

    package mutating func record(_ video: VideoRecord, in calendar: OperationalCalendar) {
        today.begin(at: video.watchedAt, in: calendar)
        today.videosWatched.append(video)
    }

    private mutating func add(_ entry: CoinEntry) {
        coins += entry.amount
        totalCoinsEarned += max(0, entry.amount)
    }

    /// Counts today once. A day that the clock was set back to counts nothing.
    private mutating func extendStreak(_ calendar: OperationalCalendar) {
        guard let date = today.date, lastSolvedDay.map({ $0 < date }) ?? true else { return }
        consecutiveDays = streak(in: calendar) + 1
        lastSolvedDay = date
    }

    /// Days in a row with a solved level as of today; 0 where yesterday had none.
    package func streak(in calendar: OperationalCalendar) -> Int {
        guard let date = today.date, let lastSolvedDay else { return 0 }
        return lastSolvedDay < calendar.day(before: calendar.day(of: date)).date ? 0 : consecutiveDays
    }
}

/// The figures that players choose from. The raw values are stored, and are spoken as the figures' names.
package enum Avatar: String, CaseIterable, Sendable {
    case bear, cat, dog, rabbit, owl, mouse, fox, frog, pig, fish, bird, turtle

    /// Three lines of seven ASCII characters.
    package var drawing: [String] {
        switch self {
        case .bear: [" n___n ", " (o o) ", "  (Y)  "]
        case .cat: [" /\\_/\\ ", "( o.o )", " > ^ < "]
        case .dog: [" __ __ ", "(|o o|)", "  \\o/  "]
        case .rabbit: [" () () ", " (o.o) ", " (\")(\")"]
        case .owl: [" ,___, ", " {O,O} ", " /)_(\\ "]
        case .mouse: ["()___()", " (o o) ", "  `o'~ "]
        case .fox: [" /\\ /\\ ", " \\o o/ ", "  \\./  "]
        case .frog: [" @...@ ", "(-----)", "(>___<)"]
        case .pig: [" ^___^ ", " (o o) ", " ( \" ) "]
        case .fish: ["  ,--. ", "><   o>", "  `--' "]
        case .bird: ["   __  ", " <(o )_", "  (__/ "]
        case .turtle: ["  ____ ", "o/####\\", " \"\"  \"\""]
        }
    }
}
