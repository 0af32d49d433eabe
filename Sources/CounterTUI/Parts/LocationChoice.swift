package import CounterModel
package import Linux

/// The locations that can be selected, and the selected one, which all screens share.
package struct LocationChoice: Hashable, Sendable {
    package struct Item: Identifiable, Hashable, Sendable {
        package let id: Identifier
        package let name: String
        let ownName: String
        /// The letter that counts into it; nil for none.
        let key: LocationKey?

        /// A location. `name` may hold any text: it is sanitised for the terminal where it is shown.
        package init(id: Identifier, name: String, key: LocationKey? = nil) {
            (self.id, self.key) = (id, key)
            self.name = name.sanitised
            ownName = name
        }
    }

    /// All locations, in display order.
    package private(set) var all: [Item] = []
    /// The id of the selected location; one of `all` unless that is empty.
    package private(set) var selected: Identifier = ""

    package init() {}

    /// Replaces the locations. The selected one stays selected if it still exists; `preferred` is selected where nothing
    /// was.
    package mutating func offer(_ locations: [Item], preferred: Identifier) {
        all = locations
        for id in [selected, preferred] + locations.map(\.id).prefix(1) where contains(id) {
            selected = id
            return
        }
        selected = ""
    }

    /// Selects the location with this id; does nothing where there is none.
    package mutating func select(_ id: Identifier) {
        if contains(id) { selected = id }
    }

    package var selectedItem: Item? { all.first { $0.id == selected } }

    /// The location `steps` after the selected one, or before it where negative; nil where there is none.
    func neighbour(_ steps: Int) -> Item? {
        guard let index = all.firstIndex(where: { $0.id == selected }) else { return nil }
        return all.indices.contains(index + steps) ? all[index + steps] : nil
    }

    /// The location after the selected one, or before it; the first follows the last. nil where there is no other.
    func following(_ steps: Int) -> Item? {
        guard all.count > 1, let index = all.firstIndex(where: { $0.id == selected }) else {
            return all.first { $0.id != selected }
        }
        return all[(index + steps + all.count) % all.count]
    }

    func contains(_ id: Identifier) -> Bool { all.contains { $0.id == id } }
}

extension [LocationChoice.Item] {
    /// The location with a typed name, or id.
    func named(_ text: String) throws(FieldProblem) -> LocationChoice.Item {
        guard let item = first(where: { $0.ownName == text }) ?? first(where: { $0.id == Identifier(text) })
        else {
            let similar = map(\.ownName).suggestion(for: text)
            throw FieldProblem(
                "there is no location '\(text)'\(similar.isEmpty ? "" : ". " + similar)")
        }
        return item
    }
}
