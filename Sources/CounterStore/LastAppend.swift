import SQL

/// What a transaction knew last of a location, a device and a minute. The next one mostly appends to the same, and reads
/// them again only if the database has changed in between.
struct LastAppend {
    let nextPosition: Int64
    let minute: RollupTable.Minute?
    let location: Recent<LocationProjection>.Named?
    let device: Recent<Int64>.Named?
    let clock: NotedClock?
    /// `Connection.dataVersion` after the commit.
    let dataVersion: UInt32

    /// Whether nobody has committed since then. Call it within a transaction.
    func isCurrent(in db: Connection) -> Bool { db.dataVersion == dataVersion }
}

/// What was looked up by name in a transaction. The same name mostly comes again at once, so the last one is compared
/// before any is hashed.
struct Recent<Value> {
    typealias Named = (name: ExactText, value: Value)

    private var byName: [ExactText: Value] = [:]
    private(set) var last: Named?
    private let previous: Named?

    /// `previous` is the last of the transaction before, where it still holds.
    init(after previous: Named?) { self.previous = previous }

    var values: Dictionary<ExactText, Value>.Values { byName.values }

    mutating func value(of name: String, find: () throws -> Value?) rethrows -> Value? {
        let name = ExactText(name)
        if let last, last.name == name { return last.value }
        let known = byName[name] ?? (previous?.name == name ? previous?.value : nil)
        guard let value = try known ?? find() else { return nil }
        byName[name] = value
        last = (name, value)
        return value
    }
}

/// A text that is compared by its bytes, as SQLite does. To Swift "\u{FC}" and "u\u{308}" are equal.
struct ExactText: Hashable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}
