// The steps from version 3 on that are not about locations.

extension Schema {
    /// Version 3: nothing counts later than it was received, even if its clock is only slightly ahead.
    static let countedWhenReceived = """
        DROP INDEX journalTime;
        DROP INDEX journalSkew;
        CREATE INDEX journalTime ON journal (locationKey, (\(countedAt))) WHERE kind <> 2;
        CREATE INDEX journalSkew ON journal (locationKey, receivedAt) WHERE \(isSkewed);
        """

    /// When a row counts, as `Timestamp.counted(receivedAt:)` computes it.
    static let countedAt = "CASE WHEN timestamp > receivedAt THEN receivedAt ELSE timestamp END"

    /// Whether a row's clock was at least 5 minutes ahead, which is reported as an anomaly.
    static let isSkewed = "timestamp >= receivedAt + 300000000"
}

// MARK: - Corrections

extension Schema {
    /// Version 4: corrections are rows of their own, and what is counted by hand is traffic.
    ///
    /// A row of kind 5 moves the level by the difference `value`, from `levelBefore`; its `text` is the reason. Before this
    /// version a correction was a number of entries by hand, and so was everything counted by hand in a location with a
    /// capacity. Such rows stay what they were: `correctionsUntil` is the last position at which an entry by hand is a
    /// correction, 0 where none is.
    ///
    /// `keysReadBy` is the user whose program read the keys of an input device last.
    static let corrections = """
        INSERT INTO kind VALUES (5, 'correction');

        ALTER TABLE location ADD COLUMN correctionsUntil INTEGER NOT NULL DEFAULT 0;
        UPDATE location SET correctionsUntil = (SELECT coalesce(max(position), 0) FROM journal)
            WHERE (SELECT text FROM journal WHERE kind = 4 AND locationKey = location.key AND setting = 1
                ORDER BY position DESC LIMIT 1) IS NOT NULL;

        ALTER TABLE device ADD COLUMN keysReadBy TEXT;

        CREATE INDEX journalUser ON journal (locationKey, userId) WHERE userId IS NOT NULL AND kind <> 2;

        ALTER TABLE rollup RENAME COLUMN manualIns TO correctedUp;
        ALTER TABLE rollup RENAME COLUMN manualOuts TO correctedDown;
        """

    /// Whether a row of the table `journal` is a correction: of kind 5, or an entry by hand of an earlier version.
    static let isCorrection = """
        (journal.kind = 5 OR journal.source = 2 AND journal.position <=
            (SELECT correctionsUntil FROM location WHERE location.key = journal.locationKey))
        """

    /// By how much a row of kind 1 or 5 moves the level.
    static let difference = "coalesce(journal.delta, journal.value)"
}

// MARK: - Timers

extension Schema {
    /// Version 7: timers and presets. The `text` of a row of kind 6 says what happened to one, as `TimerRowContent` writes it.
    static let timerEvents = """
        INSERT INTO kind VALUES (6, 'timerEvent');
        CREATE INDEX journalTimer ON journal (position) WHERE kind = 6;
        """
}
