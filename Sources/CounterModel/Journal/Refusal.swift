/// Why a request was not appended.
public enum Refusal: Hashable, Sendable {
    /// The level would leave the range of `Int`.
    case overflow
    /// There is no location with the request's id.
    case unknownLocation
    /// An imported reset is older than the location's last reset, so it cannot set the current level.
    case lateReset
    /// The location has a capacity: entries and End Day change its level, a reset may not.
    case resetOfOccupancy
    /// Changes by hand may not exceed the location's capacity; `room` more fit in, 0 or more.
    case full(room: Int)
    /// Changes by hand may not bring an occupancy below 0; `inside` are inside, 0 or more.
    case empty(inside: Int)
    /// The level is already what a correction would set it to.
    case sameLevel
    /// The difference of a correction is larger than `NewCorrection.largest`.
    case tooLarge
    /// The setting is out of its range.
    case invalidSetting
    /// Another row has this identity, or an expected row is missing: one of the two journals was restored to an older state.
    case otherHistory
}
