package import CounterModel
package import Linux

/// A location that has a key of its own, as the Count screen shows it.
package struct KeyedLocation: Identifiable, Hashable, Sendable {
    package let id: Identifier
    /// Its name, sanitised for the terminal.
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

extension [KeyBinding] {
    /// The keys of a location: the small letter counts up there, the capital down.
    init(_ key: LocationKey, of id: Identifier, named name: String) {
        self = [
            KeyBinding(
                exactly: key.character, does: .count(.in, at: id),
                help: ("\(key), \(key.capital)", "up, down: \(name)")),
            KeyBinding(exactly: key.capital, does: .count(.out, at: id)),
        ]
    }
}

/// The locations that have a key, with their counts: `[a Robin 12] [s Wren 3]`. A click counts up.
struct KeyedLocationLines {
    let model: CountViewModel
    let theme: Theme

    private static let most = 3
    private static let longestName = 20

    /// The lines; locations that do not fit into them are left out.
    func lines(columns: Int) -> [Line] {
        var lines: [[Span]] = []
        for location in model.keyed {
            let spans = spans(location, columns: columns)
            if let last = lines.last, last.columns + 1 + spans.columns <= columns {
                lines[lines.count - 1] = last + [Span(" ")] + spans
            } else {
                lines.append(spans)
            }
        }
        return lines.prefix(Self.most).map { .justified($0, []) }
    }

    private func spans(_ location: KeyedLocation, columns: Int) -> [Span] {
        let intent = model.mayChange ? Intent.count(.in, at: location.id) : .selectLocation(location.id)
        let count = " \(location.count)"
        let room = Swift.max(1, Swift.min(Self.longestName, columns - 4 - count.count))
        let name = location.name.truncated(to: room, ellipsis: theme.ellipsis)
        let style = theme[location.id == model.locationId ? .selectedTab : .label]
        return [
            Span("[", theme[.label], intent), Span("\(location.key)", theme[.key], intent),
            Span(" ", theme[.label], intent), Span(name + count, style, intent),
            Span("]", theme[.label], intent),
        ]
    }
}
