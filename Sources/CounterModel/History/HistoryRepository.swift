/// Where `AnalyticsService` reads: one snapshot of a journal.
public protocol HistoryRepository {
    /// What goes wrong where it does.
    associatedtype Failure: Error

    /// The stretches that overlap a range, in the order of time; the first begins at `from`.
    ///
    /// - parameters:
    ///     - locationId: Whose.
    ///     - from: The start; of its minute, all of the sums are told.
    ///     - to: The end; minutes that begin at it or later are left out.
    /// - returns: At least one; none where there is no such location.
    /// - throws: `Failure`
    func stretches(of locationId: String, from: Timestamp, to: Timestamp) throws(Failure) -> [Stretch]

    /// The entries behind one minute of a stretch, in the order in which they count.
    ///
    /// - throws: `Failure`
    func steps(of locationId: String, in stretch: Stretch, minute: MinuteRollup) throws(Failure)
        -> [LevelStep]

    /// All capacities that a location has had, in the order in which they were set.
    ///
    /// - throws: `Failure`
    func capacities(of locationId: String) throws(Failure) -> [CapacityChange]

    /// From when to when anything that counts into the location was connected; in any order, overlapping or not.
    ///
    /// - throws: `Failure`
    func presence(of locationId: String, from: Timestamp, to: Timestamp) throws(Failure) -> [Range<Timestamp>]

    /// When anything was heard of the location for the first time; nil where nothing ever was.
    ///
    /// - throws: `Failure`
    func firstSign(of locationId: String) throws(Failure) -> Timestamp?

    /// What was odd about single events: missing numbers, numbers that started again, clocks that ran ahead.
    ///
    /// - throws: `Failure`
    func oddities(of locationId: String, from: Timestamp, to: Timestamp) throws(Failure) -> [Anomaly]
}
