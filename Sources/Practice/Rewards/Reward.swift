import CounterModel

/// Something that the grown-up gives for coins.
package struct Reward: Hashable, Sendable {
    /// Shown and spoken; see ``admits(name:)``.
    package var name: String
    /// In coins, ``prices``.
    package var price: Int

    /// What a reward or a video may cost, in coins.
    package static let prices = 0...1000

    /// A reward.
    package init(name: String, price: Int) {
        self.name = name
        self.price = price
    }

    /// Whether a text may be a name of a reward, a video or a player: 1 to 40 characters, none of them a control character,
    /// at least one visible.
    package static func admits(name: String) -> Bool {
        (1...40).contains(name.count) && !name.holdsControlCharacter && !name.holdsBidirectionalControl
            && name.hasVisibleCharacter
    }
}
