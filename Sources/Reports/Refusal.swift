public import CounterModel

extension Receipt {
    /// The message for a request that was refused; `nil` where it was carried out.
    public var refusal: String? {
        switch outcome {
        case .nothingToUndo: "there is nothing to undo"
        case .refused(.overflow): "the count can go no further; nothing was counted"
        case .refused(.resetOfOccupancy): "a place with a capacity is never reset"
        case .refused(.full(let room)):
            room == 0
                ? "it is full; nothing was counted" : "there is room for \(room) only; nothing was counted"
        case .refused(.empty(let inside)):
            inside == 0
                ? "nobody is inside; nothing was counted" : "only \(inside) are inside; nothing was counted"
        case .refused(.lateReset), .refused(.unknownLocation), .refused(.invalidSetting),
            .refused(.otherHistory):
            "its location is gone; nothing was counted"
        case .accepted, .acceptedInNewEpoch, .duplicate, .undone, .nothingToVoid: nil
        }
    }
}
