package import CounterModel
package import Linux

extension SQLiteJournal {
    /// All locations, in the order in which they were added.
    ///
    /// - throws: `JournalError`
    package func locations() throws(JournalError) -> [Location] {
        try read(LocationTable.all)
    }

    /// Adds a location with the level 0 and its settings, in one transaction.
    ///
    /// - parameters:
    ///     - location: The location. Id, name and zone are stored with it, its other settings as rows of the journal;
    ///       these must be valid.
    ///     - userId: The user who adds it.
    ///     - time: When its settings take effect; by default before all else.
    ///     - receivedAt: The present moment; by default that time.
    /// - returns: False if the id is taken; then nothing has changed.
    /// - throws: `JournalError`
    package func add(
        _ location: Location, userId: String? = nil, at time: Timestamp = Timestamp(microseconds: .min),
        receivedAt: Timestamp? = nil
    ) throws(JournalError) -> Bool {
        let settings = location.ownSettings
        precondition(settings.allSatisfy(\.isValid), "a setting is out of its range")
        return try write { db in
            let key = try LocationTable.insert(
                db, id: location.id, name: location.name, timezone: location.timezone)
            guard key != nil else { return false }
            let transaction = try AppendTransaction(db, receivedAt: receivedAt ?? time)
            for setting in settings {
                _ = try transaction.answer(
                    Request(
                        locationId: location.id, userId: userId, timestamp: time, change: .setting(setting)))
            }
            try transaction.finish()
            return true
        }
    }

    /// The text of the last setting of a row of `counterState`, by its key in the table `setting`.
    private static func setting(_ key: Int) -> String {
        """
        (SELECT text FROM journal WHERE kind = 4 AND journal.locationKey = counterState.locationKey
            AND setting = \(key) ORDER BY journal.position DESC LIMIT 1)
        """
    }

    /// The committed state of a location.
    ///
    /// - returns: nil if there is no such location.
    /// - throws: `JournalError`
    package func state(of locationId: Identifier) throws(JournalError) -> CounterState? {
        try access { db in
            let sql = """
                SELECT level, lastUpdated, lastEventAt, position, \(Self.setting(1)) AS capacity,
                    \(Self.setting(11)) AS target,
                    (SELECT max(reset) FROM segment WHERE locationKey = counterState.locationKey) AS lastReset
                FROM counterState WHERE locationKey = (SELECT key FROM location WHERE id = :id)
                """
            return try db.statement(sql).binding("id", to: locationId) { statement in
                try statement.first { row in
                    let (capacity, target): (String?, String?) = (row["capacity"], row["target"])
                    return CounterState(
                        locationId: locationId, level: try row["level"],
                        maxCapacity: capacity.flatMap { Int($0) }, target: target.flatMap { Int($0) },
                        lastReset: Position(try row["lastReset"]),
                        lastUpdated: Timestamp(stored: row["lastUpdated"]),
                        lastEventAt: Timestamp(stored: row["lastEventAt"]),
                        position: Position(try row["position"]))
                }
            }
        }
    }

    /// The committed state of a location; with level 0 and no event if there is no such location.
    ///
    /// - Throws: `JournalError`
    package func stateOrZero(of id: Identifier) throws(JournalError) -> CounterState {
        try state(of: id)
            ?? CounterState(locationId: id, level: 0, lastUpdated: nil, lastEventAt: nil, position: .start)
    }
}

extension Timestamp {
    /// A column that may be NULL.
    init?(stored microseconds: Int64?) {
        guard let microseconds else { return nil }
        self.init(microseconds: microseconds)
    }
}
