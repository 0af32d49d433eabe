package import Linux

/// A place or thing that is counted. It has one level of its own.
package struct Location: Identifiable, Hashable, Codable, Sendable {
    /// The id of the location that every journal has from the start.
    package static let defaultId: Identifier = "default"

    /// Unique in a journal, never changed.
    package let id: Identifier
    /// The name shown to users.
    package var name: String
    /// An IANA identifier such as `Europe/Zurich`.
    package var timezone: String
    /// The capacity, 1 or more. A location with a capacity is an occupancy; without one (nil) it is a tally.
    package var maxCapacity: Int?
    /// The local hour at which its operational day starts, 0 to 23.
    package var dayStart: Int
    /// Whether an entry by hand may exceed the capacity.
    package var admitsOverFull: Bool
    /// Whether lists leave it out; its entries stay.
    package var isHidden: Bool
    /// The hours in which silence is judged; without them (nil), each day from its first to its last event.
    package var openingHours: OpeningHours?
    /// Whether a day that nobody ended ends by itself when the next one begins.
    package var endsDaysAutomatically = false
    /// The group whose locations are reported together; nil for none.
    package var group: String?
    /// The key that counts into it on the screens; nil for none.
    package var key: LocationKey?
    /// The count to reach, 1 or more; nil for none.
    package var target: Int?

    /// Creates a location; by default a tally whose day starts at midnight.
    package init(
        id: Identifier, name: String, timezone: String, maxCapacity: Int? = nil, dayStart: Int = 0,
        admitsOverFull: Bool = false, isHidden: Bool = false
    ) {
        self.id = id
        self.name = name
        self.timezone = timezone
        self.maxCapacity = maxCapacity
        self.dayStart = dayStart
        self.admitsOverFull = admitsOverFull
        self.isHidden = isHidden
    }

    /// Applies one setting.
    package mutating func apply(_ setting: LocationSetting) {
        switch setting {
        case .capacity(let capacity): maxCapacity = capacity
        case .name(let name): self.name = name
        case .timezone(let timezone): self.timezone = timezone
        case .dayStart(let hour): dayStart = hour
        case .admitsOverFull(let admits): admitsOverFull = admits
        case .isHidden(let isHidden): self.isHidden = isHidden
        case .openingHours(let hours): openingHours = hours
        case .endsDaysAutomatically(let ends): endsDaysAutomatically = ends
        case .group(let name): group = name
        case .key(let key): self.key = key
        case .target(let target): self.target = target
        }
    }
}
