package import CounterModel

/// One change of a balance. Every coin is a row, so that a balance can be explained.
package struct CoinEntry: Hashable, Sendable {
    package internal(set) var at: Timestamp
    /// Above 0 if earned, below 0 if spent.
    package internal(set) var amount: Int
    package internal(set) var reason: CoinReason

    /// The coins for a solved level: one, and one more if it was without a mistake.
    static func earned(by result: LevelResult) -> [CoinEntry] {
        let kinds: [CoinReason.Kind] = [.levelSolved] + (result.mistakes == 0 ? [.withoutMistake] : [])
        return kinds.map {
            let reason = CoinReason(kind: $0, subject: result.activity.rawValue, level: result.level)
            return CoinEntry(at: result.endedAt, amount: 1, reason: reason)
        }
    }
}

/// What coins were earned or spent for, as it is stored.
package struct CoinReason: Hashable, Sendable {
    enum Kind: String {
        case levelSolved = "level_solved"
        case withoutMistake = "without_mistake"
        case video, reward
    }

    var kind: Kind
    /// The activity, the ID of the video, or the name of the reward.
    var subject: String
    var level: Int?

    static func video(id: String) -> CoinReason { CoinReason(kind: .video, subject: id) }
    static func reward(name: String) -> CoinReason { CoinReason(kind: .reward, subject: name) }
}

/// Something that the grown-up gives for coins.
package struct Reward: Hashable, Sendable {
    /// Shown and spoken; see ``admits(name:)``.
    package internal(set) var name: String
    /// In coins, ``prices``.
    package internal(set) var price: Int

    /// What a reward or a video may cost, in coins.
    package static let prices = 0...1000

    /// Whether a text may be a name of a reward, a video or a player: 1 to 40 characters, none of them a control character,
    /// at least one visible.
    package static func admits(name: String) -> Bool {
        (1...40).contains(name.count) && !name.holdsControlCharacter && !name.holdsBidirectionalControl
            && name.hasVisibleCharacter
    }
}

/// What coins buy.
package struct Offer: Hashable, Sendable {
    let name: String
    let price: Int
    /// `nil` for a reward that the grown-up gives.
    var video: ApprovedVideo?

    var reason: CoinReason { video.map { .video(id: $0.id) } ?? .reward(name: name) }
}

extension ApprovedVideo {
    var offer: Offer { Offer(name: title, price: price, video: self) }
}
