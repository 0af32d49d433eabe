/// What a repository answers to one request.
public struct Answer: Hashable, Sendable {
    /// What became of it.
    public let outcome: Outcome
    /// The level of its location right after it; 0 where there is no such location.
    public let level: Int

    /// Creates an answer.
    public init(_ outcome: Outcome, level: Int) {
        self.outcome = outcome
        self.level = level
    }
}

/// What became of one request.
public enum Outcome: Hashable, Sendable {
    /// It stands in the journal.
    case accepted(Position)
    /// It stood there already, at this position; nothing has changed.
    case duplicate(Position)
    /// It stands in the journal; its number was taken by another event, so the device has started again.
    case acceptedInNewEpoch(Position, epoch: Int)
    /// An undo has taken something back; the position is that of its last row.
    case undone(Position, Undone)
    /// There is no change of the location left that is not void.
    case nothingToUndo
    /// The entry is void already, or there is none at this position of the location.
    case nothingToVoid
    /// It was not appended; other requests of the same commit were.
    case refused(Refusal)
}

/// What an undo has taken back.
public enum Undone: Hashable, Sendable {
    /// A count, or all counts of a hold.
    ///
    /// - parameter count: How many entries; 1 or more.
    case entries(type: EntryType, count: Int)
    /// A reset.
    ///
    /// - parameter value: What it had set the level to.
    case reset(value: Int)
}

/// Why a request was not appended.
public enum Refusal: Hashable, Sendable {
    /// The level would leave the range of `Int`.
    case overflow
    /// There is no location with the request's id.
    case unknownLocation
    /// A reset that was read from a file is older than one that stands. It cannot set today's level.
    case lateReset
    /// The location has a capacity: what is inside is moved by entries and ended by End Day, never set.
    case resetOfOccupancy
    /// Entries by hand may not go over the location's capacity; there is room for so many, 0 or more.
    case full(room: Int)
    /// Entries by hand may not bring an occupancy below 0; so many are inside, 0 or more.
    case empty(inside: Int)
    /// The setting is out of its range.
    case invalidSetting
    /// Another row has its identity, or none where one should: one of two journals was set back to an older state.
    case otherHistory
}
