/// A request that has been stored or answered, with what became of it.
public struct Receipt: Hashable, Sendable {
    /// What was asked.
    public let request: Request
    /// What became of it.
    public let outcome: Outcome
    /// The level of its location right after it.
    public let level: Int

    /// Creates a receipt.
    public init(request: Request, answer: Answer) {
        self.request = request
        outcome = answer.outcome
        level = answer.level
    }
}
