public import CounterModel

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

    /// What a key means on this screen, whose arrows follow the tiles of a terminal of `size`; nil where it means nothing.
    func intent(for event: TerminalEvent, places: PlaceChoice, size: Size) -> Intent? {
        switch event {
        case .key(let key): intent(for: key, places, step: isOverview(places) ? across(places, size) : 1)
        case .character(let character): intent(for: character, places)
        case .pasted, .click, .scroll, .resize, .focusGained, .focusLost, .volumeKey: nil
        }
    }

    private func across(_ places: PlaceChoice, _ size: Size) -> Int {
        LiveTiling(places.all.count, in: Size(columns: size.columns - 2, rows: size.rows - 2)).across
    }

    // `step` leads from a location to the one below it.
    private func intent(for key: TerminalEvent.Key, _ places: PlaceChoice, step: Int) -> Intent? {
        switch key {
        case .left: places.neighbour(-1).map { .selectPlace($0.id) }
        case .right: places.neighbour(1).map { .selectPlace($0.id) }
        case .up: places.neighbour(-step).map { .selectPlace($0.id) }
        case .down: places.neighbour(step).map { .selectPlace($0.id) }
        case .enter: isOverview(places) ? .live(.enlarge(places.selected)) : nil
        case .escape: places.all.count > 1 ? .live(.overview) : nil
        case .home, .end, .delete, .pageUp, .pageDown, .tab, .backTab: nil
        }
    }

    private func intent(for character: Character, _ places: PlaceChoice) -> Intent? {
        switch character {
        case "+", "=": .live(.count(.in, at: places.selected))
        case "-": .live(.count(.out, at: places.selected))
        case "u", "U": .live(.undo(at: places.selected))
        case "o", "O": places.all.count > 1 ? .live(.overview) : nil
        default: nil
        }
    }
}

/// What a user wants of the Live screen.
public enum LiveIntent: Hashable, Sendable {
    /// Shows the location with this id alone.
    case enlarge(String)
    /// Shows all locations.
    case overview
    /// Counts one by hand, into the location with this id.
    case count(EntryType, at: String)
    /// Takes back the last change of the location with this id.
    case undo(at: String)
}
