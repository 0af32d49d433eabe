public import CounterModel

/// A video that the grown-up has approved.
public struct ApprovedVideo: Hashable, Identifiable, Sendable {
    /// The video's ID at YouTube: 11 characters of `[0-9A-Za-z_-]`.
    public let id: String
    /// Shown and spoken.
    public var title: String
    /// The length; zero if it is not known.
    public var duration: Duration
    /// When the grown-up added it.
    public var addedAt: Timestamp
    /// A group on the treasure screen.
    public var category: String?
    /// In coins.
    public var price: Int
    /// How often it was watched.
    public var watchCount = 0
    /// When it was last watched.
    public var lastWatchedAt: Timestamp?

    /// In coins.
    public static let standardPrice = 10
    /// The lengths that can be typed, in minutes.
    public static let lengths = 1...600

    /// A video from an ID that ``extractVideoID(from:)`` returned.
    public init(
        id: String, title: String, duration: Duration, addedAt: Timestamp, category: String? = nil,
        price: Int = ApprovedVideo.standardPrice
    ) {
        self.id = id
        self.title = title
        self.duration = duration
        self.addedAt = addedAt
        self.category = category
        self.price = price
    }

    /// The only address that is opened for it.
    public var link: String { "https://www.youtube.com/watch?v=\(id)" }
}
