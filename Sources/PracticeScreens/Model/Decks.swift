import CounterModel
import Practice

/// The cards of each deck.
extension PracticeModel {
    func cards(of deck: Deck) -> [Card] {
        switch deck {
        case .selection: selection
        case .home: home
        case .treasure: treasure
        case .figures(let name, let fromDashboard):
            Avatar.allCases.map {
                Card($0.rawValue, art: $0.drawing, .make(name: name, $0, fromDashboard: fromDashboard))
            }
        case .dashboard: dashboard
        case .player(let id): cards(ofPlayer: id)
        case .erasing(let id):
            [
                Card("No, keep \(name(of: id))", .open(.player(id: id))),
                Card("Erase \(name(of: id))", "this cannot be undone", .erase(player: id)),
            ]
        case .videos: videos
        case .rewards: rewards
        }
    }

    func title(of deck: Deck) -> String {
        switch deck {
        case .selection: Texts.whoPlays
        case .home: player.map(Texts.home) ?? ""
        case .treasure: Texts.treasure
        case .figures: Texts.whichFigure
        case .dashboard, .player, .erasing, .videos, .rewards: Texts.grownUp
        }
    }

    private var selection: [Card] {
        players.map {
            Card(
                $0.player.name, art: Avatar(rawValue: $0.player.avatarName)?.drawing ?? [],
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
            Card(Texts.treasure, Texts.coins(player.coins), art: Drawings.chest, .open(.treasure)),
            Card("Somebody else", art: Drawings.door, .open(.selection)),
        ]
    }

    private func card(of activity: ActivityType, _ player: PlayerData) -> Card {
        let (title, art) = (English.name(activity), Drawings.of(activity))
        if settings.parentSettings.isLocked(activity, for: player.id) {
            return Card(title, Texts.locked, art: art, .refuse(Texts.locked))
        }
        if limit == .reached {
            return Card(title, untilWhen, art: art, .refuse(untilWhen))
        }
        return Card(title, Texts.unlocked(player.progress(in: activity)), art: art, .begin(activity))
    }

    private var treasure: [Card] {
        let parent = settings.parentSettings
        let videos = parent.approvedVideos.map {
            Card($0.title, Texts.price($0.price), art: Drawings.video, .buy(video: $0.id))
        }
        let rewards = parent.rewards.enumerated().map {
            Card($0.element.name, Texts.price($0.element.price), art: Drawings.gift, .give(reward: $0.offset))
        }
        let all = videos + rewards
        return (all.isEmpty ? [Card(Texts.nothingYet, "the grown-up adds videos", .open(.home))] : all)
            + [Card("Home", art: Drawings.door, .open(.home))]
    }

    private var dashboard: [Card] {
        players.map { Card($0.player.name, "limit, locks, report", .open(.player(id: $0.player.id))) } + [
            Card("Add a player", .type(.playerName(fromDashboard: true))),
            Card("Videos", "\(settings.parentSettings.approvedVideos.count) approved", .open(.videos)),
            Card("Rewards", "\(settings.parentSettings.rewards.count) kinds", .open(.rewards)),
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
                    art: Drawings.of($0), .toggleLock(player: id, $0))
            } + [
                Card("Erase \(name(of: id))", "all that is kept", .open(.erasing(id: id))),
                Card("Back", .open(.dashboard)),
            ]
    }

    private var videos: [Card] {
        [Card("Add a video", "from its address", .type(.videoLink))]
            + settings.parentSettings.approvedVideos.map {
                Card($0.title, "remove; seen \($0.watchCount) times", .removeVideo($0.id))
            } + [Card("Back", .open(.dashboard))]
    }

    private var rewards: [Card] {
        [Card("Add a reward", "such as an ice cream", .type(.rewardName))]
            + settings.parentSettings.rewards.enumerated().map {
                Card($0.element.name, "remove; \(Texts.price($0.element.price))", .removeReward($0.offset))
            } + [Card("Back", .open(.dashboard))]
    }

    func name(of id: String) -> String { players.first { $0.player.id == id }?.player.name ?? id }
}
