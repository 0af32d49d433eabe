extension Schema {
    /// Version 2: settings of locations, ends of days, presence of devices, the journal's id, and the projections of
    /// history.
    static let locationsAndHistory = identity + settings + presence + derivedAnew

    /// The random id (128 bits) of this journal, which identifies its rows in other journals, together with their
    /// positions.
    private static let identity = """
        CREATE TABLE identity (id TEXT NOT NULL) STRICT;
        INSERT INTO identity VALUES (lower(hex(randomblob(16))));

        """

    /// What version 2 counted as a clock that is ahead.
    private static let wasSkewed = "timestamp > receivedAt + 300000000"
    private static let wasCountedAt = "CASE WHEN \(wasSkewed) THEN receivedAt ELSE timestamp END"

    /// A row of kind 4 sets one property of its location to `text`, from its time on. An end of a day is a reset with
    /// a snapshot. The `text` of an entry is the reason that the user gave.
    private static let settings = """
        CREATE TABLE setting (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        INSERT INTO setting VALUES (1, 'capacity'), (2, 'name'), (3, 'timezone'), (4, 'dayStart'),
            (5, 'admitsOverFull'), (6, 'isHidden');
        INSERT INTO kind VALUES (4, 'setting');

        ALTER TABLE journal ADD COLUMN setting INTEGER REFERENCES setting
            CHECK ((kind = 4) = (setting IS NOT NULL));
        ALTER TABLE journal ADD COLUMN text TEXT;
        CREATE INDEX journalSetting ON journal (locationKey, setting) WHERE kind = 4;
        CREATE INDEX journalTime ON journal (locationKey, (\(wasCountedAt))) WHERE kind <> 2;

        CREATE INDEX journalSkew ON journal (locationKey, receivedAt) WHERE \(wasSkewed);

        CREATE TABLE snapshot (
            position INTEGER PRIMARY KEY REFERENCES journal,
            begin INTEGER NOT NULL,
            totalIn INTEGER NOT NULL,
            totalOut INTEGER NOT NULL,
            peakStart INTEGER,
            peakIn INTEGER CHECK ((peakIn IS NULL) = (peakStart IS NULL)),
            highest INTEGER NOT NULL,
            average REAL
        ) STRICT;
        CREATE TRIGGER snapshotIsNeverRewritten BEFORE UPDATE ON snapshot BEGIN
            SELECT RAISE(ABORT, 'the journal is append-only: take the end of a day back with a void');
        END;
        CREATE TRIGGER snapshotIsNeverDeleted BEFORE DELETE ON snapshot BEGIN
            SELECT RAISE(ABORT, 'the journal is append-only: take the end of a day back with a void');
        END;

        """

    /// When a device was connected. While `until` is NULL, it is connected to the process that noted it, if that is
    /// still the one that started at `started` (proc_pid_stat(5), field 22).
    private static let presence = """
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
    /// An epoch is the time between two starts of a device's numbering. It has the numbers from `lowest` to
    /// `highest`, except for those in a gap.
    private static let derivedAnew = """
        DROP TABLE segment;
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

        DROP TABLE counterState;
        CREATE TABLE counterState (
            locationKey INTEGER PRIMARY KEY REFERENCES location,
            level INTEGER NOT NULL,
            lastUpdated INTEGER,
            lastEventAt INTEGER,
            latest INTEGER NOT NULL,
            position INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE rollup (
            locationKey INTEGER NOT NULL REFERENCES location,
            reset INTEGER NOT NULL,
            minute INTEGER NOT NULL,
            ins INTEGER NOT NULL,
            outs INTEGER NOT NULL,
            manualIns INTEGER NOT NULL,
            manualOuts INTEGER NOT NULL,
            moment INTEGER NOT NULL,
            high INTEGER NOT NULL,
            low INTEGER NOT NULL,
            last INTEGER NOT NULL,
            early INTEGER NOT NULL,
            PRIMARY KEY (locationKey, reset, minute)
        ) STRICT, WITHOUT ROWID;

        DROP TABLE epoch;
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

    /// Version 4: when a location is open, whether its days end by themselves, and what it is reported with.
    static let settingsOfDays = """
        INSERT INTO setting VALUES (7, 'openingHours'), (8, 'endsDaysAutomatically'), (9, 'group');
        """

    /// Version 8: the key of a location, and the count to reach there.
    static let keysAndTargets = """
        INSERT INTO setting VALUES (10, 'key'), (11, 'target');
        """

    /// Version 9: the level at the end of a day, as the journal had it that ended the day. Before, that of this journal was taken
    /// for it, `levelBefore`.
    static let finalLevels = "ALTER TABLE snapshot ADD COLUMN finalLevel INTEGER;"

    /// Version 6: whether the end of a day was automatic, and devices that are no longer listed until they are seen again.
    static let automaticEnds = """
        ALTER TABLE snapshot ADD COLUMN isAutomatic INTEGER NOT NULL DEFAULT 0 CHECK (isAutomatic IN (0, 1));
        ALTER TABLE device ADD COLUMN isForgotten INTEGER NOT NULL DEFAULT 0 CHECK (isForgotten IN (0, 1));
        """
}
