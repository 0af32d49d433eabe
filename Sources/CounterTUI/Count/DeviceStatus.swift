public import Reports
import System

/// An input device, as the Count screen shows it.
public struct DeviceStatus: Hashable, Sendable {
    /// The device's own name, sanitised for the terminal.
    public let name: String
    /// What its keys do.
    public let state: DeviceState
    /// Where its keys count; nil where they count into the location that is shown.
    public let location: String?
    /// Why it is in this state; nil where there is nothing to say.
    public let reason: String?
    /// The remedy; nil where there is nothing to do.
    public let remedy: String?

    /// A device. `name` may hold any text: it is sanitised for the terminal.
    public init(
        name: String, state: DeviceState, location: String? = nil, reason: String? = nil,
        remedy: String? = nil
    ) {
        self.location = location?.sanitised
        self.name = name.sanitised.isEmpty ? "?" : name.sanitised
        self.state = state
        self.reason = reason?.sanitised
        self.remedy = remedy?.sanitised
    }
}

/// The last change of the count.
public struct LastChange: Hashable, Sendable {
    /// What it did.
    public let kind: RecentChanges.Kind
    /// The local time as it is displayed: `14:03:22`.
    public let time: String

    /// A change at `time`.
    public init(_ kind: RecentChanges.Kind, time: String) {
        self.kind = kind
        self.time = time.sanitised
    }
}
