/// A place or thing that is counted: it has one level of its own.
public struct Location: Identifiable, Hashable, Codable, Sendable {
    /// The id of the location that every journal has from the start.
    public static let defaultId = "default"

    /// Unique in a journal, never changed.
    public let id: String
    /// What people call it.
    public var name: String
    /// An IANA identifier such as `Europe/Zurich`.
    public var timezone: String
    /// How many it holds, 1 or more. With it the location is an occupancy; nil for a tally.
    public var maxCapacity: Int?
    /// The local hour at which its operational day starts, 0 to 23.
    public var dayStart: Int
    /// Whether an entry by hand may go over full.
    public var admitsOverFull: Bool
    /// Whether it has been removed from sight; its entries stay.
    public var isHidden: Bool

    /// Creates a location; by default a tally whose day starts at midnight.
    public init(
        id: String, name: String, timezone: String, maxCapacity: Int? = nil, dayStart: Int = 0,
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

    /// Takes one setting over.
    public mutating func apply(_ setting: LocationSetting) {
        switch setting {
        case .capacity(let capacity): maxCapacity = capacity
        case .name(let name): self.name = name
        case .timezone(let timezone): self.timezone = timezone
        case .dayStart(let hour): dayStart = hour
        case .admitsOverFull(let admits): admitsOverFull = admits
        case .isHidden(let isHidden): self.isHidden = isHidden
        }
    }
}
