package import CounterModel
package import Linux

/// What the Admin screen shows: the selected location, all devices, and the ended days of the location.
package struct AdminViewModel: Hashable, Sendable {
    /// The selected location; nil where there is none.
    package var location: Location?
    package var state: CounterState?
    /// All devices, in the order of their registration.
    package var devices: [Device] = []
    /// The ended days, the latest first.
    package var days: [EndedDay] = []
    package var user = User(id: "", role: .admin)
    /// The names of the locations by id, hidden ones included.
    package var names: [Identifier: String] = [:]
    package var zone = ZoneOffsets.utc
    /// Why the zone is not the location's own; nil where it is.
    package var zoneProblem: String?
    /// The row that was last selected; it may no longer exist.
    private var chosen = AdminRow.setting(.name)

    package init() {}

    /// Whether the user may make changes.
    var mayChange: Bool { user.role == .admin }

    /// The rows, in display order.
    var rows: [AdminRow] {
        Self.settings.map(AdminRow.setting) + devices.map { .device($0.id) } + days.map { .day($0.id) }
    }

    var cursor: AdminRow { rows.contains(chosen) ? chosen : .setting(.name) }

    /// The properties that have a row.
    static let settings: [LocationSetting.Name] = [
        .name, .capacity, .timezone, .dayStart, .openingHours, .endsDaysAutomatically, .admitsOverFull, .key,
        .target,
    ]

    mutating func choose(_ row: AdminRow) { chosen = row }

    /// The device of the selected row; nil where that is another kind of row.
    var device: Device? {
        guard case .device(let id) = cursor else { return nil }
        return devices.first { $0.id == id }
    }

    /// The intent of Enter or a click on a row; nil where there is none.
    func action(on row: AdminRow) -> AdminIntent? {
        guard let location else { return nil }
        return switch row {
        case .setting(.admitsOverFull):
            .change(.setting(.admitsOverFull(!location.admitsOverFull), of: location.id))
        case .setting(.endsDaysAutomatically):
            .change(.setting(.endsDaysAutomatically(!location.endsDaysAutomatically), of: location.id))
        case .setting(let property): .edit(.setting(property, of: location.id))
        case .device(let id): .edit(.deviceName(id))
        case .day: nil
        }
    }

    /// The prompt for an edit; nil where its subject no longer exists.
    func prompt(for edit: AdminEdit) -> FieldPrompt? {
        switch edit {
        case .setting(let property, let id):
            guard let location, location.id == id else { return nil }
            return FieldPrompt(
                title: "\(property.title): \(location.name)", hint: property.hint,
                text: property.text(of: location), purpose: .edit(edit))
        case .newLocation:
            let hint = "Its name. That of a hidden location brings it back."
            return FieldPrompt(title: "Add a location", hint: hint, purpose: .edit(edit))
        case .correction(let id):
            guard let location, location.id == id else { return nil }
            let hint = "What you counted, a space, and why: =45 counted at noon. Or a difference: +3, -3."
            return FieldPrompt(title: "Correct: \(location.name)", hint: hint, purpose: .edit(edit))
        case .deviceName(let id):
            guard let device = devices.first(where: { $0.id == id }) else { return nil }
            return FieldPrompt(
                title: "Name: \(device.name)", hint: "The device's id is \(id), which stays.",
                text: device.name, purpose: .edit(edit))
        case .deviceLocation(let id):
            guard let device = devices.first(where: { $0.id == id }) else { return nil }
            let name = device.locationId.map { names[$0] ?? $0.text } ?? ""
            return FieldPrompt(
                title: "Location: \(device.name)", hint: "A location's name; none: where counter is run for.",
                text: name, purpose: .edit(edit))
        }
    }
}

extension LocationSetting.Name {
    /// The display name.
    var title: String {
        switch self {
        case .name: "Name"
        case .capacity: "Capacity"
        case .timezone: "Time zone"
        case .dayStart: "Day starts at"
        case .admitsOverFull: "Manual entries"
        case .isHidden: "Hidden"
        case .openingHours: "Open"
        case .endsDaysAutomatically: "Days end"
        case .group: "Group"
        case .key: "Key"
        case .target: "Target"
        }
    }

    var hint: String {
        switch self {
        case .name: "1 to 64 characters."
        case .capacity: "How many it holds, from 1 up. Empty, or none: a tally."
        case .timezone: "As the tz database names it, such as Europe/Zurich."
        case .dayStart: "The hour, 0 to 23."
        case .admitsOverFull, .isHidden, .endsDaysAutomatically: "true or false."
        case .openingHours: "Such as Mon-Fri 09:00-18:00, Sat 10:00-16:00. Empty: unknown."
        case .group: "Locations of one group are reported together. Empty: none."
        case .key: "A letter that counts up here, as a capital down, on Count and Live. Empty: none."
        case .target: "The count to reach, from 1 up. Empty, or none: no target."
        }
    }

    fileprivate func text(of location: Location) -> String {
        switch self {
        case .name: location.name
        case .capacity: location.maxCapacity.map(String.init) ?? ""
        case .timezone: location.timezone
        case .dayStart: String(location.dayStart)
        case .admitsOverFull: String(location.admitsOverFull)
        case .isHidden: String(location.isHidden)
        case .openingHours: location.openingHours?.description ?? ""
        case .endsDaysAutomatically: String(location.endsDaysAutomatically)
        case .group: location.group ?? ""
        case .key: location.key?.description ?? ""
        case .target: location.target.map(String.init) ?? ""
        }
    }
}

extension AdminViewModel {
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
