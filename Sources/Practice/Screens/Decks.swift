import CounterModel

struct Card {
    typealias Action = (inout PracticeModel, Moment) -> [Effect]

    let title: String
    let detail: String
    let art: CardDrawing?
    let action: Action

    init(_ title: String, _ detail: String, art: CardDrawing? = nil, _ action: @escaping Action) {
        (self.title, self.detail, self.art, self.action) = (title, detail, art, action)
    }

    init(_ title: String, art: CardDrawing? = nil, _ action: @escaping Action) {
        self.init(title, "", art: art, action)
    }

    /// A card that cannot be chosen; the detail says why.
    init(_ title: String, refusing reason: String, art: CardDrawing? = nil) {
        self.init(title, reason, art: art) { _, _ in [.say(reason), .ring] }
    }

    var spoken: String { detail.isEmpty ? "\(title)." : "\(title). \(detail)." }
}

struct Cards {
    let title: String
    /// A list instead of one card at a time: the grown-up's.
    var isList = true
    /// What Escape and both held keys do.
    let back: Card.Action
    let cards: [Card]

    /// The last card where there are fewer, as after one was removed.
    subscript(_ index: Int) -> Card { cards[min(index, cards.count - 1)] }
}

func opening(_ deck: Deck) -> Card.Action { { model, _ in model.show(deck) } }

func asking(_ typing: Typing) -> Card.Action { { model, _ in model.show(.typing(typing)) } }

extension PracticeModel {
    func content(of deck: Deck) -> Cards {
        switch deck {
        case .selection: selection
        case .home: home
        case .treasure: treasure
        case .spending(let offer): spending(offer)
        case .leaving(let playing): leaving(playing)
        case .voice: voice
        case .figures(let name, let fromDashboard): figures(name, fromDashboard)
        case .dashboard: dashboard
        case .player(let id): cards(ofPlayer: id)
        case .erasing(let id): erasing(id)
        case .videos: videos
        case .video(let id): cards(ofVideo: id)
        case .rewards: rewards
        case .reward(let index): cards(ofReward: index)
        }
    }

    func name(of id: String) -> String { players.first { $0.id == id }?.name ?? id }

    // MARK: - The players'

    private var selection: Cards {
        let players = players.map { player in
            Card(player.name, art: Avatar(rawValue: player.avatarName).map(CardDrawing.init)) {
                $0.begin(player: player.id, $1)
            }
        }
        return Cards(
            title: Texts.whoPlays, isList: false, back: { _, _ in [] },
            cards: players + troubles.map { Card("A player cannot be read", refusing: $0) } + [
                Card(Texts.grownUp, "limits, videos, reports", asking(.pin())),
                Card("The end", "close the program") { _, _ in [.leave] },
            ])
    }

    private var voice: Cards {
        func answer(_ title: String, _ detail: String, speaks: Bool) -> Card {
            Card(title, detail) { model, _ in
                model.settings.audioEnabled = speaks
                return [.saveSettings]
                    + (model.players.isEmpty
                        ? model.show(.typing(.playerName(fromDashboard: false)))
                        : model.show(.selection))
            }
        }
        return Cards(
            title: Texts.shallSpeak, back: asking(.newPIN(isFirst: true)),
            cards: [
                answer("Yes", "every text is said", speaks: true),
                answer("No", "can be changed later", speaks: false),
            ])
    }

    private func figures(_ name: String, _ fromDashboard: Bool) -> Cards {
        Cards(
            title: Texts.whichFigure, isList: false, back: opening(fromDashboard ? .dashboard : .selection),
            cards: Avatar.allCases.map { avatar in
                Card(avatar.rawValue, art: CardDrawing(avatar)) { model, now in
                    let id = String(now.time.microseconds, radix: 36)
                    let player = PlayerData(id: id, name: name, avatar: avatar, createdAt: now.time)
                    model.players.append(player)
                    return [.make(player)]
                        + (fromDashboard
                            ? model.show(.dashboard) : model.show(.selection, at: model.players.count - 1))
                }
            })
    }

    private var home: Cards {
        let others: Card.Action = { $0.choosePlayer($1) }
        return Cards(
            title: player?.name ?? "", isList: false, back: others,
            cards: homeActivities.compactMap(card) + [
                Card(Texts.treasure, Texts.coins(player?.coins ?? 0), art: .chest) { $0.openTreasure($1) },
                Card("Somebody else", art: .door, others),
            ])
    }

    var homeActivities: [ActivityType] {
        let preferred = player?.preferredActivities ?? []
        return preferred + ActivityType.allCases.filter { !preferred.contains($0) }
    }

    private func card(of activity: ActivityType) -> Card? {
        guard let player else { return nil }
        let (title, art) = (English.name(activity), CardDrawing(activity))
        if settings.parentSettings.isLocked(activity, for: player.id) {
            return Card(title, refusing: Texts.locked, art: art)
        }
        if minutesLeft == 0 { return Card(title, refusing: untilWhen, art: art) }
        return Card(title, Texts.unlocked(player.progress(in: activity)), art: art) {
            $0.begin(activity, $1)
        }
    }

    private mutating func choosePlayer(_ now: Moment) -> [Effect] {
        endSession(now) + show(.selection, at: current ?? 0)
    }

    /// Groups in the order of their names, each with its videos in the order of the grown-up.
    private var treasureVideos: [ApprovedVideo] {
        settings.parentSettings.approvedVideos.enumerated().sorted {
            ($0.element.category ?? "", $0.offset) < ($1.element.category ?? "", $1.offset)
        }.map(\.element)
    }

    private var treasure: Cards {
        let videos = treasureVideos.map { video in
            let price = Texts.price(video.price)
            let detail = video.category.map { "\($0), \(price)" } ?? price
            return Card(video.title, detail, art: .video) { model, _ in model.consider(video.offer) }
        }
        let rewards = settings.parentSettings.rewards.map { reward in
            Card(reward.name, Texts.price(reward.price), art: .gift) { model, _ in
                model.consider(Offer(name: reward.name, price: reward.price))
            }
        }
        let all = videos + rewards
        let nothing = [Card(Texts.nothingYet, "the grown-up adds videos", opening(.home))]
        return Cards(
            title: Texts.treasure, isList: false, back: opening(.home),
            cards: (all.isEmpty ? nothing : all) + [Card("Home", art: .door, opening(.home))])
    }

    private mutating func openTreasure(_ now: Moment) -> [Effect] {
        guard settings.parentSettings.videoAutoplay, let first = treasureVideos.first,
            first.price <= player?.coins ?? 0
        else { return show(.treasure) }
        return show(.spending(first.offer))
    }

    private func spending(_ offer: Offer) -> Cards {
        Cards(
            title: Texts.spend(offer), isList: false, back: opening(.treasure),
            cards: [
                Card("No", "keep the coins", art: .coin, opening(.treasure)),
                Card(
                    "Yes", "\(offer.name) for \(Texts.coins(offer.price))",
                    art: offer.video == nil ? .gift : .video
                ) { $0.buy(offer, $1) },
            ])
    }

    private func leaving(_ playing: Playing) -> Cards {
        Cards(
            title: Texts.leave, isList: false, back: { model, _ in model.show(.level(playing)) },
            cards: [
                Card("Play on", art: CardDrawing(playing.level.activity)) { model, _ in
                    model.trail.removeLast()
                    return model.show(.level(playing))
                },
                Card("Home", "this level is not finished", art: .door) { $0.finish(playing, $1) },
            ])
    }

    // MARK: - The grown-up's

    private var dashboard: Cards {
        let parent = settings.parentSettings
        let percent = Int((settings.voiceVolume * 100).rounded())
        let volume = Typing.number(Texts.volume, 0...100, at: .dashboard) {
            $0.voiceVolume = Float($1) / 100
        }
        return Cards(
            title: Texts.grownUp, back: { $0.choosePlayer($1) },
            cards: players.map {
                Card($0.name, "limit, locks, report", opening(.player(id: $0.id)))
            } + [
                Card("Add a player", asking(.playerName(fromDashboard: true))),
                Card("Videos", "\(parent.approvedVideos.count) approved", opening(.videos)),
                Card("Rewards", "\(parent.rewards.count)", opening(.rewards)),
                Card("Voice", settings.audioEnabled ? "on" : "off") { model, _ in
                    model.change { $0.audioEnabled.toggle() }
                },
                Card("Volume of the voice", "\(percent) percent", asking(volume)),
                Card("Offer the first video", parent.videoAutoplay ? "yes" : "no") { model, _ in
                    model.change { $0.parentSettings.videoAutoplay.toggle() }
                },
                Card("Change the PIN", asking(.newPIN(isFirst: false))),
                Card("Back to the players") { $0.choosePlayer($1) },
            ])
    }

    private func cards(ofPlayer id: String) -> Cards {
        let (parent, name) = (settings.parentSettings, name(of: id))
        let minutes = Typing.number(Texts.minutesPerDay, ParentSettings.dailyLimits, at: .player(id: id)) {
            $0.parentSettings.dailyTimeLimits[id] = $1
        }
        let locks = ActivityType.allCases.map { activity in
            Card(English.name(activity), parent.isLocked(activity, for: id) ? "closed" : "open") { model, _ in
                model.change { $0.parentSettings.toggleLock(of: activity, for: id) }
            }
        }
        return Cards(
            title: name, back: opening(.dashboard),
            cards: [
                Card("Minutes per day", "\(parent.dailyMinutes(of: id))", asking(minutes)),
                Card("Report", "what \(name) has played") { $0.showReport(of: id, $1) },
            ] + locks + [
                Card("Erase \(name)", "all that is kept", opening(.erasing(id: id))),
                Card("Back", opening(.dashboard)),
            ])
    }

    private mutating func showReport(of id: String, _ now: Moment) -> [Effect] {
        guard let player = players.first(where: { $0.id == id }) else { return [] }
        let lines = player.report(settings.parentSettings, at: now)
        return show(.report(lines, top: 0, of: id))
    }

    private func erasing(_ id: String) -> Cards {
        let name = name(of: id)
        return Cards(
            title: name, back: opening(.player(id: id)),
            cards: [
                Card("No, keep \(name)", opening(.player(id: id))),
                Card("Erase \(name)", "this cannot be undone") { model, _ in
                    model.players.removeAll { $0.id == id }
                    model.settings.forget(player: id)
                    return [.erase(player: id), .saveSettings] + model.show(.dashboard)
                },
            ])
    }

    private var videos: Cards {
        Cards(
            title: "Videos", back: opening(.dashboard),
            cards: [Card("Add a video", "from its address", asking(.videoLink))]
                + settings.parentSettings.approvedVideos.map {
                    Card($0.title, "seen \(Texts.times($0.watchCount))", opening(.video(id: $0.id)))
                } + [Card("Back", opening(.dashboard))])
    }

    private func cards(ofVideo id: String) -> Cards {
        guard let video = settings.parentSettings.video(id) else { return videos }
        let length = Typing.number(
            Texts.videoLength, ApprovedVideo.lengths, orElse: 0, at: .video(id: id)
        ) { settings, minutes in
            settings.parentSettings.change(video: id) { $0.duration = .seconds(60 * minutes) }
        }
        return Cards(
            title: video.title, back: opening(.videos),
            cards: [
                Card("Price", Texts.coins(video.price), asking(.price(of: video, at: .video(id: id)))),
                Card("Length", Texts.length(video.duration), asking(length)),
                Card("Group", video.category ?? "none", asking(.videoCategory(id))),
                Card("Remove", video.title) { model, _ in
                    model.settings.parentSettings.approvedVideos.removeAll { $0.id == id }
                    return [.saveSettings] + model.show(.videos)
                },
                Card("Back", opening(.videos)),
            ])
    }

    private var rewards: Cards {
        Cards(
            title: "Rewards", back: opening(.dashboard),
            cards: [Card("Add a reward", "such as an ice cream", asking(.rewardName))]
                + settings.parentSettings.rewards.enumerated().map {
                    Card($0.element.name, Texts.price($0.element.price), opening(.reward(index: $0.offset)))
                } + [Card("Back", opening(.dashboard))])
    }

    private func cards(ofReward index: Int) -> Cards {
        guard settings.parentSettings.rewards.indices.contains(index) else { return rewards }
        let reward = settings.parentSettings.rewards[index]
        return Cards(
            title: reward.name, back: opening(.rewards),
            cards: [
                Card("Price", Texts.coins(reward.price), asking(.rewardPrice(reward.name))),
                Card("Remove", reward.name) { model, _ in
                    model.settings.parentSettings.rewards.remove(at: index)
                    return [.saveSettings] + model.show(.rewards)
                },
                Card("Back", opening(.rewards)),
            ])
    }

    /// Changes a setting, and stays at its card.
    private mutating func change(_ change: (inout AppSettings) -> Void) -> [Effect] {
        change(&settings)
        return [.saveSettings] + show(stage)
    }
}
