public import CounterModel
import GRDB

extension SQLiteJournal {
    /// All locations, in the order in which they were added.
    ///
    /// - throws: `JournalError`
    public func locations() throws(JournalError) -> [Location] {
        try read(LocationTable.all)
    }

    /// Adds a location with the level 0.
    ///
    /// - returns: False where the id is taken; then nothing has changed.
    /// - throws: `JournalError`
    public func add(_ location: Location) throws(JournalError) -> Bool {
        try write { db in
            let key = try LocationTable.insert(
                db, id: location.id, name: location.name, timezone: location.timezone)
            return key != nil
        }
    }

    /// The state of a location, as committed by whatever program.
    ///
    /// - returns: nil where there is no such location.
    /// - throws: `JournalError`
    public func state(of locationId: String) throws(JournalError) -> CounterState? {
        try access { db in
            let sql = """
                SELECT level, lastUpdated, lastEventAt, position FROM counterState
                WHERE locationKey = (SELECT key FROM location WHERE id = ?)
                """
            guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [locationId]) else {
                return nil
            }
            return CounterState(
                locationId: locationId, level: row[0], lastUpdated: Timestamp(stored: row[1]),
                lastEventAt: Timestamp(stored: row[2]), position: Position(row[3]))
        }
    }
}

extension Timestamp {
    /// A column that may be NULL.
    init?(stored microseconds: Int64?) {
        guard let microseconds else { return nil }
        self.init(microseconds: microseconds)
    }
}
