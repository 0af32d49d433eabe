public import CounterModel

extension Receipt {
    /// The message for a request that was refused; `nil` where it was carried out.
    public var refusal: String? { refusal(capacity: nil) }

    /// The message for a request that was refused; `nil` where it was carried out.
    ///
    /// - Parameter capacity: The location's capacity, where it is known.
    /// - Returns: The message.
    public func refusal(capacity: Int?) -> String? {
        switch outcome {
        case .nothingToUndo: "there is nothing to undo; in History, X takes back any row"
        case .nothingToVoid where request.userId != nil: "the row is taken back already"
        case .refused(.overflow): "the count can go no further; \(consequence)"
        case .refused(.resetOfOccupancy): "cannot be reset; use Correct or End Day"
        case .refused(.full(let room)): "\(Self.fullness(room, capacity)); \(consequence)"
        case .refused(.empty(let inside)):
            inside == 0 ? "nobody is inside; \(consequence)" : "only \(inside) are inside; \(consequence)"
        case .refused(.sameLevel): "the count is that already"
        case .refused(.tooLarge): "a correction is \(NewCorrection.range), up or down; \(consequence)"
        case .refused(.lateReset), .refused(.unknownLocation), .refused(.invalidSetting),
            .refused(.otherHistory):
            "its location is gone; \(consequence)"
        case .accepted, .acceptedInNewEpoch, .corrected, .duplicate, .undone, .nothingToVoid: nil
        }
    }

    private static func fullness(_ room: Int, _ capacity: Int?) -> String {
        let limit = capacity.map { "would exceed the capacity of \($0)" }
        let rest = room == 0 ? "it is full" : "there is room for \(room) only"
        return [limit, rest].compactMap(\.self).joined(separator: ": ")
    }

    /// That nothing was done, for the message of a refusal.
    public var consequence: String {
        switch request.change {
        case .entry, .entries: "nothing was counted"
        case .correction, .void, .voidPress, .reset, .endOfDay, .setting, .timerEvent, .undo: "nothing was changed"
        }
    }
}
