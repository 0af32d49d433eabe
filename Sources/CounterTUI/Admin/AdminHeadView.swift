import Linux

/// The first line of the Admin screen: the selected location with its count, and the user.
struct AdminHeadView {
    let model: AdminViewModel
    let locations: LocationChoice
    let theme: Theme

    /// Columns of a name that suffice to tell it from others.
    private static let leastName = 12

    /// The count is always shown; the name is shortened for it, and the user is shown as far as there is room.
    func draw(into screen: inout Screen, row: Int) {
        let columns = screen.grid.size.columns - 2
        let place = locations.selectedItem?.name ?? "no location"
        let fixed = chooser.columns + count.columns
        let needed = fixed + min(Self.leastName, CharacterWidth.columns(place))
        let user = users.first { needed + 1 + $0.columns <= columns }
        let room = columns - fixed - (user.map { $0.columns + 1 } ?? 0)
        let name = Span(place.shortened(to: room, ellipsis: theme.look.ellipsis), theme[.caption])
        screen.write(
            (chooser + [name] + count).truncated(to: columns, ellipsis: theme.look.ellipsis),
            at: Point(column: 1, row: row))
        guard let user else { return }
        screen.write([user], at: Point(column: 1 + columns - user.columns, row: row))
    }

    /// The user, from the longest form to the shortest.
    private var users: [Span] {
        let (id, role) = (model.user.id, model.user.role.rawValue)
        return ["\(id), \(role)", role].map { Span($0, theme[model.mayChange ? .quiet : .notice]) }
    }

    /// The buttons for the previous and the next location; empty where there is only one.
    private var chooser: [Span] {
        guard locations.all.count > 1,
            let number = locations.all.firstIndex(where: { $0.id == locations.selected })
        else { return [] }
        return [
            Span("<", theme[.key], locations.neighbour(-1).map { .selectLocation($0.id) }),
            Span(" \(number + 1)/\(locations.all.count) ", theme[.quiet]),
            Span(">", theme[.key], locations.neighbour(1).map { .selectLocation($0.id) }), Span(" "),
        ]
    }

    private var count: [Span] {
        guard let state = model.state else { return [] }
        let capacity = state.maxCapacity.map { " of \($0)" } ?? ""
        let drift = Span("  \(state.moreLeftThanEntered) more left than entered", theme[.notice])
        return [Span("  \(state.currentCount)\(capacity)", theme[.quiet])]
            + (state.hasNegativeDrift ? [drift] : [])
    }
}
