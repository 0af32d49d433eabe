public import Reports

/// What the Live screen shows: one location large, or all of them as cards.
public struct LiveViewModel: Hashable, Sendable {
    /// All locations, in the order of `LocationChoice`.
    public var cards: [LiveCard] = []
    /// Whether the user may make entries by hand.
    public var mayChange = true
    /// How many a key counts.
    public var step = 1
    /// Whether the selected location fills the screen. A single location always does.
    var isEnlarged = false

    /// A screen without a location.
    public init() {}

    /// Whether all locations are shown.
    func isOverview(_ locations: LocationChoice) -> Bool { locations.all.count > 1 && !isEnlarged }
}
