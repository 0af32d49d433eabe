package import Linux

/// The history that `AnalyticsService` reads: one snapshot of a journal.
package protocol HistoryRepository {
    /// The error of a failed call.
    associatedtype Failure: Error

    /// The spans that overlap a range, in order of time; the first begins at `from`.
    ///
    /// - parameters:
    ///     - locationId: The id of the location.
    ///     - from: The start of the range. The sums of its minute cover the whole minute.
    ///     - to: The end of the range; minutes that begin at it or later are left out.
    /// - returns: 1 or more; empty where there is no such location.
    /// - throws: `Failure`
    func spans(of locationId: Identifier, from: Timestamp, to: Timestamp) throws(Failure) -> [HistorySpan]

    /// The entries behind one minute of a span, in the order in which they count.
    ///
    /// - throws: `Failure`
    func steps(of locationId: Identifier, in span: HistorySpan, minute: MinuteRollup) throws(Failure)
        -> [LevelStep]

    /// All capacities of a location, in the order in which they were set.
    ///
    /// - throws: `Failure`
    func capacities(of locationId: Identifier) throws(Failure) -> [CapacityChange]

    /// The times at which a device that counts into the location was connected; in any order, may overlap.
    ///
    /// - throws: `Failure`
    func presence(of locationId: Identifier, from: Timestamp, to: Timestamp) throws(Failure) -> [Range<
        Timestamp
    >]

    /// When the location had its first event or connected device; nil where never.
    ///
    /// - throws: `Failure`
    func firstSign(of locationId: Identifier) throws(Failure) -> Timestamp?

    /// The anomalies of single events: sequence gaps, restarted sequence numbers, clocks that are ahead.
    ///
    /// - throws: `Failure`
    func anomalies(of locationId: Identifier, from: Timestamp, to: Timestamp) throws(Failure) -> [Anomaly]
}
