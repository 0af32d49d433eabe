import CounterModel

/// The grown-up's part.
extension PracticeModel {
    /// Takes the answer to `Effect.check(pin:)`.
    package mutating func take(_ answer: PINAnswer) -> [Effect] {
        switch answer {
        case .right: return show(.dashboard)
        case .wrong: return show(.typing(Typing(.pin, problem: Texts.wrongPIN)))
        case .wait(let duration): return show(.typing(Typing(.pin, problem: Texts.wait(duration))))
        case .failed(let reason): return show(.typing(Typing(.pin, problem: reason)))
        }
    }

    /// Shows the report of a player.
    package mutating func show(report lines: [String], of player: String) -> [Effect] {
        show(.page(lines, top: 0, then: .player(id: player)))
    }

    /// Counts lines that were spoken to their end.
    package mutating func noteSpoken(lines: Int) { session?.voiceLineCompletions += max(0, lines) }

    mutating func administer(_ action: Card.Action) -> [Effect] {
        guard case .cards(let deck, let index) = stage else { return [] }
        switch action {
        case .toggleLock(let id, let activity): toggle(activity, of: id)
        case .toggleSpeech: settings.audioEnabled.toggle()
        case .toggleAutoplay: settings.parentSettings.videoAutoplay.toggle()
        case .removeVideo(let video):
            settings.parentSettings.approvedVideos.removeAll { $0.id == video }
            return [.saveSettings] + show(.videos)
        case .removeReward(let number):
            settings.parentSettings.rewards.remove(at: number)
            return [.saveSettings] + show(.rewards)
        case .erase(let id): return erase(id)
        case .report(let id):
            guard let found = players.first(where: { $0.player.id == id }) else { return [] }
            return show(report: PlayerReport(found.player, settings.parentSettings).lines, of: id)
        case .play, .askPIN, .leave, .begin, .open, .type, .make, .buy, .give, .refuse: return []
        }
        return [.saveSettings] + show(deck, at: min(index, cards(of: deck).count - 1))
    }

    private mutating func toggle(_ activity: ActivityType, of id: String) {
        var locked = settings.parentSettings.lockedActivities[id] ?? []
        if locked.contains(activity) { locked.removeAll { $0 == activity } } else { locked.append(activity) }
        settings.parentSettings.lockedActivities[id] = locked
    }

    private mutating func erase(_ id: String) -> [Effect] {
        players.removeAll { $0.player.id == id }
        settings.forget(player: id)
        return [.erase(player: id), .saveSettings] + show(.dashboard)
    }
}

extension AppSettings {
    /// Removes all that the settings say about a player.
    package mutating func forget(player id: String) {
        parentSettings.lockedActivities[id] = nil
        parentSettings.dailyTimeLimits[id] = nil
        if lastActivePlayerId == id { lastActivePlayerId = nil }
    }
}
