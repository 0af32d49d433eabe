public import CounterModel
import System

extension Refusal {
    /// The reason of a refusal, in words. `locations` is evaluated only where the reason is about them.
    public func reason(_ request: Request, _ locations: @autoclosure () -> [Location]) -> String {
        switch self {
        case .overflow: "the count can go no further"
        case .unknownLocation: Self.unknown(request.locationId, locations())
        case .resetOfOccupancy: "a location with a capacity is reset to 0 only, by the end of a day"
        case .full(let room): room == 0 ? "the location is full" : "the location has room for \(room) only"
        case .empty(let inside): "only \(inside) are inside"
        case .sameLevel: "a correction by 0 changes nothing"
        case .tooLarge: "a correction is \(NewCorrection.range), up or down"
        case .invalidSetting: "no location can have this setting"
        case .lateReset: "the reset is older than the location's last one"
        case .otherHistory: "another row has its place: one of the journals was set back to an older state"
        }
    }

    // A line has to give the location's id; users often write its name instead.
    private static func unknown(_ id: String, _ locations: [Location]) -> String {
        guard let namesake = locations.first(where: { $0.name == id }) else {
            return
                "there is no location with the id '\(id)'; add it with: counter location add \(id.quotedForShell)"
        }
        return "there is no location with the id '\(id)'; the one called so has the id '\(namesake.id)'"
    }
}
