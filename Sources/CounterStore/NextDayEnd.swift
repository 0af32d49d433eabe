public import CounterModel
public import System
import Zones

/// When the next day of a location starts whose days end by themselves.
public struct NextDayEnd {
    /// By this machine's clock; nil where no location's days end by themselves.
    private let time: Timestamp?
    /// The same moment, for the timer. It may be off if the clock is set or the machine sleeps.
    public let deadline: MonotonicTime?

    /// The first of the locations' next days.
    ///
    /// - parameters:
    ///     - locations: The locations.
    ///     - now: The time of this machine's clock.
    public init(of locations: [Location], now: Timestamp) {
        time = locations.filter(\.endsDaysAutomatically)
            .map { $0.calendar(about: now).day(containing: now).end }.min()
        deadline = time.map { .now + .microseconds($0.microseconds - now.microseconds) }
    }

    /// Whether that day has started, at a moment that is `now` by this machine's clock.
    public func isOver(at moment: MonotonicTime, now: @autoclosure () -> Timestamp) -> Bool {
        guard let time, let deadline else { return false }
        return moment >= deadline || now() >= time
    }
}
