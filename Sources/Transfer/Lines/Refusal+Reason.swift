import CounterModel
import Linux

extension Refusal {
    /// The reason for whoever wrote the line. `locations` is evaluated only where the reason is about them.
    func reason(_ locationId: Identifier, _ locations: @autoclosure () -> [Location]) -> String {
        switch self {
        case .unknownLocation: Self.unknown(locationId, locations())
        case .overflow, .lateReset, .resetOfOccupancy, .full, .empty, .sameLevel, .tooLarge, .invalidSetting,
            .otherHistory:
            reason()
        }
    }

    // A line has to give the location's id; users often write its name instead.
    private static func unknown(_ id: Identifier, _ locations: [Location]) -> String {
        guard let namesake = locations.first(where: { $0.name == id.text || $0.id.text == id.text }) else {
            return
                "there is no location with the id '\(id)'; add it with: counter location add \(id.text.quotedForShell)"
        }
        let (wanted, other) = (id.text, namesake.id.text)
        return
            "there is no location with the id '\(wanted.distinct(from: [other]))'; the one called so has the id '\(other.distinct(from: [wanted]))'"
    }
}
