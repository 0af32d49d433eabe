import Linux
package import Reports

/// An input device, as the Count screen shows it.
package struct DeviceStatus: Hashable, Sendable {
    /// The device's own name, sanitised for the terminal.
    package let name: String
    /// What its keys do.
    package let state: DeviceState
    /// Where its keys count; nil where they count into the location that is shown.
    package let location: String?
    /// Why it is in this state; nil where there is nothing to say.
    package let reason: String?
    /// The remedy; nil where there is nothing to do.
    package let remedy: String?

    /// A device. `name` may hold any text: it is sanitised for the terminal.
    package init(
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
package struct LastChange: Hashable, Sendable {
    /// What it did.
    package let kind: RecentChanges.Kind
    /// The local time as it is displayed: `14:03:22`.
    package let time: String

    /// A change at `time`.
    package init(_ kind: RecentChanges.Kind, time: String) {
        self.kind = kind
        self.time = time.sanitised
    }
}
