package import CounterModel

extension Receipt {
    /// The message for a request that was refused, for a screen; `nil` where it was carried out.
    package var refusal: String? {
        switch outcome {
        case .nothingToUndo: "there is nothing to undo; in History, X takes back any row"
        case .nothingToVoid where request.userId != nil: "the row is taken back already"
        case .refused(.resetOfOccupancy): "\(Refusal.resetOfOccupancy.reason()); use Correct or End Day"
        case .refused(.sameLevel): Refusal.sameLevel.reason()
        case .refused(let refusal): "\(refusal.reason()); \(consequence)"
        case .accepted, .acceptedInNewEpoch, .corrected, .duplicate, .undone, .nothingToVoid: nil
        }
    }

    /// That nothing was done, for the message of a refusal.
    package var consequence: String {
        switch request.change {
        case .entry, .entries: "nothing was counted"
        case .correction, .void, .voidPress, .reset, .endOfDay, .setting, .timerEvent, .undo:
            "nothing was changed"
        }
    }
}
