/// Why a request was not appended.
package enum Refusal: Hashable, Sendable {
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

extension Refusal {
    /// Why, in words.
    ///
    /// - Parameter name: the location's name; `nil` where the reader knows which location it is.
    /// - Returns: A clause that a remedy or a consequence can follow.
    package func reason(at name: String? = nil) -> String {
        let location = name.map { "'\($0)'" } ?? "the location"
        let inside = name.map { "inside '\($0)'" } ?? "inside"
        return switch self {
        case .overflow: "the count can go no further"
        case .unknownLocation: "\(location) is gone"
        case .lateReset: "the reset is older than the location's last one"
        case .resetOfOccupancy: "\(location) has a capacity and cannot be reset"
        case .full(room: 0): "\(location) is full"
        case .full(let room): "\(location) has room for \(room) only"
        case .empty(inside: 0): "nobody is \(inside)"
        case .empty(let count): "only \(count) are \(inside)"
        case .sameLevel: "the count is that already"
        case .tooLarge: "a correction is \(NewCorrection.range), up or down"
        case .invalidSetting: "no location can have this setting"
        case .otherHistory: "another row has its place: one of the journals was set back to an older state"
        }
    }
}
