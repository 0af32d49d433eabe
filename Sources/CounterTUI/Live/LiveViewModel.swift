/// What the Live screen shows: one location large, or all of them as cards.
public struct LiveViewModel: Hashable, Sendable {
    /// Every location, in the order of the places.
    public var cards: [LiveCard] = []
    /// Whether entries by hand are allowed.
    public var mayChange = true
    /// Whether the selected location has the screen for itself. A single one always has.
    var isEnlarged = false

    /// A screen without a location.
    public init() {}

    /// Whether all locations are shown.
    func isOverview(_ places: PlaceChoice) -> Bool { places.all.count > 1 && !isEnlarged }
}
