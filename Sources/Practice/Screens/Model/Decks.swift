import CounterModel

/// The cards of each deck.
extension PracticeModel {
    func cards(of deck: Deck) -> [Card] {
        switch deck {
        case .selection: selection
        case .home: home
        case .treasure: treasure
        case .figures(let name, let fromDashboard):
            Avatar.allCases.map {
                Card($0.rawValue, art: Drawing($0), .make(name: name, $0, fromDashboard: fromDashboard))
            }
        case .dashboard: dashboard
        case .player(let id): cards(ofPlayer: id)
        case .erasing(let id):
            [
                Card("No, keep \(name(of: id))", .open(.player(id: id))),
                Card("Erase \(name(of: id))", "this cannot be undone", .erase(player: id)),
            ]
        case .videos: videos
        case .video(let id): cards(ofVideo: id)
        case .rewards: rewards
        case .reward(let index): cards(ofReward: index)
        }
    }

    func title(of deck: Deck) -> String {
        switch deck {
        case .selection: Texts.whoPlays
        case .home: player.map(Texts.home) ?? ""
        case .treasure: Texts.treasure
        case .figures: Texts.whichFigure
        case .dashboard: Texts.grownUp
        case .player(let id), .erasing(let id): name(of: id)
        case .videos: "Videos"
        case .video(let id): settings.parentSettings.video(id)?.title ?? "Videos"
        case .rewards: "Rewards"
        case .reward(let index):
            settings.parentSettings.rewards.indices.contains(index)
                ? settings.parentSettings.rewards[index].name : "Rewards"
        }
    }

    private var selection: [Card] {
        players.map {
            Card(
                $0.player.name, art: Avatar(rawValue: $0.player.avatarName).map(Drawing.init),
                .play(player: $0.player.id))
        }
            + troubles.map { Card("A player cannot be read", $0, .refuse($0)) }
            + [
                Card(Texts.grownUp, "limits, videos, reports", .askPIN),
                Card("The end", "close the program", .leave),
            ]
    }

    private var home: [Card] {
        guard let player else { return [] }
        let order = player.preferredActivities.isEmpty ? ActivityType.allCases : player.preferredActivities
        let rest = ActivityType.allCases.filter { !order.contains($0) }
        return (order + rest).map { card(of: $0, player) } + [
            Card(Texts.treasure, Texts.coins(player.coins), art: .chest, .open(.treasure)),
            Card("Somebody else", art: .door, .open(.selection)),
        ]
    }

    private func card(of activity: ActivityType, _ player: PlayerData) -> Card {
        let (title, art) = (English.name(activity), Drawing(activity))
        if settings.parentSettings.isLocked(activity, for: player.id) {
            return Card(title, Texts.locked, art: art, .refuse(Texts.locked))
        }
        if limit == .reached {
            return Card(title, untilWhen, art: art, .refuse(untilWhen))
        }
        return Card(title, Texts.unlocked(player.progress(in: activity)), art: art, .begin(activity))
    }

    /// Groups in the order of their names, each with its videos in the order of the grown-up.
    var treasureVideos: [ApprovedVideo] {
        settings.parentSettings.approvedVideos.enumerated().sorted {
            ($0.element.category ?? "", $0.offset) < ($1.element.category ?? "", $1.offset)
        }.map(\.element)
    }

    private var treasure: [Card] {
        let parent = settings.parentSettings
        let videos = treasureVideos.map { video in
            let price = Texts.price(video.price)
            return Card(
                video.title, video.category.map { "\($0), \(price)" } ?? price, art: .video,
                .buy(video: video.id))
        }
        let rewards = parent.rewards.enumerated().map {
            Card($0.element.name, Texts.price($0.element.price), art: .gift, .give(reward: $0.offset))
        }
        let all = videos + rewards
        return (all.isEmpty ? [Card(Texts.nothingYet, "the grown-up adds videos", .open(.home))] : all)
            + [Card("Home", art: .door, .open(.home))]
    }

    private var dashboard: [Card] {
        players.map { Card($0.player.name, "limit, locks, report", .open(.player(id: $0.player.id))) } + [
            Card("Add a player", .type(.playerName(fromDashboard: true))),
            Card("Videos", "\(settings.parentSettings.approvedVideos.count) approved", .open(.videos)),
            Card("Rewards", "\(settings.parentSettings.rewards.count)", .open(.rewards)),
            Card("Voice", settings.audioEnabled ? "on" : "off", .toggleSpeech),
            Card(
                "Volume of the voice", "\(Int((settings.voiceVolume * 100).rounded())) percent",
                .type(.volume)),
            Card(
                "First video starts by itself", settings.parentSettings.videoAutoplay ? "yes" : "no",
                .toggleAutoplay),
            Card("Change the PIN", .type(.newPIN)),
            Card("Back to the players", .open(.selection)),
        ]
    }

    private func cards(ofPlayer id: String) -> [Card] {
        let parent = settings.parentSettings
        return [
            Card("Minutes per day", "\(parent.dailyLimit(of: id).minutes)", .type(.minutes(player: id))),
            Card("Report", "what \(name(of: id)) has played", .report(player: id)),
        ]
            + ActivityType.allCases.map {
                Card(
                    English.name($0), parent.isLocked($0, for: id) ? "closed" : "open",
                    .toggleLock(player: id, $0))
            } + [
                Card("Erase \(name(of: id))", "all that is kept", .open(.erasing(id: id))),
                Card("Back", .open(.dashboard)),
            ]
    }

    private var videos: [Card] {
        [Card("Add a video", "from its address", .type(.videoLink))]
            + settings.parentSettings.approvedVideos.map {
                Card($0.title, "seen \(Texts.times($0.watchCount))", .open(.video(id: $0.id)))
            } + [Card("Back", .open(.dashboard))]
    }

    private func cards(ofVideo id: String) -> [Card] {
        guard let video = settings.parentSettings.video(id) else { return [Card("Back", .open(.videos))] }
        return [
            Card("Price", Texts.coins(video.price), .type(.videoPrice(id: id, title: video.title))),
            Card("Length", Texts.length(video.duration), .type(.videoLength(id: id))),
            Card("Group", video.category ?? "none", .type(.videoCategory(id: id))),
            Card("Remove", video.title, .removeVideo(id)),
            Card("Back", .open(.videos)),
        ]
    }

    private var rewards: [Card] {
        [Card("Add a reward", "such as an ice cream", .type(.rewardName))]
            + settings.parentSettings.rewards.enumerated().map {
                Card($0.element.name, Texts.price($0.element.price), .open(.reward(index: $0.offset)))
            } + [Card("Back", .open(.dashboard))]
    }

    private func cards(ofReward index: Int) -> [Card] {
        let rewards = settings.parentSettings.rewards
        guard rewards.indices.contains(index) else { return [Card("Back", .open(.rewards))] }
        return [
            Card("Price", Texts.coins(rewards[index].price), .type(.rewardPrice(name: rewards[index].name))),
            Card("Remove", rewards[index].name, .removeReward(index)),
            Card("Back", .open(.rewards)),
        ]
    }

    func name(of id: String) -> String { players.first { $0.player.id == id }?.player.name ?? id }
}
