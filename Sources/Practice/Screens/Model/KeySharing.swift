/// Why presses may reach somebody else, which is said before a player begins.
package enum KeySharing: Hashable, Sendable {
    /// Other programs may receive the keys too.
    case shared
    /// Another counter has the keys of these devices.
    case taken(by: String)
    /// There is no key.
    case none

    /// The sentences of the screen. The first one says it all: a small terminal has no room for the others.
    package var lines: [String] {
        switch self {
        case .shared:
            [
                "Other programs may get these presses too.",
                "The volume may move, and counters that listen may count.",
                "With the arrow keys and Enter nothing else counts.",
            ]
        case .taken(let devices):
            [
                "Another program counts every press.",
                "It has the keys of \(devices).",
                "End it first, or use the arrow keys and Enter.",
            ]
        case .none:
            [
                "No volume keys can be read.",
                "The arrow keys, Enter and clicks work.",
                "counter doctor tells why.",
            ]
        }
    }
}
