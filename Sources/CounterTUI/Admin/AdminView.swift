package import CounterModel
import Linux

/// The lines of the Admin screen: the selected location, the devices and the ended days, in one list.
///
/// ```
///  <  North door  2/3   12 of 120        ada, admin    location, user (AdminHeadView)
///  Location                                            headings
///    Name           North door                         rows: one is chosen
///  Devices
///    AB Shutter3    North door    connected    counts
///  Ended days
///    2026-11-20 03:00:00 to 2026-11-21 03:00:00
///      count 12, in 340, out 328, highest 80
/// ```
struct AdminLines {
    let model: AdminViewModel
    let theme: Theme
    let columns: Int

    typealias Line = ListLine<AdminRow>

    /// From this width on, a device or a day needs one line instead of two.
    private static let wide = 60
    private static let seenColumns = 21
    /// The width of a date with hours and minutes.
    private static let minuteColumns = 16

    private var isWide: Bool { columns >= Self.wide }

    var all: [Line] {
        guard let location = model.location else { return [Line(spans: [Span("No location is shown.")])] }
        let settings = LocationProperty.onAdmin.map { line(of: $0, location) }
        let others = model.machines.flatMap(lines(of:))
        return [.heading("Location", theme)] + settings + [sharing]
            + (others.isEmpty ? [] : Line.section("Other machines", others, empty: "", theme))
            + Line.section("Devices", model.devices.flatMap(lines(of:)), empty: "no devices yet", theme)
            + Line.section("Ended days", model.days.flatMap(lines(of:)), empty: "no days ended", theme)
    }

    private func action(_ row: AdminRow) -> Action { model.action(on: row) ?? { model.choose(row) } }

    private func style(_ row: AdminRow, _ role: Theme.Role) -> Style { model.style(row, role, theme) }

    /// A text of exactly `columns` columns. Expects sanitised text.
    private func cell(_ text: String, _ columns: Int) -> String {
        text.truncated(to: columns, ellipsis: theme.ellipsis).padded(to: columns)
    }

    // MARK: - The location

    private func line(of property: LocationProperty, _ location: Location) -> Line {
        let row = AdminRow.setting(property)
        let problem = property == .timezone ? model.zoneProblem.map { Span("  " + $0, theme[.notice]) } : nil
        let facts = spans(property.title, property.shown(of: location).sanitised, row)
        return Line(spans: facts + [problem].compactMap(\.self), row: row)
    }

    private func spans(_ title: String, _ value: String, _ row: AdminRow) -> [Span] {
        [
            Span("  " + cell(title, min(16, columns / 2)), theme[.label], action(row)),
            Span(value, style(row, .caption), action(row)),
        ]
    }

    // MARK: - Other machines

    private var sharing: Line {
        Line(spans: spans("Shared", model.isShared ? "with other machines" : "no", .sharing), row: .sharing)
    }

    private func lines(of machine: AdminMachine) -> [Line] {
        let row = AdminRow.machine(machine.peer)
        let name = Span(machine.peer.sanitised, style(row, .caption), action(row))
        let notes = machine.notes.flatMap { $0.sanitised.wrapped(to: columns - 4) }
        return [
            Line(spans: [Span("  "), name, Span("  \(machine.words.sanitised)", theme[.label])], row: row)
        ]
            + notes.map { Line(spans: [Span("    " + $0, theme[.notice])]) }
            + machine.offers.map { line(of: $0, machine) }
    }

    private func line(of offer: AdminOffer, _ machine: AdminMachine) -> Line {
        let row = AdminRow.offer(offer, of: machine.peer)
        let name = offer.name.sanitised.shortened(to: columns - 4, ellipsis: theme.ellipsis)
        return Line(
            spans: [
                Span("    "), Span(name, style(row, .caption), action(row)),
                Span("  shared there, not here", theme[.label]),
            ], row: row)
    }

    // MARK: - Devices

    private func lines(of device: Device) -> [Line] {
        let row = AdminRow.device(device.id)
        let nameColumns = isWide ? min(40, (columns - Self.seenColumns - 12) * 3 / 5) : columns - 2
        let name = Span(
            device.name.sanitised.truncated(to: nameColumns, ellipsis: theme.ellipsis),
            style(row, .caption), action(row))
        let place = place(
            of: device, columns: isWide ? min(30, (columns - Self.seenColumns - 12) * 2 / 5) : 10)
        guard isWide else {
            let facts = [
                place, activity(of: device),
                Span(String(seen(device).prefix(Self.minuteColumns)), theme[.quiet]),
            ]
            return [
                Line(spans: [Span("  "), name], row: row),
                Line(spans: [Span("    ")] + facts.joined(by: Span(" "))),
            ]
        }
        let gap = Span(String(repeating: " ", count: nameColumns - name.columns + 1))
        let seenBy = (device.connection?.isOwn == false ? "by " : "") + seen(device)
        let facts = [
            place, Span(cell(seenBy, Self.seenColumns), theme[.quiet]), activity(of: device),
        ]
        return [Line(spans: [Span("  "), name, gap] + facts.joined(by: Span(" ")), row: row)]
    }

    private func place(of device: Device, columns: Int) -> Span {
        let name = device.locationId.map { model.names[$0] ?? $0.text }?.sanitised ?? "any"
        return Span(cell(name, columns), theme[.label]) { model.editLocation(of: device) }
    }

    /// When it was seen last, or the other program of ours that counts it now.
    private func seen(_ device: Device) -> String {
        guard let connection = device.connection else {
            return device.lastSeenAt.map(model.zone.text) ?? "never seen"
        }
        return connection.isOwn ? "connected" : connection.program.sanitised
    }

    private func activity(of device: Device) -> Span {
        Span(
            device.isActive ? "counts" : "off   ", theme[device.isActive ? .exclusive : .shared],
            { model.toggle(device) })
    }

    // MARK: - Ended days

    private func lines(of day: EndedDay) -> [Line] {
        let row = AdminRow.day(day.id)
        let texts = SnapshotTexts(day.snapshot, zone: model.zone, capacity: model.location?.maxCapacity)
        let user = day.snapshot.isAutomatic ? ", automatic" : day.userId.map { ", by \($0.sanitised)" } ?? ""
        let end = Span(isWide ? texts.span : texts.end, style(row, .caption)) { model.choose(row) }
        let facts = (texts.facts + user).wrapped(to: columns - 4).map { Span("    " + $0, theme[.label]) }
        return [Line(spans: [Span("  "), end], row: row)] + facts.map { Line(spans: [$0]) }
    }
}

/// The first line of the Admin screen: the selected location with its count, and the user.
struct AdminHeadView {
    let model: AdminViewModel
    let theme: Theme

    /// Columns of a name that suffice to tell it from others.
    private static let leastName = 12

    /// The count is always shown; the name is shortened for it, and the user is shown as far as there is room.
    func draw(into frame: inout Frame, row: Int) {
        let columns = frame.grid.size.columns - 2
        let place = model.location?.name.sanitised ?? "no location"
        let fixed = chooser.columns + count.columns
        let needed = fixed + min(Self.leastName, CharacterWidth.columns(place))
        let user = users.first { needed + 1 + $0.columns <= columns }
        let room = columns - fixed - (user.map { $0.columns + 1 } ?? 0)
        let name = Span(place.shortened(to: room, ellipsis: theme.ellipsis), theme[.caption])
        frame.write(
            (chooser + [name] + count).truncated(to: columns, ellipsis: theme.ellipsis),
            at: Point(column: 1, row: row))
        guard let user else { return }
        frame.write([user], at: Point(column: 1 + columns - user.columns, row: row))
    }

    /// The user, from the longest form to the shortest.
    private var users: [Span] {
        let (id, role) = (model.user.id, model.user.role.rawValue)
        return ["\(id), \(role)", role].map { Span($0, theme[model.mayChange ? .quiet : .notice]) }
    }

    /// The buttons for the previous and the next location; empty where there is only one.
    private var chooser: [Span] {
        let locations = model.context.locations
        guard locations.all.count > 1,
            let number = locations.all.firstIndex(where: { $0.id == locations.selected })
        else { return [] }
        return [
            Span("<", theme[.key], model.context.neighbour(-1)),
            Span(" \(number + 1)/\(locations.all.count) ", theme[.quiet]),
            Span(">", theme[.key], model.context.neighbour(1)), Span(" "),
        ]
    }

    private var count: [Span] {
        guard let state = model.state else { return [] }
        let capacity = state.maxCapacity.map { " of \($0)" } ?? ""
        let drift = Span("  " + state.driftWords, theme[.notice])
        return [Span("  \(state.currentCount)\(capacity)", theme[.quiet])]
            + (state.hasNegativeDrift ? [drift] : [])
    }
}

/// The totals of an operational day, in words.
package struct SnapshotTexts {
    private let snapshot: DaySnapshot
    private let zone: ZoneOffsets
    private let words: FlowWords

    package init(_ snapshot: DaySnapshot, zone: ZoneOffsets, capacity: Int?) {
        self.snapshot = snapshot
        words = FlowWords(capacity: capacity)
        self.zone = zone
    }

    package var end: String { zone.text(of: snapshot.to) }

    package var span: String { "\(zone.text(of: snapshot.from)) to \(end)" }

    package var facts: String {
        var facts = [
            "count \(snapshot.finalLevel)", "\(words.ins) \(snapshot.totalIn)",
            "\(words.outs) \(snapshot.totalOut)", "highest \(snapshot.highestLevel)",
        ]
        if let average = snapshot.averageOccupancy { facts.append("average \(average.tenths)") }
        if let peak = snapshot.peakHour {
            facts.append(
                "peak \(zone.local(at: peak.start).timeOfDay.prefix(5)) with \(peak.totalIn) \(words.ins)")
        }
        return facts.joined(separator: ", ")
    }
}
