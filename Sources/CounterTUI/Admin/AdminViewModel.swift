package import CounterModel
package import Linux

/// What the keys and fields of Admin have done. Each change is one transaction; where it is refused, the open field says why,
/// or else a notice.
package protocol AdminActions: AnyObject {
    func set(_ setting: LocationSetting, of location: Identifier)
    /// Adds a location, or shows it again if it is hidden.
    func addLocation(named name: String)
    func correct(_ correction: TypedCorrection, at location: Identifier)
    /// Changes a device. `location`: where it counts, for `.location`; nil for the one that the program counts into.
    func set(_ setting: DeviceSetting, of device: Identifier, to location: Identifier?)

    // These ask for confirmation first.
    func askToShare(_ location: Identifier)
    func askToStopSharing(_ location: Identifier)
    func askToJoin(_ offer: AdminOffer, of peer: String)
    func askToEndDay(of location: Identifier)
    func askToEndOverdueDay(of location: Identifier)
    func askToTakeBackEnd(_ end: Position, of location: Identifier)
    func askToHide(_ location: Identifier)
    func askToForget(device: Identifier)
}

/// What is known of another machine that the journal is synced with.
package struct AdminMachine: Hashable, Sendable {
    let peer, words: String
    /// What stands in the way, with its remedy, and what was told of clocks and rows.
    let notes: [String]
    /// What it shares, and this journal does not.
    let offers: [AdminOffer]

    package init(peer: String, words: String, notes: [String], offers: [AdminOffer] = []) {
        (self.peer, self.words, self.notes, self.offers) = (peer, words, notes, offers)
    }
}

package struct AdminOffer: Hashable, Sendable {
    /// The location's id for the world.
    package let id: String
    package let name: String

    package init(id: String, name: String) { (self.id, self.name) = (id, name) }
}

/// A row of Admin: a setting of the location, whether it is shared, another machine and what it offers, a device, an ended day.
package enum AdminRow: Hashable, Sendable {
    case setting(LocationProperty)
    case sharing
    case machine(String)
    case offer(AdminOffer, of: String)
    case device(Identifier)
    case day(Position)
}

/// The Admin screen: the selected location, all devices, and the ended days of the location.
package final class AdminViewModel: TabScreen, ListScreen {
    package var state: CounterState?
    package var isShared = false
    package var machines: [AdminMachine] = []
    /// All devices, in the order of their registration.
    package var devices: [Device] = []
    /// The ended days, the latest first.
    package var days: [EndedDay] = []
    /// The login name, and what that user may do.
    package var user = (id: "", role: UserRole.admin)
    /// The names of the locations by id, hidden ones included.
    package var names: [Identifier: String] = [:]
    package var zone = ZoneOffsets.utc
    /// Why the zone is not the location's own; nil where it is.
    package var zoneProblem: String?
    package weak var actions: (any AdminActions)?
    var chosen: AdminRow?
    let context: ScreenContext

    /// Why a location cannot have a key; nil where it can.
    let refusal: (LocationKey) -> String?

    init(_ context: ScreenContext, refusal: @escaping (LocationKey) -> String?) {
        (self.context, self.refusal) = (context, refusal)
    }

    var location: Location? { context.locations.selectedLocation }
    var mayChange: Bool { user.role == .admin }

    var rows: [AdminRow] {
        LocationProperty.onAdmin.map(AdminRow.setting) + [.sharing]
            + machines.flatMap { machine in
                [.machine(machine.peer)] + machine.offers.map { .offer($0, of: machine.peer) }
            }
            + devices.map { .device($0.id) }
            + days.map { .day($0.id) }
    }

    /// The device of the selected row; nil where that is another kind of row.
    private var device: Device? {
        guard case .device(let id) = cursor else { return nil }
        return devices.first { $0.id == id }
    }

    func draw(into frame: inout Frame, rows: Range<Int>, theme: Theme) {
        AdminHeadView(model: self, theme: theme).draw(into: &frame, row: rows.lowerBound)
        let lines = AdminLines(model: self, theme: theme, columns: frame.grid.size.columns - 2).all
        draw(lines, into: &frame, rows: rows.dropFirst(), theme)
    }

    // MARK: - Keys

    func keys(in area: Size) -> [KeyBinding] {
        rowKeys + locationKeys + deviceKeys + [
            KeyBinding(
                "", .left, help: ("Left Right", "the location before, after"), does: context.neighbour(-1)),
            KeyBinding("", .right, does: context.neighbour(1)),
        ]
    }

    func scroll(_ clicks: Int, in area: Size) -> Action? { move(by: clicks) }

    /// What Enter or a click on a row does; nil for nothing.
    func action(on row: AdminRow) -> Action? {
        guard let location else { return nil }
        switch row {
        case .setting(let property):
            if let other = property.toggled(in: location) {
                return { self.actions?.set(other, of: location.id) }
            }
            return { self.ask(self.prompt(for: property, of: location), at: row) }
        case .sharing where isShared: return { self.actions?.askToStopSharing(location.id) }
        case .sharing: return { self.actions?.askToShare(location.id) }
        case .offer(let offer, let peer): return { self.actions?.askToJoin(offer, of: peer) }
        case .device(let id):
            let device = devices.first { $0.id == id }
            return { self.ask(device.map(self.namePrompt), at: row) }
        case .day, .machine: return nil
        }
    }

    func editLocation(of device: Device) { ask(locationPrompt(of: device), at: .device(device.id)) }

    func toggle(_ device: Device) { actions?.set(.isActive(!device.isActive), of: device.id, to: nil) }

    private var rowKeys: [KeyBinding] {
        let action = cursor.flatMap(action(on:))
        let text =
            switch cursor {
            case .device: " Name"
            case .offer: " Join"
            case .setting, .sharing, .machine, .day, nil: " Edit"
            }
        return .list { move($0) } + [
            KeyBinding(
                "", .enter, label: action == nil ? nil : label("Enter", text, rank: 0),
                help: ("Enter", "change the chosen row"), does: action)
        ]
    }

    private var locationKeys: [KeyBinding] {
        let id = context.locations.selected
        // Where a device is selected, its own keys take this room.
        let hasRoom = device == nil
        return [
            own("c6", " Correct", rank: 4, help: "correct the count") {
                self.ask(self.correctionPrompt(at: id))
            },
            KeyBinding("e", label: label("E", " End Day", rank: 5), help: ("E", "end the day")) {
                self.actions?.askToEndDay(of: id)
            },
        ] + .undo(label("U", " Undo", rank: 6), context, at: id) + [
            own("a7", hasRoom ? " Add" : nil, rank: 7, help: "add a location") {
                self.ask(self.newLocationPrompt)
            },
            own("h8", hasRoom ? " Hide" : nil, rank: 8, help: "hide the location") {
                self.actions?.askToHide(id)
            },
        ]
    }

    /// The help names them for other rows too.
    private var deviceKeys: [KeyBinding] {
        let device = device
        return [
            own(
                "l9", device == nil ? nil : " Location", rank: 1,
                help: "choose where the chosen device counts",
                does: device.map { device in { self.editLocation(of: device) } }),
            switchKey,
            own(
                "f!", device == nil ? nil : " Forget", rank: 3, help: "forget the chosen device",
                does: device.map { device in { self.actions?.askToForget(device: device.id) } }),
        ]
    }

    private var switchKey: KeyBinding {
        func key(_ text: String?, rank: Int = 0, does action: Action?) -> KeyBinding {
            own(
                "x0", text, rank: rank, help: "device: switch it off, on; day: take its end back",
                does: action)
        }
        if let device {
            return key(device.isActive ? " Off" : " On", rank: 2) { self.toggle(device) }
        }
        guard case .day(let end) = cursor else { return key(nil, does: nil) }
        let id = context.locations.selected
        return key(" Take back", rank: 1) { self.actions?.askToTakeBackEnd(end, of: id) }
    }
}
