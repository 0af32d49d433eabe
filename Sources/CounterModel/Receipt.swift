/// A request that has been stored or answered, with what became of it.
public struct Receipt: Hashable, Sendable {
    /// What was asked.
    public let request: Request
    /// What became of it.
    public let outcome: Outcome

    /// Creates a receipt.
    public init(request: Request, outcome: Outcome) {
        self.request = request
        self.outcome = outcome
    }
}
