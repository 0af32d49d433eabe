/// A place or thing that is counted: it has one level of its own.
public struct Location: Identifiable, Hashable, Codable, Sendable {
    /// The id of the location that every journal has from the start.
    public static let defaultId = "default"

    /// Unique in a journal, never changed.
    public let id: String
    /// What people call it.
    public let name: String
    /// An IANA identifier such as `Europe/Zurich`.
    public let timezone: String

    /// Creates a location.
    public init(id: String, name: String, timezone: String) {
        self.id = id
        self.name = name
        self.timezone = timezone
    }
}
