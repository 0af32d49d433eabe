/// One card of a deck.
struct Card: Hashable, Sendable {
    /// What choosing it does.
    enum Action: Hashable, Sendable {
        case play(player: String)
        case askPIN
        case leave
        case begin(ActivityType)
        case open(Deck)
        case type(Typing.Purpose)
        case make(name: String, Avatar, fromDashboard: Bool)
        case buy(video: String)
        case give(reward: Int)
        case toggleLock(player: String, ActivityType)
        case toggleSpeech
        case toggleAutoplay
        case report(player: String)
        case erase(player: String)
        case removeVideo(String)
        case removeReward(Int)
        /// Nothing; the text says why.
        case refuse(String)
    }

    let art: Drawing?
    let title: String
    let detail: String
    let action: Action

    init(_ title: String, _ detail: String, art: Drawing? = nil, _ action: Action) {
        self.title = title
        self.detail = detail
        self.art = art
        self.action = action
    }

    init(_ title: String, art: Drawing?, _ action: Action) { self.init(title, "", art: art, action) }

    init(_ title: String, _ action: Action) { self.init(title, "", action) }

    /// What is spoken when the card is reached.
    var spoken: String { detail.isEmpty ? "\(title)." : "\(title). \(detail)." }
}
