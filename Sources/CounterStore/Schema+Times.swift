extension Schema {
    /// Version 3: nothing counts later than it was received, however little a clock is ahead.
    static let countedWhenReceived = """
        DROP INDEX journalTime;
        DROP INDEX journalSkew;
        CREATE INDEX journalTime ON journal (locationKey, (\(countedAt))) WHERE kind <> 2;
        CREATE INDEX journalSkew ON journal (locationKey, receivedAt) WHERE \(isSkewed);
        """

    /// When a row counts: what `Timestamp.counted(receivedAt:)` says.
    static let countedAt = "CASE WHEN timestamp > receivedAt THEN receivedAt ELSE timestamp END"

    /// Whether a row came with a time so far ahead, 5 minutes, that somebody should look at the clock.
    static let isSkewed = "timestamp >= receivedAt + 300000000"
}
