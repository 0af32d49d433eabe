import SQL

/// What a transaction knew last of a location, a device and a minute. The next one mostly appends to the same, and reads
/// them again only if the database has changed in between.
struct LastAppend {
    let nextPosition: Int64
    let minute: RollupTable.Minute?
    private let location: Recent<LocationProjection>.Named?
    private let device: Recent<Int64>.Named?
    private let dataVersion: UInt32

    /// Nil if SQLite cannot tell whether the database changes.
    init?(
        _ db: Connection, nextPosition: Int64, location: Recent<LocationProjection>.Named?,
        device: Recent<Int64>.Named?, minute: RollupTable.Minute?
    ) {
        guard let version = db.dataVersion else { return nil }
        dataVersion = version
        self.nextPosition = nextPosition
        self.location = location
        self.device = device
        self.minute = minute
    }

    /// Whether nobody has committed since. To be asked in a transaction.
    func isCurrent(in db: Connection) -> Bool { db.dataVersion == dataVersion }

    func projection(of locationId: String) -> LocationProjection? {
        location?.name == ExactText(locationId) ? location?.value : nil
    }

    func deviceKey(of id: String) -> Int64? { device?.name == ExactText(id) ? device?.value : nil }
}

/// What was looked up by name in a transaction. The same name mostly comes again at once, so the last one is compared
/// before any is hashed.
struct Recent<Value> {
    typealias Named = (name: ExactText, value: Value)

    private var byName: [ExactText: Value] = [:]
    private(set) var last: Named?

    var values: Dictionary<ExactText, Value>.Values { byName.values }

    mutating func value(of name: String, find: () throws -> Value?) rethrows -> Value? {
        let name = ExactText(name)
        if let last, last.name == name { return last.value }
        guard let value = try byName[name] ?? find() else { return nil }
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
