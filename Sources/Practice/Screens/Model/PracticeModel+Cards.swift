import CounterModel

/// What choosing a card does.
extension PracticeModel {
    mutating func carryOut(_ action: Card.Action, _ now: Moment) -> [Effect] {
        switch action {
        case .play(let id): return begin(player: id, now)
        case .askPIN: return show(.typing(Typing(.pin)))
        case .leave: return [.leave]
        case .begin(let activity): return begin(activity, now)
        case .open(.selection): return endSession(now) + show(.selection, at: current ?? 0)
        case .open(.treasure): return openTreasure(now)
        case .open(let deck): return show(deck)
        case .type(let purpose): return show(.typing(Typing(purpose)))
        case .make(let name, let avatar, let fromDashboard): return make(name, avatar, fromDashboard, now)
        case .buy(let id): return buy(video: id, now)
        case .give(let index): return give(reward: index, now)
        case .refuse(let reason): return [.say(reason), .ring]
        case .toggleLock, .toggleSpeech, .toggleAutoplay, .report, .erase, .removeVideo, .removeReward:
            return administer(action)
        }
    }

    private mutating func make(
        _ name: String, _ avatar: Avatar, _ fromDashboard: Bool, _ now: Moment
    ) -> [Effect] {
        let id = String(now.time.microseconds, radix: 36)
        let player = PlayerData(id: id, name: name, avatar: avatar, createdAt: now.time)
        players.append(LoadedPlayer(player))
        return [.make(player)]
            + (fromDashboard ? show(.dashboard) : show(.selection, at: players.count - 1))
    }

    private mutating func openTreasure(_ now: Moment) -> [Effect] {
        let parent = settings.parentSettings
        guard parent.videoAutoplay, let first = treasureVideos.first, first.price <= player?.coins ?? 0
        else {
            return show(.treasure)
        }
        return buy(video: first.id, now)
    }

    private mutating func buy(video id: String, _ now: Moment) -> [Effect] {
        guard let video = settings.parentSettings.approvedVideos.first(where: { $0.id == id }) else {
            return []
        }
        do throws(NotEnoughCoins) {
            guard let coin = try player?.buy(video, at: now.time) else { return [] }
            return [.save(coins: [coin], videos: []), .open(link: video.link)]
                + show(.watching(Watching(video: video, openedAt: now.time, since: now.steady)))
        } catch { return refuse(error) }
    }

    private mutating func give(reward index: Int, _ now: Moment) -> [Effect] {
        let reward = settings.parentSettings.rewards[index]
        do throws(NotEnoughCoins) {
            guard let coin = try player?.buy(reward, at: now.time) else { return [] }
            return [.save(coins: [coin], videos: [])]
                + show(.message([Texts.given(reward.name)], then: .treasure))
        } catch { return refuse(error) }
    }

    private func refuse(_ error: NotEnoughCoins) -> [Effect] {
        [.say(Texts.tooDear(error.price, error.balance)), .ring]
    }

    mutating func comeBack(_ watching: Watching, _ input: PracticeInput, _ now: Moment) -> [Effect] {
        guard input == .both || input == .home, let current else { return [] }
        let record = VideoRecord(
            id: players[current].nextVideoId, video: watching.video, watchedAt: watching.openedAt,
            duration: max(.zero, now.steady - watching.since), playerId: players[current].player.id)
        players[current].nextVideoId += 1
        player?.record(record, in: now.calendar)
        for index in settings.parentSettings.approvedVideos.indices
        where settings.parentSettings.approvedVideos[index].id == watching.video.id {
            settings.parentSettings.approvedVideos[index].watchCount += 1
            settings.parentSettings.approvedVideos[index].lastWatchedAt = watching.openedAt
        }
        // A video that began by itself must not keep the player from the rest of the treasure.
        let next: Deck = settings.parentSettings.videoAutoplay ? .treasure : .home
        return [.save(coins: [], videos: [record]), .saveSettings] + show(next)
    }
}
