package import CounterModel
package import Linux

extension CountViewModel {
    /// The keys of Count. Those that need a screen: the target, the devices, the end of a day that is over.
    func keys(_ context: ScreenContext, _ admin: AdminViewModel) -> [KeyBinding] {
        overdueKeys(admin) + countingKeys(context) + [
            KeyBinding(
                "t", help: mayChange ? ("T", "set the target of this location") : nil, needsScreen: true
            ) {
                askTarget(context, admin)
            }
        ] + (mayChange ? deviceKeys(context) : [])
            // No letter, because each letter that is free may be the key of a location.
            + (maySpeak ? [KeyBinding(".", help: (".", "say the count")) { context.program?.say() }] : [])
    }

    private func deviceKeys(_ context: ScreenContext) -> [KeyBinding] {
        [
            KeyBinding("d", help: ("D", "list the devices, and why one does not count"), needsScreen: true) {
                context.toggle(.details)
            },
            KeyBinding("v", help: ("V", "take the volume keys, or leave them alone")) {
                context.program?.toggleCapture()
            },
        ]
    }

    /// Whether the location can be reset: an occupancy is set to 0 by the end of a day alone.
    private var isReset: Bool { state.maxCapacity == nil }

    var volumeKeys: String { "count up, count down; both together " + (isReset ? "reset" : "count one each") }

    private func countingKeys(_ context: ScreenContext) -> [KeyBinding] {
        let stepText = step == 1 ? "" : "\(step)"
        return [
            KeyBinding(
                "+=", .up, .right, label: .init("+", stepText, rank: 3, isOn: mayChange),
                help: ("+ = Up Right", "count up by hand")
            ) { context.program?.count(.in, at: nil) },
            KeyBinding(
                "-", .down, .left, label: .init("-", stepText, rank: 2, isOn: mayChange),
                help: ("- Down Left", "count down by hand")
            ) { context.program?.count(.out, at: nil) },
            KeyBinding(
                "r", label: isReset ? .init("R", " Reset", rank: 0, isOn: mayChange) : nil,
                help: isReset ? ("R", "reset to 0") : nil
            ) { context.program?.reset() },
        ] + .undo(.init("U", " Undo", rank: 1, isOn: mayChange), context, at: nil)
    }

    /// The end of a day that is over, for the screens that show a location and have no E of their own.
    func overdueKeys(_ admin: AdminViewModel) -> [KeyBinding] {
        guard let overdueAt, mayChange else { return [] }
        return [
            KeyBinding(
                "e", label: .init("E", " End Day", rank: 4), help: ("E", "end the day that is over"),
                needsScreen: true
            ) { admin.actions?.askToEndOverdueDay(of: overdueAt) }
        ]
    }

    private func askTarget(_ context: ScreenContext, _ admin: AdminViewModel) {
        guard mayChange else {
            context.program?.refuseChange()
            return
        }
        context.ask(
            FieldPrompt(
                title: location.map { "Target: \($0)" } ?? "Target", hint: LocationProperty.target.hint,
                text: state.target.map(String.init) ?? "", of: state.locationId, closesUnchanged: true
            ) { text throws(FieldProblem) in
                let setting = try LocationSetting(.target, typed: text)
                admin.actions?.set(setting, of: state.locationId)
            })
    }
}

/// A location that has a key of its own, as the Count screen shows it.
package struct KeyedLocation: Identifiable, Hashable, Sendable {
    package let id: Identifier
    package let name: String
    package let key: LocationKey
    package let count: Int

    /// A location. `name` may hold any text: it is sanitised for the terminal.
    package init(id: Identifier, name: String, key: LocationKey, count: Int) {
        self.id = id
        self.name = name.sanitised
        self.key = key
        self.count = count
    }
}

/// The locations that have a key, with their counts: `[a Robin 12] [s Wren 3] +5 more`. A click counts up.
struct KeyedLocationLines {
    let model: CountViewModel
    let context: ScreenContext
    let theme: Theme

    private static let most = 3
    private static let longestName = 20

    func lines(columns: Int) -> [Line] {
        let rows = model.keyed.map { spans($0, columns: columns) }
            .rows(gap: 1, columns: columns, width: \.columns)
        var lines = Array(rows.prefix(Self.most))
        let rest = rows.dropFirst(Self.most).joined().count
        if rest > 0 { lines[lines.count - 1] = withRest(lines[lines.count - 1], rest, columns) }
        return lines.map { .justified(Self.line($0), []) }
    }

    /// A line that says how many more there are, with as many of its locations as that leaves room for.
    private func withRest(_ locations: [[Span]], _ rest: Int, _ columns: Int) -> [[Span]] {
        let forms = (0...locations.count).reversed().map { shown -> [[Span]] in
            let more = Span("+\(rest + locations.count - shown) more", theme[.quiet])
            return Array(locations.prefix(shown)) + [[more]]
        }
        return forms.first { Self.line($0).columns <= columns } ?? locations
    }

    private static func line(_ locations: [[Span]]) -> [Span] {
        Array(locations.joined(separator: [Span(" ")]))
    }

    private func spans(_ location: KeyedLocation, columns: Int) -> [Span] {
        let action: Action =
            model.mayChange
            ? { context.count(.in, selecting: location.id) } : { context.locations.select(location.id) }
        let count = " \(location.count)"
        let room = Swift.max(1, Swift.min(Self.longestName, columns - 4 - count.count))
        let name = location.name.truncated(to: room, ellipsis: theme.ellipsis)
        let style = theme[location.id == model.state.locationId ? .selectedTab : .label]
        let key =
            model.mayChange
            ? [Span("\(location.key)", theme[.key], action), Span(" ", theme[.label], action)] : []
        return [Span("[", theme[.label], action)] + key
            + [Span(name + count, style, action), Span("]", theme[.label], action)]
    }
}
