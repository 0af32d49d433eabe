import CounterModel
import Linux
import SQL

/// The tables of a journal.
///
/// `PRAGMA user_version` is the version of the schema. It is in the first bytes of the file, so a file of another version is
/// recognised before anything is written.
enum Schema {
    /// "CNTR" in ASCII: the `PRAGMA application_id` of every journal.
    static let applicationId: Int32 = 0x434E_5452

    static let version = 16

    /// The oldest version that it migrates. `counter` 0.2.0 migrates those before it.
    static let oldest = 9

    /// Makes the tables of a new database, or migrates those of an older version, in one transaction. A new one gets the location
    /// `default`, and a row that adds it where `timezone` is not UTC.
    static func migrate(_ db: Connection, timezone: String, now: Timestamp) throws {
        // A table that others refer to is made anew, and in a transaction this has no effect.
        try db.execute("PRAGMA foreign_keys = OFF")
        defer { try? db.execute("PRAGMA foreign_keys = ON") }
        try db.transaction(.writing) {
            // Read again: another program may have migrated it while this one waited for the lock.
            let found = Int(try db.statement("PRAGMA user_version").integer() ?? 0)
            switch found {
            case 0:
                try db.execute(tables + triggers + view)
                try db.execute("PRAGMA application_id = \(applicationId)")
                try LocationTable.insert(db, id: Location.defaultId)
                guard timezone != "UTC" else { break }
                let added = RowContent.location(name: "default", timezone: timezone)
                try define(db, Request(locationId: Location.defaultId, timestamp: now, added))
            case oldest..<version:
                // What follows asks which journal a row is of.
                if found < 15 { try migrateFrom14(db) }
                if found < 10 { try migrateFrom9(db) }
                // A row may be appended again by a redo.
                if found < 11 { try db.execute("ALTER TABLE journal ADD COLUMN redoes INTEGER") }
                if found < 12 { try migrateFrom11(db) }
                if found < 13 {
                    try migrateFrom12(db, now: now)
                } else if found < 14 {
                    // Rows of kind `clock` move the times of others.
                    try makeAnew(db)
                } else {
                    try migrateFrom15(db)
                }
            default: return
            }
            try db.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Appends a row that says what a location or a device is.
    static func define(_ db: Connection, _ request: Request) throws {
        _ = try AppendTransaction(db, receivedAt: request.row.timestamp).answer(request)
    }
}

extension Schema {
    private static let tables = names + journal + beside + projections

    /// Closed sets of words are tables too, so that a later version adds a word without copying the journal.
    static func words(_ table: String, _ words: [(key: Int64, name: String)], isNew: Bool = true) -> String {
        let values = words.sorted { $0.key < $1.key }.map { "(\($0.key), '\($0.name)')" }
        let creation = "CREATE TABLE \(table) (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;"
        return """
            \(isNew ? creation : "")
            INSERT OR IGNORE INTO \(table) VALUES \(values.joined(separator: ", "));

            """
    }

    /// The tables that rows of the journal refer to. Small keys keep the rows small. What a device is called, where it counts and whether it
    /// does is in the rows of kind `device`; beside them are the signs of its life, and `keysReadBy`, which is the user whose program read the keys of an input device last.
    private static let names =
        """
        CREATE TABLE location (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE
        ) STRICT;

        CREATE TABLE device (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            lastSeenAt INTEGER,
            keysReadBy TEXT
        ) STRICT;

        CREATE TABLE file (key INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE) STRICT;

        """ + words("kind", RowKind.allCases.map { ($0.rawValue, $0.name) })
        + words("source", EventSource.allCases.map { ($0.key, $0.rawValue) })
        + words("setting", settings)

    /// A device has a name too.
    static let settings =
        LocationProperty.all.map { ($0.key, $0.name) }
        + DeviceSetting.all.dropFirst().map { ($0.key, $0.word) }

    /// The journal, from which all else is derived. Times are microseconds since 1970-01-01 UTC.
    ///
    /// Rows count in the order of `orderedAt`, their journals and their positions there (`place`), whenever they came. `isLate` is set
    /// where that is not after all rows of lower positions, so that the others can be read in order without being sorted. Rows of kind
    /// `clock` move all times of others by `movedBy`, to `latestAt` at the latest (`ClockTable`); both are NULL where none does. `target` is the row that a void takes back. A correction moves the level
    /// by `value`, a reset sets it to `value`. A setting sets one property of its location to `text`, from its time on; the `text`
    /// of an entry or a correction is the reason that the user gave, and that of a timer's row says what happened to it
    /// (`TimerRowContent`). The end of a day is a reset with a snapshot; that of a day of a file is a correction with one
    /// (`FileDay`). A location is added with the `text` of `LocationTable.text`; a setting of a device is as one of a location, and where it
    /// counts is `locationKey`; the `text` of a row of kind `journal` is the name of the journal that wrote it;
    /// the `text` of a reading is an adapter's. A row that a redo has appended names in `redoes` the one that was there first.
    private static let journal = table + indexes + snapshot + clock

    static let table = """
        CREATE TABLE journal (
            position INTEGER PRIMARY KEY CHECK (position > 0),
            kind INTEGER NOT NULL REFERENCES kind,
            locationKey INTEGER REFERENCES location
                CHECK (locationKey IS NOT NULL OR kind IN \(RowKind.defining)),
            deviceKey INTEGER REFERENCES device,
            userId TEXT,
            timestamp INTEGER NOT NULL,
            receivedAt INTEGER NOT NULL,
            orderedAt INTEGER NOT NULL,
            isLate INTEGER CHECK (isLate = 1),
            movedBy INTEGER,
            latestAt INTEGER,
            delta INTEGER CHECK (delta IN (1, -1)),
            source INTEGER REFERENCES source,
            continuesHold INTEGER CHECK (continuesHold IN (0, 1)),
            sequenceNumber INTEGER,
            fileKey INTEGER REFERENCES file,
            line INTEGER,
            value INTEGER,
            levelBefore INTEGER,
            target INTEGER REFERENCES journal CHECK (target < position),
            setting INTEGER REFERENCES setting
                CHECK ((kind IN (\(RowKind.setting), \(RowKind.device))) = (setting IS NOT NULL)),
            text TEXT,
            redoes INTEGER REFERENCES journal CHECK (redoes < position),
            CHECK ((kind = \(RowKind.entry)) = (delta IS NOT NULL)),
            CHECK (kind <> \(RowKind.entry)
                OR (deviceKey IS NOT NULL AND source IS NOT NULL AND continuesHold IS NOT NULL)),
            CHECK ((kind = \(RowKind.void)) = (target IS NOT NULL)),
            CHECK (kind <> \(RowKind.reset) OR (value IS NOT NULL AND levelBefore IS NOT NULL)),
            CHECK ((fileKey IS NULL) = (line IS NULL)),
            CHECK (CASE WHEN movedBy IS NULL THEN latestAt IS NULL ELSE latestAt IS NOT NULL AND isLate = 1 END)
        ) STRICT;

        """

    static let readingIndex =
        "CREATE INDEX journalReading ON journal (deviceKey, position) WHERE kind = \(RowKind.reading);"

    static let indexes = """
        \(readingIndex)
        CREATE INDEX journalTarget ON journal (target) WHERE target IS NOT NULL;
        CREATE INDEX journalSequence ON journal (deviceKey, sequenceNumber) WHERE sequenceNumber IS NOT NULL;
        CREATE UNIQUE INDEX journalLine ON journal (fileKey, line) WHERE fileKey IS NOT NULL;
        CREATE INDEX journalLate ON journal ((\(orderedAt))) WHERE isLate = 1;
        CREATE INDEX journalMoved ON journal (locationKey) WHERE movedBy IS NOT NULL;
        CREATE INDEX journalDisplaced ON journal (locationKey, (\(orderedAt)))
            WHERE orderedAt > \(ownTime) + \(smallDisplacement);
        CREATE INDEX journalReset ON journal (locationKey, (\(orderedAt))) WHERE kind = \(RowKind.reset);
        CREATE INDEX journalCorrection ON journal (locationKey, (\(countedAt))) WHERE kind = \(RowKind.correction);
        CREATE INDEX journalSetting ON journal (locationKey, setting, (\(orderedAt)))
            WHERE kind = \(RowKind.setting);
        CREATE INDEX journalLocation ON journal (locationKey, orderedAt) WHERE kind = \(RowKind.location);
        CREATE INDEX journalDevice ON journal (deviceKey, orderedAt) WHERE kind = \(RowKind.device);
        CREATE INDEX journalSharing ON journal (locationKey, position) WHERE kind = \(RowKind.sharing);
        CREATE INDEX journalName ON journal (orderedAt) WHERE kind = \(RowKind.journal);
        CREATE INDEX journalTime ON journal (locationKey, (\(countedAt))) WHERE kind <> \(RowKind.void);
        CREATE INDEX journalSkew ON journal (locationKey, (\(moved("receivedAt"))))
            WHERE timestamp >= receivedAt + \(skew);
        CREATE INDEX journalUser ON journal (locationKey, userId)
            WHERE userId IS NOT NULL AND kind <> \(RowKind.void);
        CREATE INDEX journalTimer ON journal (position) WHERE kind = \(RowKind.timerEvent);
        CREATE INDEX journalRedo ON journal (redoes) WHERE redoes IS NOT NULL;

        """

    private static let snapshot = """
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

    /// A clock row of a location moves its rows at the positions `first` to `last` in the journal `journalId`: by `movedBy`, or to
    /// `latestAt` at the latest. Beside the journal: what this machine's clock was since it was started (`ClockReadings`).
    static let clock = """
        CREATE TABLE clock (
            position INTEGER PRIMARY KEY REFERENCES journal,
            journalId TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL CHECK (last >= first),
            movedBy INTEGER,
            latestAt INTEGER CHECK ((latestAt IS NULL) <> (movedBy IS NULL))
        ) STRICT;
        CREATE INDEX clockOf ON clock (journalId, last);

        CREATE TABLE clockReading (
            after INTEGER PRIMARY KEY,
            bootId TEXT NOT NULL,
            offset INTEGER NOT NULL,
            isRight INTEGER NOT NULL CHECK (isRight IN (0, 1))
        ) STRICT;

        """

    /// A time of a row of the table, after the rows of kind `clock` have moved it.
    private static func moved(_ time: String) -> String {
        "CASE WHEN movedBy IS NULL THEN \(time) ELSE min(\(time) + movedBy, latestAt) END"
    }

    /// A row's place in the order, as a column of the table `journal`. By a clock that was wrong it may have stood after what was right:
    /// once that is set, the row stands where it counts.
    static let orderedAt = """
        CASE WHEN movedBy IS NULL THEN orderedAt WHEN movedBy = 0 THEN min(orderedAt, latestAt)
            ELSE min(\(ownTime) + movedBy, latestAt) END
        """

    /// When a row counts, as `Timestamp.counted(receivedAt:)` computes it.
    private static let countedAt = moved(ownTime)

    /// When it would count by the clock that it was written with.
    private static let ownTime = "(CASE WHEN timestamp > receivedAt THEN receivedAt ELSE timestamp END)"

    /// Whether a row of the view `journalRow` counts.
    static let counts = "voidedBy IS NULL AND copyOf IS NULL"

    /// How much later than it counts a row may be ordered without being in the index of such rows, in microseconds: those of a press
    /// that counts several are.
    static let smallDisplacement = 1_000_000

    /// Whether a row of the view `journalRow` may be ordered clearly later than it counts: its journal's clock was set back before.
    /// It is told by what was written, because SQLite finds an index of a part of the table by its very condition.
    static let isDisplaced = """
        writtenOrder > (CASE WHEN writtenTime > writtenReceipt THEN writtenReceipt ELSE writtenTime END)
            + \(smallDisplacement)
        """

    /// A row's place among those with the same `orderedAt`: its journal and its position there. The name is that of the row in the
    /// statement. A statement that needs nothing else of the view `journalRow` is prepared sooner without it.
    static func place(of row: String) -> String {
        """
        coalesce((SELECT \(journalOfFile) || printf(':%019d', \(row).line) FROM file
                WHERE file.key = \(row).fileKey AND \(isJournalFile)),
            \(journalId(of: row)) || printf(':%019d', \(row).position))
        """
    }

    /// The id under which this journal has written the row at a position.
    static func journalId(of row: String) -> String {
        "(SELECT id FROM identity WHERE since <= \(row).position ORDER BY since DESC LIMIT 1)"
    }

    /// The journal of a row as a number, as a column of the table `journal`: NULL where it is written under the present id, else the
    /// key of a file, also for a row that was written here under an earlier id.
    static func journalKey(of row: String) -> String {
        """
        iif(\(row).fileKey IS NULL AND \(row).position < (SELECT max(since) FROM identity),
            (SELECT key FROM file WHERE hash = '\(ImportLine.journalPrefix)' || \(journalId(of: row))), \(row).fileKey)
        """
    }

    /// Whether a row of the table `file` stands for another journal, and the id of that.
    static let isJournalFile = "hash GLOB '\(ImportLine.journalPrefix)*'"
    static let journalOfFile = "substr(hash, \(ImportLine.journalPrefix.utf8.count + 1))"

    /// Whether a row of the table `journal` was written here; a line of a file was.
    static let isOwn = """
        (fileKey IS NULL OR fileKey NOT IN (SELECT key FROM file WHERE \(isJournalFile)))
        """

    /// How far ahead a row's clock is reported as an anomaly, in microseconds: 5 minutes.
    private static let skew = 300_000_000

    /// Whether the clock of a row of the view `journalRow` was so far ahead.
    static let isSkewed = "writtenTime >= writtenReceipt + \(skew)"

    /// What triggers refuse, each with its name and what is to be done instead.
    private static let refused: [(name: String, change: String, remedy: String)] = [
        (
            "journalOnlyGrows", "INSERT ON journal WHEN NEW.position <= (SELECT max(position) FROM journal)",
            "a position must be above all others"
        ),
        ("journalIsNeverDeleted", "DELETE ON journal", "take a row back with a void, never by DELETE"),
        (
            "journalIsNeverRewritten", "UPDATE OF \(RowTable.columns.joined(separator: ", ")) ON journal",
            "take a row back with a void, never by UPDATE"
        ),
        ("snapshotIsNeverDeleted", "DELETE ON snapshot", "take the end of a day back with a void"),
        ("snapshotIsNeverRewritten", "UPDATE ON snapshot", "take the end of a day back with a void"),
        ("clockIsNeverDeleted", "DELETE ON clock", "take a row of a clock back with a void"),
        ("clockIsNeverRewritten", "UPDATE ON clock", "take a row of a clock back with a void"),
    ]
    static let triggerNames = refused.map(\.name)
    static let triggers = refused.map { name, change, remedy in
        """
        CREATE TRIGGER \(name) BEFORE \(change) BEGIN
            SELECT RAISE(ABORT, 'the journal is append-only: \(remedy)');
        END;

        """
    }.joined()

    /// The rows of the journal with what follows from others: their times after clocks were mended, when each counts, its place among rows with the same `orderedAt`, by how
    /// much it moves the level, the position of the void that takes it or a copy of it back, and the row of which it is a copy; NULL where
    /// there is none; and the devices with what the rows say of them. SQLite replaces a view by its table, so that what a statement does not
    /// name costs nothing, and the indexes are used.
    static let view = """
        CREATE VIEW journalRow AS SELECT \(shownColumns), isLate, movedBy, latestAt, timestamp AS writtenTime,
            receivedAt AS writtenReceipt, orderedAt AS writtenOrder, \(ownTime) AS ownTime,
            \(countedAt) AS countedAt, coalesce(delta, value) AS difference,
            \(place(of: "journal")) AS place, \(journalKey(of: "journal")) AS journalKey,
            coalesce(
                (SELECT void.position FROM journal AS void WHERE void.target = journal.position
                    ORDER BY void.orderedAt LIMIT 1),
                (SELECT void.position FROM copy JOIN journal AS void ON void.target = copy.position
                    WHERE copy.first = journal.position ORDER BY void.orderedAt LIMIT 1)) AS voidedBy,
            (SELECT first FROM copy WHERE copy.position = journal.position) AS copyOf
        FROM journal;

        CREATE VIEW knownDevice AS SELECT key, id, coalesce(\(DeviceTable.last(.name(""), "text")), id) AS name,
            \(DeviceTable.last(.location, "locationKey")) AS locationKey,
            \(DeviceTable.last(.isActive(true), "text")) IS NOT 'false' AS isActive,
            lastSeenAt IS NULL AND \(DeviceTable.last(nil, "setting")) IS \(DeviceSetting.isForgotten.key) AS isForgotten,
            lastSeenAt, keysReadBy
        FROM device;

        """

    private static let shownColumns = RowTable.columns.map { column in
        switch column {
        case "timestamp", "receivedAt": "\(moved(column)) AS \(column)"
        case "orderedAt": "\(orderedAt) AS orderedAt"
        default: column
        }
    }.joined(separator: ", ")

    /// What no row of the journal says: the ids that identify its rows in other journals (`JournalIds`), and when which device was
    /// connected. While `until` is NULL, it is connected to the process that noted it, if that
    /// is still the one that started at `started` (proc_pid_stat(5), field 22).
    private static let beside =
        identity + """
            INSERT INTO identity VALUES (1, lower(hex(randomblob(16))), NULL);

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

    /// The random ids (128 bits) under which rows are written here, each from the position `since` on; `machine` is where
    /// (`JournalIds.machine`), NULL where that is not known.
    static let identity = """
        CREATE TABLE identity (
            since INTEGER PRIMARY KEY CHECK (since > 0),
            id TEXT NOT NULL UNIQUE,
            machine TEXT
        ) STRICT;

        """

    /// The projections, which `rebuild` can compute again from the journal.
    ///
    /// A segment is the part of a location's rows between two resets that count. Its level begins at `start`,
    /// and `sum` is what its entries add. The location's first segment has the reset 0. `begin` is the `orderedAt` of the
    /// reset, and entries of the segment count no earlier: so segments follow each other in time whatever the clocks did. The columns
    /// of a rollup are those of `MinuteRollup`. `latest` is the latest time of a row; `updateOrder` and `eventOrder` are the
    /// `orderedAt` of the rows that `lastUpdated` and `lastEventAt` are of.
    ///
    /// `firstEventAt` of a location is when its first event counts that is not from a file.
    ///
    /// An epoch is the time between two starts of a device's numbering. It has the numbers from `lowest` to
    /// `highest`, except for those in a gap; `last` is its last row in the order.
    ///
    /// A copy is a row that says the same as the one at `first`, which two journals have received, or done by themselves.
    static let projections = """
        CREATE TABLE segment (
            locationKey INTEGER NOT NULL REFERENCES location,
            begin INTEGER NOT NULL,
            reset INTEGER NOT NULL,
            start INTEGER NOT NULL,
            sum INTEGER NOT NULL,
            PRIMARY KEY (locationKey, begin, reset)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE counterState (
            locationKey INTEGER PRIMARY KEY REFERENCES location,
            level INTEGER NOT NULL,
            lastUpdated INTEGER,
            updateOrder INTEGER NOT NULL,
            lastEventAt INTEGER,
            eventOrder INTEGER NOT NULL,
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
            last INTEGER NOT NULL,
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

        CREATE TABLE copy (position INTEGER PRIMARY KEY, first INTEGER NOT NULL) STRICT;
        CREATE INDEX copyOf ON copy (first);

        """
}
