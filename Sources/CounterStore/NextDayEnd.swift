package import CounterModel
package import Linux

/// Ends the days that end by themselves, each when the next one starts. Where that fails, it is tried again soon.
package struct NextDayEnd {
    /// Between two tries; it doubles from one to the next, up to the longest.
    private static let firstPause = Duration.seconds(1), longestPause = Duration.seconds(60)

    /// When the next day starts, by this machine's clock; nil where no location's days end by themselves, and while an end that
    /// has failed is tried again.
    package var time: Timestamp? { retryAt == nil ? next : nil }
    /// When an end that has failed is tried again; nil where none has.
    package private(set) var retryAt: MonotonicTime?
    private var next: Timestamp?
    private var pause = firstPause
    private var error: JournalError?

    /// Waits for the first of the locations' next days.
    package init(of locations: [Location], now: Timestamp) { follow(locations, now: now) }

    /// The locations or the clock have changed. An end that has failed is still tried again.
    package mutating func follow(_ locations: [Location], now: Timestamp) {
        next = locations.filter(\.endsDaysAutomatically)
            .map { $0.calendar(about: now).day(containing: now).end }.min()
    }

    /// Ends the days that are over, if one is.
    ///
    /// - parameters:
    ///     - journal: The journal.
    ///     - locations: Its locations.
    ///     - now: The time of this machine's clock.
    ///     - moment: The same moment, for the tries.
    /// - returns: A receipt for each end.
    /// - throws: `JournalError`, each reason once. A journal that another program has locked is none.
    package mutating func end(
        in journal: SQLiteJournal, _ locations: [Location], now: Timestamp, at moment: MonotonicTime
    ) throws(JournalError) -> [Receipt] {
        guard retryAt.map({ $0 <= moment }) ?? next.map({ $0 <= now }) ?? false else { return [] }
        do throws(JournalError) {
            let receipts = try journal.endDueDays(now: now)
            (retryAt, pause, error) = (nil, Self.firstPause, nil)
            follow(locations, now: now)
            return receipts
        } catch {
            retryAt = moment + pause
            pause = min(pause + pause, Self.longestPause)
            defer { self.error = error }
            if error.reason == .busy || error == self.error { return [] }
            throw error
        }
    }
}
