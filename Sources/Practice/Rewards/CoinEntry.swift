public import CounterModel

/// One change of a balance. Every coin is a row, so that a balance can be explained.
public struct CoinEntry: Hashable, Sendable {
    /// When.
    public let at: Timestamp
    /// Above 0 if earned, below 0 if spent.
    public let amount: Int
    /// What for.
    public let reason: CoinReason

    /// A row as stored.
    public init(at: Timestamp, amount: Int, reason: CoinReason) {
        self.at = at
        self.amount = amount
        self.reason = reason
    }
}

/// What coins were earned or spent for.
public enum CoinReason: Hashable, Sendable {
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
public struct NotEnoughCoins: Error, Hashable {
    /// In coins.
    public let price: Int
    /// In coins.
    public let balance: Int

    /// A price and the balance below it.
    public init(price: Int, balance: Int) {
        self.price = price
        self.balance = balance
    }
}
