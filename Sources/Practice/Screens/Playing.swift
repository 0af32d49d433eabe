import CounterModel

/// Levels, and what the coins of them buy.
extension PracticeModel {
    mutating func begin(_ activity: ActivityType, _ now: Moment) -> [Effect] {
        guard let player else { return [] }
        let progress = player.progress(in: activity)
        let level = Level(
            activity, seed: now.seed, difficulty: progress.currentDifficulty, number: progress.currentLevel,
            mistakesBeforeHint: player.learningProfile.mistakesBeforeHint)
        return show(.level(Playing(level: level)))
    }

    mutating func play(_ playing: Playing, _ input: PracticeInput, _ now: Moment) -> [Effect] {
        if input == .home { return show(.leaving(playing)) }
        guard case .key(let key) = input else { return [] }
        var playing = playing
        let before = playing.level.game
        let answer = playing.level.take(key)
        let game = playing.level.game
        let text = English.answer(answer, game)
        playing.isPraised =
            player?.learningProfile.needsMoreEncouragement ?? false
            && answer.isRightStep(from: before, to: game)
        playing.answer = answer
        stage = .level(playing)
        if playing.level.isSolved { return finish(playing, now) }
        if case .mistake = answer { return [.say(text), .ring] }
        return [.say(playing.isPraised ? "\(Texts.praise) \(text)" : text)]
    }

    /// Ends a level, which is quit where it is not solved.
    mutating func finish(_ playing: Playing, _ now: Moment) -> [Effect] {
        guard var player else { return [] }
        let level = playing.level
        let result = LevelResult(
            activity: level.activity, level: level.number, solved: level.isSolved,
            mistakes: level.mistakes, hints: level.hints, solveTime: playing.played, endedAt: now.time)
        let coins = player.finish(level: result, in: now.calendar)
        self.player = player
        session?.levels.append(result)
        note(dayOf: now)
        let saved = Effect.save(coins: coins, videos: [])
        guard result.solved else { return [saved] + show(.home) }
        let earned = coins.reduce(0) { $0 + $1.amount }
        return [saved, .ring] + show(.goOn(Celebration(coins: earned, shownAt: now.steady)))
    }

    mutating func goOn(_ celebration: Celebration, _ now: Moment) -> [Effect] {
        session?.celebrationTaps += 1
        session?.celebrationTapDelayTotal += max(.zero, now.steady - celebration.shownAt)
        return show(.home)
    }
}

extension LevelAnswer {
    /// Whether it may be praised. Where numbers are chosen, praise for a key would tell the solution.
    fileprivate func isRightStep(from before: Game, to after: Game) -> Bool {
        switch self {
        case .nextQuestion, .walked: true
        case .number, .color: after.rules.missing < before.rules.missing
        case .noFurther, .cell, .turned, .hint, .mistake, .solved: false
        }
    }
}

// MARK: - The treasure

extension PracticeModel {
    /// Asks whether to spend the coins, where there are enough.
    mutating func consider(_ offer: Offer) -> [Effect] {
        let balance = player?.coins ?? 0
        if offer.price <= balance { return show(.spending(offer)) }
        let reason = Texts.tooDear(offer.price, balance)
        notice = reason
        return [.say(reason), .ring]
    }

    mutating func buy(_ offer: Offer, _ now: Moment) -> [Effect] {
        guard let coin = player?.spend(offer.price, for: offer.reason, at: now.time) else { return [] }
        let saved = Effect.save(coins: [coin], videos: [])
        guard let video = offer.video else {
            return [saved] + show(.message([Texts.given(offer.name)], then: .treasure))
        }
        return [saved, .open(link: video.link)] + show(.watching(video, since: now))
    }

    mutating func comeBack(
        from video: ApprovedVideo, since start: Moment, _ input: PracticeInput, _ now: Moment
    ) -> [Effect] {
        guard input == .both || input == .home, let current else { return [] }
        let record = VideoRecord(
            id: players[current].nextVideoId, video: video, watchedAt: start.time,
            duration: max(.zero, now.steady - start.steady))
        players[current].nextVideoId += 1
        player?.record(record, in: now.calendar)
        settings.parentSettings.change(video: video.id) {
            $0.watchCount += 1
            $0.lastWatchedAt = start.time
        }
        // A video that began by itself must not keep the player from the rest of the treasure.
        let next: Deck = settings.parentSettings.videoAutoplay ? .treasure : .home
        return [.save(coins: [], videos: [record]), .saveSettings] + show(next)
    }
}
