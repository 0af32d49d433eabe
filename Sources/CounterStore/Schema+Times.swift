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
