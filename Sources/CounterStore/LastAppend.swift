import Linux
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

    /// Whether no other connection has committed since then. Call it within a transaction.
    func isCurrent(in db: Connection) -> Bool { db.dataVersion == dataVersion }
}

/// What was looked up by name in a transaction. The same name mostly comes again at once, so the last one is compared
/// before any is hashed.
struct Recent<Value> {
    typealias Named = (name: Identifier, value: Value)

    private var byName: [Identifier: Value] = [:]
    private(set) var last: Named?
    private let previous: Named?

    /// `previous` is the last of the transaction before, where it still holds.
    init(after previous: Named?) { self.previous = previous }

    var values: Dictionary<Identifier, Value>.Values { byName.values }

    mutating func value(of name: Identifier, find: () throws -> Value?) rethrows -> Value? {
        if let last, last.name == name { return last.value }
        let known = byName[name] ?? (previous?.name == name ? previous?.value : nil)
        guard let value = try known ?? find() else { return nil }
        byName[name] = value
        last = (name, value)
        return value
    }
}
