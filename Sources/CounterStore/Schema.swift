import CounterModel
import SQL

/// The tables of a journal.
///
/// `PRAGMA user_version` is the version of the schema. It is in the first bytes of the file, so a file of another version is
/// recognised before anything is written.
enum Schema {
    /// "CNTR" in ASCII: the `PRAGMA application_id` of every journal.
    static let applicationId: Int32 = 0x434E_5452

    /// The version this program reads and writes.
    static let version = 11

    /// The oldest version that it migrates. `counter` 0.2.0 migrates those before it.
    static let oldest = 9

    /// Makes the tables of a new database, or migrates those of an older version, in one transaction. A new one gets the location
    /// `default`, with `timezone`.
    static func migrate(_ db: Connection, timezone: String) throws {
        try db.transaction(.writing) {
            // Read again: another program may have migrated it while this one waited for the lock.
            switch Int(try db.statement("PRAGMA user_version").integer() ?? 0) {
            case 0:
                try db.execute(tables + triggers + view)
                try db.execute("PRAGMA application_id = \(applicationId)")
                try LocationTable.insert(db, id: "default", name: "default", timezone: timezone)
            case 9: try migrateFrom9(db)
            case 10: try migrateFrom10(db)
            default: return
            }
            try db.execute("PRAGMA user_version = \(version)")
        }
    }

    static let triggerNames = [
        "journalOnlyGrows", "journalIsNeverDeleted", "journalIsNeverRewritten", "snapshotIsNeverDeleted",
        "snapshotIsNeverRewritten",
    ]
}

extension Schema {
    private static let tables = names + journal + beside + projections

    /// Closed sets of words are tables too, so that a later version adds a word without copying the journal.
    private static func words(_ table: String, _ words: [(key: Int64, name: String)]) -> String {
        let values = words.sorted { $0.key < $1.key }.map { "(\($0.key), '\($0.name)')" }
        return """
            CREATE TABLE \(table) (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
            INSERT INTO \(table) VALUES \(values.joined(separator: ", "));

            """
    }

    /// The tables that rows of the journal refer to. Small keys keep the rows small. A device that is forgotten is no longer listed
    /// until it is seen again; `keysReadBy` is the user whose program read the keys of an input device last.
    private static let names =
        """
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
            isActive INTEGER NOT NULL CHECK (isActive IN (0, 1)),
            keysReadBy TEXT,
            isForgotten INTEGER NOT NULL DEFAULT 0 CHECK (isForgotten IN (0, 1))
        ) STRICT;

        CREATE TABLE file (key INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE) STRICT;

        """ + words("kind", RowKind.allCases.map { ($0.rawValue, $0.name) })
        + words("source", EventSource.allCases.map { ($0.key, $0.rawValue) })
        + words("setting", LocationProperty.all.sorted { $0.key < $1.key }.map { ($0.key, $0.name) })

    /// The journal, from which all else is derived. Times are microseconds since 1970-01-01 UTC.
    ///
    /// `lateAfter` is set if a row counts elsewhere than at its position: it is the position of the reset in whose segment the row
    /// counts, 0 for the segment before the first reset. `target` is the row that a void takes back. A correction moves the level
    /// by `value`, a reset sets it to `value`. A setting sets one property of its location to `text`, from its time on; the `text`
    /// of an entry or a correction is the reason that the user gave, and that of a timer's row says what happened to it
    /// (`TimerRowContent`). The end of a day is a reset with a snapshot; that of a day of a file is a correction with one
    /// (`FileDay`). A row that a redo has appended names in `redoes` the one that was there first.
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
            setting INTEGER REFERENCES setting CHECK ((kind = \(RowKind.setting)) = (setting IS NOT NULL)),
            text TEXT,
            \(redoes),
            CHECK ((kind = \(RowKind.entry)) = (delta IS NOT NULL)),
            CHECK (kind <> \(RowKind.entry)
                OR (deviceKey IS NOT NULL AND source IS NOT NULL AND continuesHold IS NOT NULL)),
            CHECK ((kind = \(RowKind.void)) = (target IS NOT NULL)),
            CHECK (kind <> \(RowKind.reset)
                OR (value IS NOT NULL AND levelBefore IS NOT NULL AND lateAfter IS NULL)),
            CHECK ((sequenceNumber IS NULL) = (epoch IS NULL)),
            CHECK ((fileKey IS NULL) = (line IS NULL))
        ) STRICT;

        CREATE UNIQUE INDEX journalTarget ON journal (target) WHERE target IS NOT NULL;
        CREATE UNIQUE INDEX journalSequence ON journal (deviceKey, sequenceNumber, epoch)
            WHERE sequenceNumber IS NOT NULL;
        CREATE UNIQUE INDEX journalLine ON journal (fileKey, line) WHERE fileKey IS NOT NULL;
        CREATE INDEX journalLate ON journal (locationKey, lateAfter) WHERE lateAfter IS NOT NULL;
        CREATE INDEX journalReset ON journal (locationKey) WHERE kind = \(RowKind.reset);
        CREATE INDEX journalSetting ON journal (locationKey, setting) WHERE kind = \(RowKind.setting);
        CREATE INDEX journalTime ON journal (locationKey, (\(countedAt))) WHERE kind <> \(RowKind.void);
        CREATE INDEX journalSkew ON journal (locationKey, receivedAt) WHERE \(isSkewed);
        CREATE INDEX journalUser ON journal (locationKey, userId)
            WHERE userId IS NOT NULL AND kind <> \(RowKind.void);
        CREATE INDEX journalTimer ON journal (position) WHERE kind = \(RowKind.timerEvent);
        \(redoIndex)

        CREATE TABLE snapshot (
            position INTEGER PRIMARY KEY REFERENCES journal,
            begin INTEGER NOT NULL,
            totalIn INTEGER NOT NULL,
            totalOut INTEGER NOT NULL,
            peakStart INTEGER,
            peakIn INTEGER CHECK ((peakIn IS NULL) = (peakStart IS NULL)),
            highest INTEGER NOT NULL,
            average REAL,
            isAutomatic INTEGER NOT NULL DEFAULT 0 CHECK (isAutomatic IN (0, 1)),
            finalLevel INTEGER
        ) STRICT;

        """

    private static let redoes = "redoes INTEGER REFERENCES journal CHECK (redoes < position)"
    private static let redoIndex = "CREATE INDEX journalRedo ON journal (redoes) WHERE redoes IS NOT NULL;"
    /// What version 10 lacks.
    static let additions = """
        ALTER TABLE journal ADD COLUMN \(redoes);
        \(redoIndex)
        ALTER TABLE counterState ADD COLUMN firstEventAt INTEGER;
        """

    /// When a row counts, as `Timestamp.counted(receivedAt:)` computes it.
    private static let countedAt = "CASE WHEN timestamp > receivedAt THEN receivedAt ELSE timestamp END"

    /// Whether a row's clock was at least 5 minutes ahead, which is reported as an anomaly.
    static let isSkewed = "timestamp >= receivedAt + 300000000"

    static let triggers = """
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
        CREATE TRIGGER snapshotIsNeverRewritten BEFORE UPDATE ON snapshot BEGIN
            SELECT RAISE(ABORT, 'the journal is append-only: take the end of a day back with a void');
        END;
        CREATE TRIGGER snapshotIsNeverDeleted BEFORE DELETE ON snapshot BEGIN
            SELECT RAISE(ABORT, 'the journal is append-only: take the end of a day back with a void');
        END;

        """

    /// The rows of the journal with what follows from others: when each counts, by how much it moves the level, and the position of
    /// the void that takes it back, NULL where none does. SQLite replaces the view by its table, so that what a statement does not
    /// name costs nothing, and the indexes are used.
    static let view = """
        CREATE VIEW journalRow AS SELECT *, \(countedAt) AS countedAt, coalesce(delta, value) AS difference,
            (SELECT void.position FROM journal AS void WHERE void.target = journal.position) AS voidedBy
        FROM journal;

        """

    /// What no row of the journal says: the random id (128 bits) that identifies its rows in other journals, together with their
    /// positions, and when which device was connected. While `until` is NULL, it is connected to the process that noted it, if that
    /// is still the one that started at `started` (proc_pid_stat(5), field 22).
    private static let beside = """
        CREATE TABLE identity (id TEXT NOT NULL) STRICT;
        INSERT INTO identity VALUES (lower(hex(randomblob(16))));

        CREATE TABLE presence (
            deviceKey INTEGER NOT NULL REFERENCES device,
            locationKey INTEGER NOT NULL REFERENCES location,
            since INTEGER NOT NULL,
            until INTEGER,
            process INTEGER NOT NULL,
            started INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX presenceAt ON presence (locationKey, since);
        CREATE INDEX presenceOf ON presence (deviceKey, since);
        CREATE INDEX presenceOpen ON presence (process) WHERE until IS NULL;

        """

    /// The projections, which `rebuild` can compute again from the journal.
    ///
    /// A segment is the part of a location's rows between two resets that are not void. Its level begins at `start`,
    /// and `sum` is what its entries add. The location's first segment has the reset 0; `time` is when the reset
    /// counts. `begin` is the latest time of the location up to the reset, and entries of the segment count no
    /// earlier: so segments follow each other in time whatever the clocks did. The columns of a rollup are those of
    /// `MinuteRollup`.
    ///
    /// `firstEventAt` of a location is when its first event counts that is not from a file.
    ///
    /// An epoch is the time between two starts of a device's numbering. It has the numbers from `lowest` to
    /// `highest`, except for those in a gap.
    private static let projections = """
        CREATE TABLE segment (
            locationKey INTEGER NOT NULL REFERENCES location,
            reset INTEGER NOT NULL,
            time INTEGER NOT NULL,
            begin INTEGER NOT NULL,
            fileKey INTEGER,
            start INTEGER NOT NULL,
            sum INTEGER NOT NULL,
            PRIMARY KEY (locationKey, reset)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE counterState (
            locationKey INTEGER PRIMARY KEY REFERENCES location,
            level INTEGER NOT NULL,
            lastUpdated INTEGER,
            lastEventAt INTEGER,
            latest INTEGER NOT NULL,
            position INTEGER NOT NULL,
            firstEventAt INTEGER
        ) STRICT;

        CREATE TABLE rollup (
            \(MinuteTable.columns.map { "\($0) INTEGER NOT NULL" }.joined(separator: ", ")),
            PRIMARY KEY (\(MinuteTable.columns.prefix(3).joined(separator: ", ")))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE epoch (
            deviceKey INTEGER NOT NULL REFERENCES device,
            epoch INTEGER NOT NULL,
            openedBy INTEGER NOT NULL,
            lowest INTEGER NOT NULL,
            highest INTEGER NOT NULL,
            PRIMARY KEY (deviceKey, epoch)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE gap (
            deviceKey INTEGER NOT NULL REFERENCES device,
            epoch INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            noticedBy INTEGER NOT NULL,
            PRIMARY KEY (deviceKey, epoch, first)
        ) STRICT, WITHOUT ROWID;

        """
}
