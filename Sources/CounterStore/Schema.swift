import SQL

/// The tables of a journal, and the migration from each version of them to the next.
///
/// `PRAGMA user_version` is the number of steps that a file has been through. It is in the first bytes of the file,
/// so a file of a newer program is recognised before anything is written.
enum Schema {
    /// "CNTR" in ASCII: the `PRAGMA application_id` of every journal.
    static let applicationId: Int32 = 0x434E_5452

    /// The version this program reads and writes.
    static var version: Int { steps.count }

    static let steps = [
        journalAndState, locationsAndHistory, countedWhenReceived, corrections, settingsOfDays, automaticEnds,
        timerEvents, keysAndTargets, finalLevels,
    ]

    /// Migrates a database from its version to the present one, in one transaction. A new one gets the location
    /// `default`, with `timezone`.
    static func migrate(_ db: Connection, timezone: String) throws {
        try db.transaction(.writing) {
            // Read again: another program may have migrated it while this one waited for the lock.
            let found = Int(try db.statement("PRAGMA user_version").integer() ?? 0)
            for step in steps.dropFirst(found) {
                try db.execute(step)
            }
            if found == 0 {
                try db.execute("PRAGMA application_id = \(applicationId)")
                try LocationTable.insert(db, id: "default", name: "default", timezone: timezone)
            } else if found < version {
                try ProjectionTables.replaceStored(db, by: Replay(db))
            }
            if found < version {
                try db.execute("PRAGMA user_version = \(version)")
            }
        }
    }

    /// The triggers that keep the journal append-only.
    static let triggers = [
        "journalOnlyGrows", "journalIsNeverDeleted", "journalIsNeverRewritten", "snapshotIsNeverDeleted",
        "snapshotIsNeverRewritten",
    ]
}

extension Schema {
    /// Version 1.
    private static let journalAndState = names + journal + derived

    /// The tables that rows of the journal refer to. Small keys keep the rows small. Closed sets of words are tables
    /// too, so that a later version adds a word without copying the journal.
    private static let names = """
        CREATE TABLE location (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            timezone TEXT NOT NULL
        ) STRICT;

        CREATE TABLE device (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            locationKey INTEGER REFERENCES location,
            lastSeenAt INTEGER,
            isActive INTEGER NOT NULL CHECK (isActive IN (0, 1))
        ) STRICT;

        CREATE TABLE file (key INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE) STRICT;

        CREATE TABLE kind (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        INSERT INTO kind VALUES (1, 'entry'), (2, 'void'), (3, 'reset');

        CREATE TABLE source (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        INSERT INTO source VALUES (1, 'hardware'), (2, 'manual'), (3, 'import');

        """

    /// The journal, from which all else is derived. `lateAfter` is set if a row counts elsewhere than at its
    /// position: it is the position of the reset in whose segment the row counts, 0 for the segment before the first
    /// reset. `target` is the row that a void takes back. Times are microseconds since 1970-01-01 UTC.
    private static let journal = """
        CREATE TABLE journal (
            position INTEGER PRIMARY KEY CHECK (position > 0),
            kind INTEGER NOT NULL REFERENCES kind,
            locationKey INTEGER NOT NULL REFERENCES location,
            deviceKey INTEGER REFERENCES device,
            userId TEXT,
            timestamp INTEGER NOT NULL,
            receivedAt INTEGER NOT NULL,
            lateAfter INTEGER CHECK (lateAfter BETWEEN 0 AND position - 1),
            delta INTEGER CHECK (delta IN (1, -1)),
            source INTEGER REFERENCES source,
            continuesHold INTEGER CHECK (continuesHold IN (0, 1)),
            sequenceNumber INTEGER,
            epoch INTEGER CHECK (epoch >= 0),
            fileKey INTEGER REFERENCES file,
            line INTEGER,
            value INTEGER,
            levelBefore INTEGER,
            target INTEGER REFERENCES journal CHECK (target < position),
            CHECK ((kind = 1) = (delta IS NOT NULL)),
            CHECK (kind <> 1 OR (deviceKey IS NOT NULL AND source IS NOT NULL AND continuesHold IS NOT NULL)),
            CHECK ((kind = 2) = (target IS NOT NULL)),
            CHECK (kind <> 3 OR (value IS NOT NULL AND levelBefore IS NOT NULL AND lateAfter IS NULL)),
            CHECK ((sequenceNumber IS NULL) = (epoch IS NULL)),
            CHECK ((fileKey IS NULL) = (line IS NULL))
        ) STRICT;

        CREATE UNIQUE INDEX journalTarget ON journal (target) WHERE target IS NOT NULL;
        CREATE UNIQUE INDEX journalSequence ON journal (deviceKey, sequenceNumber, epoch)
            WHERE sequenceNumber IS NOT NULL;
        CREATE UNIQUE INDEX journalLine ON journal (fileKey, line) WHERE fileKey IS NOT NULL;
        CREATE INDEX journalLate ON journal (locationKey, lateAfter) WHERE lateAfter IS NOT NULL;
        CREATE INDEX journalReset ON journal (locationKey) WHERE kind = 3;

        CREATE TRIGGER journalIsNeverRewritten BEFORE UPDATE ON journal BEGIN
            SELECT RAISE(ABORT, 'the journal is append-only: take a row back with a void, never by UPDATE');
        END;
        CREATE TRIGGER journalIsNeverDeleted BEFORE DELETE ON journal BEGIN
            SELECT RAISE(ABORT, 'the journal is append-only: take a row back with a void, never by DELETE');
        END;
        CREATE TRIGGER journalOnlyGrows BEFORE INSERT ON journal
        WHEN NEW.position <= (SELECT max(position) FROM journal) BEGIN
            SELECT RAISE(ABORT, 'the journal is append-only: a position must be above all others');
        END;

        """

    /// The projections of version 1, shortened; version 2 makes them again.
    private static let derived = """
        CREATE TABLE segment (locationKey INTEGER, reset INTEGER, time INTEGER, fileKey INTEGER, start INTEGER,
            sum INTEGER, PRIMARY KEY (locationKey, reset)) STRICT, WITHOUT ROWID;
        CREATE TABLE counterState (locationKey INTEGER PRIMARY KEY, level INTEGER, lastUpdated INTEGER,
            lastEventAt INTEGER, position INTEGER) STRICT;
        CREATE TABLE epoch (deviceKey INTEGER, epoch INTEGER, openedBy INTEGER, PRIMARY KEY (deviceKey, epoch))
            STRICT, WITHOUT ROWID;

        """
}
