/// Why presses may reach somebody else, which is said before a player begins.
public enum KeySharing: Hashable, Sendable {
    /// Other programs may receive the keys too.
    case shared
    /// Another counter has the keys of these devices.
    case taken(by: String)
    /// There is no key.
    case none

    /// The lines of the screen.
    public var lines: [String] {
        switch self {
        case .shared:
            [
                "Other programs may get the same presses: the volume may move, and counters that listen may count.",
                "With the arrow keys and Enter nothing else counts.",
            ]
        case .taken(let devices):
            [
                "Another program has the keys of \(devices) and counts every press.",
                "End it first, or use the arrow keys and Enter.",
            ]
        case .none:
            [
                "No volume keys can be read. The arrow keys, Enter and clicks work.",
                "counter doctor tells why.",
            ]
        }
    }
}
