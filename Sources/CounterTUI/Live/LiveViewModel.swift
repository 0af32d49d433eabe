package import Reports

/// What the Live screen shows: one location large, or all of them as cards.
package struct LiveViewModel: Hashable, Sendable {
    /// All locations, in the order of `LocationChoice`.
    package var cards: [LiveCard] = []
    /// Whether the user may make entries by hand.
    package var mayChange = true
    /// How many a key counts.
    package var step = 1
    /// Whether the selected location fills the screen. A single location always does.
    var isEnlarged = false

    /// A screen without a location.
    package init() {}

    /// Whether all locations are shown.
    func isOverview(_ locations: LocationChoice) -> Bool { locations.all.count > 1 && !isEnlarged }
}
