/// A request with its outcome.
public struct Receipt: Hashable, Sendable {
    /// The request.
    public let request: Request
    /// The result.
    public let outcome: Outcome
    /// The level of the location right after the request.
    public let level: Int

    /// Creates a receipt.
    public init(request: Request, answer: Answer) {
        self.request = request
        outcome = answer.outcome
        level = answer.level
    }
}
