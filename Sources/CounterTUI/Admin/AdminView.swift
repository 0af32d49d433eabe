import CounterModel

/// The Admin screen: the selected location, the devices and the days that were ended, as one list.
///
/// ```
///  <  North door  2/3   12 of 120        ada, admin    place, user (AdminHeadView)
///  Location                                            headings
///    Name           North door                         rows: one is chosen
///  Devices
///    AB Shutter3    North door    connected    counts
///  Ended days
///    2026-11-20 03:00:00 to 2026-11-21 03:00:00
///      final 12, in 340, out 328, highest 80
/// ```
struct AdminView: TabView {
    let model: AdminViewModel
    let places: PlaceChoice
    let theme: Theme

    static let help = [
        ("Arrows, Enter", "choose, edit"), ("PgUp PgDn Home End", "further rows"),
        ("C, E", "correct, end day"), ("U; A, H", "undo; add, hide"), ("L, X", "device place, off"),
    ]

    var keys: [KeyLine.Key] {
        let all: [KeyLine.Key]
        if let device = model.device {
            all = keys(of: device) + changes
        } else {
            all = edit + changes + placeChanges
        }
        return model.mayChange ? all : all.map(\.off)
    }

    private var edit: [KeyLine.Key] {
        model.action(on: model.cursor).map { [KeyLine.Key("Enter", " Edit", .admin($0))] } ?? []
    }

    private var changes: [KeyLine.Key] {
        let id = places.selected
        return [
            KeyLine.Key("C", " Correct", .admin(.edit(.correction(at: id)))),
            KeyLine.Key("E", " End Day", .admin(.askToEndDay(of: id))),
            KeyLine.Key("U", " Undo", .admin(.change(.undo(at: id)))),
        ]
    }

    private var placeChanges: [KeyLine.Key] {
        [
            KeyLine.Key("A", " Add", .admin(.edit(.newLocation))),
            KeyLine.Key("H", " Hide", .admin(.askToHide(places.selected))),
        ]
    }

    private func keys(of device: Device) -> [KeyLine.Key] {
        [
            KeyLine.Key("Enter", " Name", .admin(.edit(.deviceName(device.id)))),
            KeyLine.Key("L", " Place", .admin(.edit(.devicePlace(device.id)))),
            KeyLine.Key(
                "X", device.isActive ? " Off" : " On",
                .admin(.change(.setActive(!device.isActive, device: device.id)))),
        ]
    }

    func draw(into screen: inout Screen, rows: Range<Int>) {
        let columns = screen.grid.size.columns - 2
        AdminHeadView(model: model, places: places, theme: theme)
            .draw(into: &screen, row: rows.lowerBound)
        let lines = AdminLines(model: model, theme: theme, columns: columns).all
        let space = rows.dropFirst()
        for (row, line) in zip(space, lines.dropFirst(start(of: lines, in: space.count))) {
            screen.write(
                line.spans.truncated(to: columns, ellipsis: theme.look.ellipsis),
                at: Point(column: 1, row: row))
        }
    }

    /// The first line that is shown, so that the chosen row is about the middle where there are more than fit.
    private func start(of lines: [AdminLines.Line], in rows: Int) -> Int {
        let chosen = lines.firstIndex { $0.row == model.cursor } ?? 0
        return min(max(0, chosen - rows / 2), max(0, lines.count - rows))
    }
}
