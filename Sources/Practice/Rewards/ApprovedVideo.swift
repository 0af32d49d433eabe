package import CounterModel

/// A video that the grown-up has approved.
package struct ApprovedVideo: Hashable, Identifiable, Sendable {
    /// The video's ID at YouTube: 11 characters of `[0-9A-Za-z_-]`.
    package let id: String
    /// Shown and spoken.
    package var title: String
    /// The length; zero if it is not known.
    package var duration: Duration
    /// When the grown-up added it.
    package var addedAt: Timestamp
    /// A group on the treasure screen.
    package var category: String?
    /// In coins.
    package var price: Int
    /// How often it was watched.
    package var watchCount = 0
    /// When it was last watched.
    package var lastWatchedAt: Timestamp?

    /// In coins.
    package static let standardPrice = 10
    /// The lengths that can be typed, in minutes.
    package static let lengths = 1...600

    /// A video from an ID that ``extractVideoID(from:)`` returned.
    package init(
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
    package var link: String { "https://www.youtube.com/watch?v=\(id)" }
}
