import SQL

extension Schema {
    /// From version 9: what older versions left to be told from their positions and columns is written into the rows.
    ///
    /// Before version 4 an entry by hand in a location with a capacity was a correction: up to `correctionsUntil`, 0 where there are
    /// none. Before version 9 the snapshot of a day did not have the level at its end, which is `levelBefore` of its reset then.
    static func migrateFrom9(_ db: Connection) throws {
        let drops = triggerNames.map { "DROP TRIGGER \($0);" }.joined(separator: "\n")
        try db.execute(
            """
            \(drops)

            UPDATE journal SET kind = \(RowKind.correction), value = delta, delta = NULL, continuesHold = NULL
                WHERE kind = \(RowKind.entry) AND source = (SELECT key FROM source WHERE name = 'manual')
                AND position <= (SELECT correctionsUntil FROM location WHERE location.key = locationKey);
            ALTER TABLE location DROP COLUMN correctionsUntil;

            UPDATE snapshot SET finalLevel =
                (SELECT levelBefore FROM journal WHERE journal.position = snapshot.position)
                WHERE finalLevel IS NULL;

            \(additions)
            \(view)
            \(triggers)
            """)
        // An entry is an event and a correction is none, so the last event of a location may be an earlier one now.
        try ProjectionTables.replaceStored(db, by: Replay(db))
    }

    static func migrateFrom10(_ db: Connection) throws {
        try db.execute(additions)
        try ProjectionTables.replaceStored(db, by: Replay(db))
    }
}
