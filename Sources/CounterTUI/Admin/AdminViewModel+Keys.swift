extension AdminViewModel {
    /// How many rows a page is.
    private static let page = 10

    /// What a key means on this screen, about the location that is selected; nil where it means nothing.
    func intent(for event: TerminalEvent, places: PlaceChoice) -> Intent? {
        switch event {
        case .key(let key): intent(for: key, places)
        case .character(let character): action(for: character).map(Intent.admin)
        case .scroll(let clicks): move(by: clicks)
        case .pasted, .click, .resize, .focusGained, .focusLost, .volumeKey: nil
        }
    }

    private func intent(for key: TerminalEvent.Key, _ places: PlaceChoice) -> Intent? {
        switch key {
        case .left: places.neighbour(-1).map { .selectPlace($0.id) }
        case .right: places.neighbour(1).map { .selectPlace($0.id) }
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .pageUp: move(by: -Self.page)
        case .pageDown: move(by: Self.page)
        case .home: move(by: -rows.count)
        case .end: move(by: rows.count)
        case .enter: action(on: cursor).map(Intent.admin)
        case .tab, .backTab, .escape, .delete: nil
        }
    }

    private func move(by steps: Int) -> Intent? {
        guard let index = rows.firstIndex(of: cursor) else { return nil }
        return .admin(.choose(rows[min(max(0, index + steps), rows.count - 1)]))
    }

    private func action(for character: Character) -> AdminIntent? {
        guard let id = location?.id else { return nil }
        return switch character {
        case "a", "A": .edit(.newLocation)
        case "h", "H": .askToHide(id)
        case "c", "C": .edit(.correction(at: id))
        case "e", "E": .askToEndDay(of: id)
        case "u", "U": .change(.undo(at: id))
        case "l", "L": device.map { .edit(.devicePlace($0.id)) }
        case "x", "X": device.map { .change(.setActive(!$0.isActive, device: $0.id)) }
        default: nil
        }
    }
}
