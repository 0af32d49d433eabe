import Linux
package import Reports

/// The Live screen: one location large, or all of them as cards.
package final class LiveViewModel: TabScreen {
    /// All locations, in the order of `LocationChoice`.
    package var cards: [LiveCard] = []
    package var mayChange = true
    package var step = 1
    /// Whether the selected location fills the screen. A single location always does.
    private var isEnlarged = false
    private static let rowsForTotal = 8
    let context: ScreenContext

    init(_ context: ScreenContext) { self.context = context }

    var isOverview: Bool { hasSeveral && !isEnlarged }

    private var hasSeveral: Bool { context.locations.all.count > 1 }

    func enlarge(_ id: Identifier) {
        context.locations.select(id)
        isEnlarged = true
    }

    func draw(into frame: inout Frame, rows: Range<Int>, theme: Theme) {
        LiveView(model: self, theme: theme).draw(into: &frame, rows: rows)
    }

    // MARK: - Keys

    /// The arrows follow the tiles.
    func keys(in area: Size) -> [KeyBinding] {
        changes(at: context.locations.selected) + arrows(step: isOverview ? across(area) : 1) + views
    }

    func scroll(_ clicks: Int, in area: Size) -> Action? { nil }

    private func changes(at id: Identifier) -> [KeyBinding] {
        let stepText = step == 1 ? "" : "\(step)"
        return [
            KeyBinding(
                "+=", label: .init("+", stepText, rank: 0, isOn: mayChange),
                help: ("+ =", "count up by hand")
            ) { [context] in context.program?.count(.in, at: id) },
            KeyBinding(
                "-", label: .init("-", stepText, rank: 1, isOn: mayChange),
                help: ("-", "count down by hand")
            ) { [context] in context.program?.count(.out, at: id) },
        ] + .undo(.init("U", " Undo", rank: 2, isOn: mayChange), context, at: id)
    }

    // `step` is the distance in the list to the location one row below.
    private func arrows(step: Int) -> [KeyBinding] {
        [
            KeyBinding("", .left, help: ("Arrows", "choose a location"), does: context.neighbour(-1)),
            KeyBinding("", .right, does: context.neighbour(1)),
            KeyBinding("", .up, does: context.neighbour(-step)),
            KeyBinding("", .down, does: context.neighbour(step)),
        ]
    }

    private var views: [KeyBinding] {
        let selected = context.locations.selected
        return [
            KeyBinding(
                "", .enter, label: isOverview ? .init("Enter", " Open", rank: 3) : nil,
                help: ("Enter", "show the chosen location alone"),
                does: isOverview ? { self.enlarge(selected) } : nil),
            KeyBinding(
                "o", .escape, label: hasSeveral && isEnlarged ? .init("O", " Overview", rank: 3) : nil,
                help: ("O or Escape", "show all locations"),
                does: hasSeveral ? { self.isEnlarged = false } : nil),
        ]
    }

    private func across(_ area: Size) -> Int {
        LiveTiling(
            context.locations.all.count, in: space(in: Size(columns: area.columns - 2, rows: area.rows))
        ).across
    }

    /// The totals below the cards, as far as there is room: that of all locations is the last.
    func totals(rows: Int) -> [LiveCard] { cards.totals.suffix(rows / Self.rowsForTotal) }

    /// The part of an area that the cards have.
    func space(in area: Size) -> Size {
        Size(columns: area.columns, rows: area.rows - totals(rows: area.rows).count)
    }
}
