package import CounterModel

extension PlayerData {
    /// Takes the end of a level into account: progress, difficulty, coins, streak and today.
    ///
    /// - Returns: The coins that were earned, to be stored as rows; none for a level that was quit.
    package mutating func finish(level result: LevelResult, in calendar: OperationalCalendar) -> [CoinEntry] {
        var progress = progress(in: result.activity)
        progress.finish(level: result)
        activityProgress[result.activity] = progress
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

    /// Takes the end of a session into account.
    package mutating func end(session: SessionMetrics) {
        learningProfile.update(with: session)
        lastPlayedDate = max(lastPlayedDate ?? session.endTime, session.endTime)
        let counts = learningProfile.preferredActivityTypes
        preferredActivities = ActivityType.allCases.enumerated().sorted { left, right in
            let (many, few) = (counts[left.element] ?? 0, counts[right.element] ?? 0)
            return many == few ? left.offset < right.offset : many > few
        }.map(\.element)
    }

    /// Pays for a video.
    ///
    /// - Returns: The coins that were spent, to be stored as a row.
    /// - Throws: If the balance is below the price; the balance then stays.
    package mutating func buy(_ video: ApprovedVideo, at now: Timestamp) throws(NotEnoughCoins) -> CoinEntry {
        try spend(video.price, for: .video(id: video.id), at: now)
    }

    /// Pays for a reward.
    ///
    /// - Returns: The coins that were spent, to be stored as a row.
    /// - Throws: If the balance is below the price; the balance then stays.
    package mutating func buy(_ reward: Reward, at now: Timestamp) throws(NotEnoughCoins) -> CoinEntry {
        try spend(reward.price, for: .reward(name: reward.name), at: now)
    }

    /// Adds a video to those watched today.
    package mutating func record(_ video: VideoRecord, in calendar: OperationalCalendar) {
        today.begin(at: video.watchedAt, in: calendar)
        today.videosWatched.append(video)
    }

    private mutating func spend(
        _ price: Int, for reason: CoinReason, at now: Timestamp
    ) throws(NotEnoughCoins) -> CoinEntry {
        guard price >= 0, price <= coins else { throw NotEnoughCoins(price: price, balance: coins) }
        let entry = CoinEntry(at: now, amount: -price, reason: reason)
        add(entry)
        return entry
    }

    private mutating func add(_ entry: CoinEntry) {
        coins += entry.amount
        totalCoinsEarned += max(0, entry.amount)
    }

    /// Counts today once. A day that the clock was set back to counts nothing.
    private mutating func extendStreak(_ calendar: OperationalCalendar) {
        guard let date = today.date, lastSolvedDay.map({ $0 < date }) ?? true else { return }
        let isNextDay = calendar.day(before: calendar.day(of: date)).date == lastSolvedDay
        consecutiveDays = isNextDay ? consecutiveDays + 1 : 1
        lastSolvedDay = date
    }
}

extension CoinEntry {
    /// The coins for a solved level: one, and one more if it was without a mistake.
    static func earned(by result: LevelResult) -> [CoinEntry] {
        let level = CoinEntry(
            at: result.endedAt, amount: 1, reason: .levelSolved(result.activity, level: result.level))
        guard result.mistakes == 0 else { return [level] }
        let more = CoinReason.withoutMistake(result.activity, level: result.level)
        return [level, CoinEntry(at: result.endedAt, amount: 1, reason: more)]
    }
}
