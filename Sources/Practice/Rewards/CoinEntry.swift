package import CounterModel

/// One change of a balance. Every coin is a row, so that a balance can be explained.
package struct CoinEntry: Hashable, Sendable {
    /// When.
    package let at: Timestamp
    /// Above 0 if earned, below 0 if spent.
    package let amount: Int
    /// What for.
    package let reason: CoinReason

    /// A row as stored.
    package init(at: Timestamp, amount: Int, reason: CoinReason) {
        self.at = at
        self.amount = amount
        self.reason = reason
    }
}

/// What coins were earned or spent for.
package enum CoinReason: Hashable, Sendable {
    /// A level was solved.
    case levelSolved(ActivityType, level: Int)
    /// It was solved without a mistake.
    case withoutMistake(ActivityType, level: Int)
    /// A video was bought, by its ID.
    case video(id: String)
    /// A reward was bought, by its name.
    case reward(name: String)
}

/// A price above the balance.
package struct NotEnoughCoins: Error, Hashable {
    /// In coins.
    package let price: Int
    /// In coins.
    package let balance: Int

    /// A price and the balance below it.
    package init(price: Int, balance: Int) {
        self.price = price
        self.balance = balance
    }
}
