/// A request with its outcome.
public struct Receipt: Hashable, Sendable {
    /// The request.
    public let request: Request
    /// The result.
    public let outcome: Outcome
    /// The level of the location right after the request.
    public let level: Int

    /// The positions of the counts, corrections and resets that it has appended; nil where it has appended none.
    public var rows: ClosedRange<Int64>? {
        switch (outcome, request.change) {
        case (.accepted(let last), .entries(_, let count)):
            last.number - Int64(count) + 1...last.number
        case (.accepted(let last), .entry), (.acceptedInNewEpoch(let last, _), .entry),
            (.accepted(let last), .reset), (.accepted(let last), .endOfDay), (.corrected(let last, _, _), _):
            last.number...last.number
        case (.accepted, _), (.acceptedInNewEpoch, _), (.duplicate, _), (.undone, _), (.nothingToUndo, _),
            (.nothingToVoid, _), (.refused, _):
            nil
        }
    }

    /// Creates a receipt.
    public init(request: Request, answer: Answer) {
        self.request = request
        outcome = answer.outcome
        level = answer.level
    }
}
