/// A repository's answer to one request.
package struct Answer: Hashable, Sendable {
    /// The result of the request.
    package let outcome: Outcome
    /// The level of the location right after the request; 0 where there is no such location.
    package let level: Int

    /// Creates an answer.
    package init(_ outcome: Outcome, level: Int) {
        self.outcome = outcome
        self.level = level
    }
}

/// The result of one request.
package enum Outcome: Hashable, Sendable {
    /// The request was appended at this position.
    case accepted(Position)
    /// A correction was appended at this position; the level before it and after it.
    case corrected(Position, from: Int, to: Int)
    /// The journal had the same row already, at this position; nothing has changed.
    case duplicate(Position)
    /// The request was appended. Another event had its sequence number, so the device has restarted its numbers.
    case acceptedInNewEpoch(Position, epoch: Int)
    /// An undo has voided a change; the position is that of the change's last row.
    case undone(Position, Undone)
    /// The location has no change within the undo's scope that is not void.
    case nothingToUndo
    /// The row is void already, or the location has no such row at this position.
    case nothingToVoid
    /// The request was not appended; the commit's other requests were.
    case refused(Refusal)
}

/// What an undo has voided.
package enum Undone: Hashable, Sendable {
    /// A count, or all counts of a hold.
    ///
    /// - parameter count: How many entries; 1 or more.
    case entries(type: EntryType, count: Int)
    /// A correction.
    ///
    /// - parameter difference: By how much it had moved the level.
    case correction(difference: Int)
    /// A reset.
    ///
    /// - parameter value: The level that the reset had set.
    case reset(value: Int)
}

/// A request with its outcome.
package struct Receipt: Hashable, Sendable {
    /// The request.
    package let request: Request
    /// The result.
    package let outcome: Outcome
    /// The level of the location right after the request.
    package let level: Int

    /// The positions of the counts, corrections and resets that it has appended; nil where it has appended none.
    package var rows: ClosedRange<Int64>? {
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

    /// The count that a location shows right after the request, never below 0 in an occupancy; nil where the request did not
    /// change it.
    package func newCount(of location: Location) -> Int? {
        guard request.locationId == location.id else { return nil }
        return switch outcome {
        case .accepted, .corrected, .acceptedInNewEpoch, .undone:
            location.maxCapacity == nil ? level : max(0, level)
        case .duplicate, .nothingToUndo, .nothingToVoid, .refused: nil
        }
    }

    /// Creates a receipt.
    package init(request: Request, answer: Answer) {
        self.request = request
        outcome = answer.outcome
        level = answer.level
    }
}
