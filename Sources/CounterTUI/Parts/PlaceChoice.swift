import System

/// The locations that can be looked at, and the one that is. All screens but Count share it.
public struct PlaceChoice: Hashable, Sendable {
    /// A location as it is chosen.
    public struct Place: Identifiable, Hashable, Sendable {
        /// The location's id.
        public let id: String
        /// What people call it, as it is shown.
        public let name: String
        /// The same as it is stored.
        let ownName: String

        /// A location. `name` may hold anything: what is not plain text is made harmless where it is shown.
        public init(id: String, name: String) {
            self.id = id
            self.name = name.harmless
            ownName = name
        }
    }

    /// In the order in which they are shown.
    public private(set) var all: [Place] = []
    /// The id of the one that is looked at; one of `all` unless that is empty.
    public private(set) var selected = ""

    /// Nothing to choose from.
    public init() {}

    /// Takes what there is now. What was selected stays so where it is still there; `preferred` is selected where nothing was.
    public mutating func offer(_ places: [Place], preferred: String) {
        all = places
        for id in [selected, preferred] + places.map(\.id).prefix(1) where contains(id) {
            selected = id
            return
        }
        selected = ""
    }

    /// Looks at another one; nothing happens where there is none of that id.
    public mutating func select(_ id: String) {
        if contains(id) { selected = id }
    }

    /// The place that is looked at; nil where there is none.
    public var place: Place? { all.first { $0.id == selected } }

    /// The place `steps` further on, or back where negative; nil where there is none.
    func neighbour(_ steps: Int) -> Place? {
        guard let index = all.firstIndex(where: { $0.id == selected }) else { return nil }
        return all.indices.contains(index + steps) ? all[index + steps] : nil
    }

    func contains(_ id: String) -> Bool { all.contains { $0.id == id } }
}
