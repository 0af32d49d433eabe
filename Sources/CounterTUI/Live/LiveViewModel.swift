import Linux
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

    package init() {}

    func isOverview(_ locations: LocationChoice) -> Bool { locations.all.count > 1 && !isEnlarged }
}

extension LiveViewModel {
    /// The keys of this screen; the arrows follow the tiles on a terminal of `size`.
    func keys(_ locations: LocationChoice, size: Size) -> [KeyBinding] {
        changes(at: locations.selected)
            + arrows(locations, step: isOverview(locations) ? across(locations, size) : 1)
            + views(locations)
            + cards.flatMap { card in card.key.map { [KeyBinding]($0, of: card.id, named: card.name) } ?? [] }
    }

    private func changes(at id: Identifier) -> [KeyBinding] {
        [
            KeyBinding(
                "+=", does: .live(.count(.in, at: id)), label: .init("+", stepText, rank: 0, isOn: mayChange),
                help: ("+ = -; U", "by hand; undo")),
            KeyBinding(
                "-", does: .live(.count(.out, at: id)), label: .init("-", stepText, rank: 1, isOn: mayChange)),
            KeyBinding(
                "u", does: .live(.undo(at: id)), label: .init("U", " Undo", rank: 2, isOn: mayChange)),
        ]
    }

    private var stepText: String { step == 1 ? "" : "\(step)" }

    // `step` is the distance in the list to the location one row below.
    private func arrows(_ locations: LocationChoice, step: Int) -> [KeyBinding] {
        func select(_ steps: Int) -> Intent? { locations.neighbour(steps).map { .selectLocation($0.id) } }
        return [
            KeyBinding("", .left, does: select(-1), help: ("Arrows", "another location")),
            KeyBinding("", .right, does: select(1)),
            KeyBinding("", .up, does: select(-step)),
            KeyBinding("", .down, does: select(step)),
        ]
    }

    private func views(_ locations: LocationChoice) -> [KeyBinding] {
        let hasSeveral = locations.all.count > 1
        let one = KeyBinding.Label("Enter", " Open", rank: 3)
        let all = KeyBinding.Label("O", " Overview", rank: 3)
        return [
            KeyBinding(
                "", .enter, does: isOverview(locations) ? .live(.enlarge(locations.selected)) : nil,
                label: hasSeveral && !isEnlarged ? one : nil, help: ("Enter", "one location")),
            KeyBinding(
                "o", .escape, does: hasSeveral ? .live(.overview) : nil,
                label: hasSeveral && isEnlarged ? all : nil, help: ("O or Escape", "all locations")),
        ]
    }

    private func across(_ locations: LocationChoice, _ size: Size) -> Int {
        LiveTiling(locations.all.count, in: Size(columns: size.columns - 2, rows: size.rows - 2)).across
    }
}
