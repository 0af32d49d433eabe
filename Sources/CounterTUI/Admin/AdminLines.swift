import CounterModel
import Linux

/// The lines of the Admin screen's list.
struct AdminLines {
    let model: AdminViewModel
    let theme: Theme
    /// The available width.
    let columns: Int

    /// A line, and the row that starts with it.
    struct Line {
        let spans: [Span]
        var row: AdminRow?
    }

    /// From this width on, a device or a day needs one line instead of two.
    private static let wide = 60
    private static let labelColumns = 16
    private static let seenColumns = 21
    /// The width of a date with hours and minutes.
    private static let minuteColumns = 16

    private var isWide: Bool { columns >= Self.wide }

    /// All lines.
    var all: [Line] {
        guard let location = model.location else { return [Line(spans: [Span("No location is shown.")])] }
        let settings = AdminViewModel.settings.map { line(of: $0, location) }
        return [heading("Location")] + settings
            + [heading("Devices")] + section(model.devices.flatMap(lines(of:)), empty: "no devices yet")
            + [heading("Ended days")] + section(model.days.flatMap(lines(of:)), empty: "no days ended")
    }

    private func heading(_ text: String) -> Line { Line(spans: [Span(text, theme[.heading])]) }

    private func section(_ lines: [Line], empty: String) -> [Line] {
        lines.isEmpty ? [Line(spans: [Span("  " + empty, theme[.quiet])])] : lines
    }

    /// The intent of a click on a row: its action if it has one, else to select it.
    private func intent(_ row: AdminRow) -> Intent { .admin(model.action(on: row) ?? .choose(row)) }

    private func style(_ row: AdminRow, _ role: Theme.Role) -> Style {
        theme[row == model.cursor ? .selectedTab : role]
    }

    // MARK: - The location

    private func line(of property: LocationSetting.Name, _ location: Location) -> Line {
        let row = AdminRow.setting(property)
        let label = property.title.padded(to: Self.labelColumns, theme)
        var spans = [
            Span("  " + label, theme[.label], intent(row)),
            Span(text(of: property, location).sanitised, style(row, .caption), intent(row)),
        ]
        if property == .timezone, let problem = model.zoneProblem {
            spans.append(Span("  " + problem, theme[.notice]))
        }
        return Line(spans: spans, row: row)
    }

    private func text(of property: LocationSetting.Name, _ location: Location) -> String {
        switch property {
        case .name: location.name
        case .capacity: location.maxCapacity.map(String.init) ?? "none: a tally"
        case .timezone: location.timezone
        case .dayStart: "\(location.dayStart < 10 ? "0" : "")\(location.dayStart):00"
        case .admitsOverFull: "above capacity: \(location.admitsOverFull ? "yes" : "no")"
        case .isHidden: location.isHidden ? "hidden" : "shown"
        case .openingHours: location.openingHours?.description ?? "from the first to the last event of a day"
        case .endsDaysAutomatically: location.endsDaysAutomatically ? "by themselves" : "by End Day"
        case .group: location.group ?? "none"
        case .key: location.key.map { "\($0) counts up, \($0.capital) down" } ?? "none"
        case .target: location.target.map(String.init) ?? "none"
        }
    }

    // MARK: - Devices

    private func lines(of device: Device) -> [Line] {
        let row = AdminRow.device(device.id)
        let nameColumns = isWide ? min(40, (columns - Self.seenColumns - 12) * 3 / 5) : columns - 2
        let name = Span(
            device.name.sanitised.truncated(to: nameColumns, ellipsis: theme.look.ellipsis),
            style(row, .caption), intent(row))
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
        let facts = [
            place, Span(seenInFull(device).padded(to: Self.seenColumns, theme), theme[.quiet]),
            activity(of: device),
        ]
        return [Line(spans: [Span("  "), name, gap] + facts.joined(by: Span(" ")), row: row)]
    }

    private func place(of device: Device, columns: Int) -> Span {
        let name = device.locationId.map { model.names[$0] ?? $0.text }?.sanitised ?? "any"
        return Span(name.padded(to: columns, theme), theme[.label], .admin(.edit(.deviceLocation(device.id))))
    }

    /// When it was seen last, or the other program of ours that counts it now.
    private func seen(_ device: Device) -> String {
        guard let connection = device.connection else {
            return device.lastSeenAt.map(model.zone.text) ?? "never seen"
        }
        return connection.isOwn ? "connected" : connection.program.sanitised
    }

    private func seenInFull(_ device: Device) -> String {
        (device.connection?.isOwn == false ? "by " : "") + seen(device)
    }

    private func activity(of device: Device) -> Span {
        Span(
            device.isActive ? "counts" : "off   ", theme[device.isActive ? .exclusive : .shared],
            .admin(.change(.setActive(!device.isActive, device: device.id))))
    }

    // MARK: - Ended days

    private func lines(of day: EndedDay) -> [Line] {
        let row = AdminRow.day(day.id)
        let texts = SnapshotTexts(day.snapshot, zone: model.zone)
        let user = day.snapshot.isAutomatic ? ", automatic" : day.userId.map { ", by \($0.sanitised)" } ?? ""
        let end = Span(isWide ? texts.span : texts.end, style(row, .caption), .admin(.choose(row)))
        let facts = (texts.facts + user).wrapped(to: columns - 4).map { Span("    " + $0, theme[.label]) }
        return [Line(spans: [Span("  "), end], row: row)] + facts.map { Line(spans: [$0]) }
    }
}

extension String {
    /// Padded to exactly `columns` columns. Expects sanitised text.
    fileprivate func padded(to columns: Int, _ theme: Theme) -> String {
        let text = truncated(to: columns, ellipsis: theme.look.ellipsis)
        return text + String(repeating: " ", count: columns - CharacterWidth.columns(text))
    }
}
