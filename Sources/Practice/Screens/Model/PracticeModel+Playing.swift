import CounterModel

/// Sessions and levels.
extension PracticeModel {
    mutating func begin(player id: String, _ now: Moment) -> [Effect] {
        guard let index = players.firstIndex(where: { $0.player.id == id }) else { return [] }
        current = index
        players[index].player.today.begin(at: now.time, in: now.calendar)
        session = SessionMetrics(
            sessionId: players[index].nextSessionId, playerId: id, startTime: now.time, startHour: now.hour)
        players[index].nextSessionId += 1
        meter = PlayMeter(start: now.steady)
        settings.lastActivePlayerId = id
        settings.currentSessionStartTime = now.time
        note(dayOf: now)
        return [.save(coins: [], videos: []), .saveSettings]
            + (warning.isEmpty ? show(.home) : show(.message(warning, then: .home)))
    }

    /// Ends the session of the player, if one runs.
    package mutating func endSession(_ now: Moment) -> [Effect] {
        let late = pass(now)
        guard let session else { return late }
        player?.end(session: session)
        settings.currentSessionStartTime = nil
        return [.endSession, .saveSettings]
    }

    /// After `endSession` has been stored.
    package mutating func forgetSession() { (session, meter, current) = (nil, nil, nil) }

    mutating func begin(_ activity: ActivityType, _ now: Moment) -> [Effect] {
        guard let player else { return [] }
        let progress = player.progress(in: activity)
        let level = Level(
            activity, seed: now.seed, difficulty: progress.currentDifficulty, number: progress.currentLevel,
            mistakesBeforeHint: player.learningProfile.mistakesBeforeHint)
        return show(.level(Playing(level: level, number: progress.currentLevel)))
    }

    mutating func play(_ playing: Playing, _ input: PracticeInput, _ now: Moment) -> [Effect] {
        guard let input = input.inLevel else { return [] }
        var playing = playing
        let before = playing.level.view
        let answer = playing.level.take(input)
        let (view, text) = (playing.level.view, English.answer(answer, playing.level.view))
        playing.isPraised =
            player?.learningProfile.needsMoreEncouragement ?? false
            && answer.isRightStep(from: before, to: view)
        playing.lastAnswer = playing.isPraised ? Texts.praise : English.shown(answer, view)
        stage = .level(playing)
        switch playing.level.phase {
        case .playing:
            if case .mistake = answer { return [.say(text), .ring] }
            return [.say(playing.isPraised ? "\(Texts.praise) \(text)" : text)]
        case .solved, .quit: return finish(playing, now)
        }
    }

    private mutating func finish(_ playing: Playing, _ now: Moment) -> [Effect] {
        guard var player else { return [] }
        let level = playing.level
        let result = LevelResult(
            activity: level.activity, level: playing.number, solved: level.phase == .solved,
            mistakes: level.mistakes, hints: level.hints, solveTime: playing.played, endedAt: now.time)
        let coins = player.finish(level: result, in: now.calendar)
        self.player = player
        session?.levels.append(result)
        note(dayOf: now)
        let saved = Effect.save(coins: coins, videos: [])
        guard result.solved else { return [saved] + show(.home) }
        let earned = coins.reduce(0) { $0 + $1.amount }
        return [saved, .ring] + show(.goOn(Celebration(result: result, coins: earned, shownAt: now.steady)))
    }
}

extension PracticeInput {
    /// `nil` for a click on a card: a level has none.
    fileprivate var inLevel: LevelInput? {
        switch self {
        case .up: .up
        case .down: .down
        case .both: .both
        case .home: .bothHeld
        case .card: nil
        }
    }
}

extension LevelAnswer {
    /// Whether it may be praised. Where numbers are chosen, praise for a key would tell the solution.
    fileprivate func isRightStep(from before: LevelView, to after: LevelView) -> Bool {
        switch self {
        case .nextQuestion, .walked: true
        case .pressed, .color: after.missing < before.missing
        case .number, .noFurther, .cell, .turned, .hint, .mistake, .solved, .quit, .ended: false
        }
    }
}

extension LevelView {
    /// How many presses, or cells, the solution still takes.
    fileprivate var missing: Int {
        switch self {
        case .dice(let view): abs(view.pips - view.pressed)
        case .puzzle(let view): view.differences
        case .choice, .labyrinth: 0
        }
    }
}
