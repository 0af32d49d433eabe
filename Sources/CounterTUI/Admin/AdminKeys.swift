extension AdminViewModel {
    /// The rows of a page.
    private static let page = 10

    /// The keys of this screen, for the selected location and the selected row.
    func keys(_ locations: LocationChoice) -> [KeyBinding] {
        rowKeys + locationKeys(locations) + deviceKeys
            + [
                KeyBinding("", .left, does: locations.neighbour(-1).map { .selectLocation($0.id) }),
                KeyBinding("", .right, does: locations.neighbour(1).map { .selectLocation($0.id) }),
            ]
    }

    /// Moves the selection by a number of rows, up where negative.
    func move(by steps: Int) -> Intent? {
        guard let index = rows.firstIndex(of: cursor) else { return nil }
        return .admin(.choose(rows[min(max(0, index + steps), rows.count - 1)]))
    }

    private var rowKeys: [KeyBinding] {
        let action = action(on: cursor)
        return [
            KeyBinding("", .up, does: move(by: -1), help: ("Arrows, Enter", "choose, edit")),
            KeyBinding("", .down, does: move(by: 1)),
            KeyBinding(
                "", .enter, does: action.map(Intent.admin),
                label: action == nil ? nil : label("Enter", device == nil ? " Edit" : " Name", rank: 0)),
            KeyBinding("", .pageUp, does: move(by: -Self.page), help: ("PgUp PgDn Home End", "further rows")),
            KeyBinding("", .pageDown, does: move(by: Self.page)),
            KeyBinding("", .home, does: move(by: -rows.count)),
            KeyBinding("", .end, does: move(by: rows.count)),
        ]
    }

    private func locationKeys(_ locations: LocationChoice) -> [KeyBinding] {
        let id = locations.selected
        // Where a device is selected, its own keys take this room.
        let hasRoom = device == nil
        return [
            KeyBinding(
                "c", does: .admin(.edit(.correction(at: id))), label: label("C", " Correct", rank: 4),
                help: ("C, E, U", "count, day, undo")),
            KeyBinding("e", does: .admin(.askToEndDay(of: id)), label: label("E", " End Day", rank: 5)),
            KeyBinding(
                "u", does: .admin(.change(.undo(at: id))), label: label("U", " Undo", rank: 6)),
            KeyBinding(
                "a", does: .admin(.edit(.newLocation)), label: hasRoom ? label("A", " Add", rank: 7) : nil),
            KeyBinding(
                "h", does: .admin(.askToHide(id)), label: hasRoom ? label("H", " Hide", rank: 8) : nil),
        ]
    }

    private var deviceKeys: [KeyBinding] {
        let device = device
        let change = device.map { AdminChange.setActive(!$0.isActive, device: $0.id) }
        return [
            KeyBinding(
                "l", does: device.map { .admin(.edit(.deviceLocation($0.id))) },
                label: device == nil ? nil : label("L", " Location", rank: 1),
                help: ("A, H; L, X, F", "add, hide; device")),
            KeyBinding(
                "x", does: change.map { .admin(.change($0)) },
                label: device.map { label("X", $0.isActive ? " Off" : " On", rank: 2) }),
            KeyBinding(
                "f", does: device.map { .admin(.askToForget($0.id)) },
                label: device == nil ? nil : label("F", " Forget", rank: 3)),
        ]
    }

    private func label(_ key: String, _ text: String, rank: Int) -> KeyBinding.Label {
        KeyBinding.Label(key, text, rank: rank, isOn: mayChange)
    }
}
