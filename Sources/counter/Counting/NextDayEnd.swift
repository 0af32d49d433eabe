import CounterModel
import System
import Zones

/// When the next day of a location starts whose days end by themselves.
struct NextDayEnd {
    /// By this machine's clock; nil where no location's days end by themselves.
    private let time: Timestamp?
    /// The same moment, for the timer. It may be off if the clock is set or the machine sleeps.
    let deadline: MonotonicTime?

    /// The first of the locations' next days.
    init(of locations: [Location]) {
        let now = WallClock().now
        time = locations.filter(\.endsDaysAutomatically)
            .map { $0.calendar(about: now).day(containing: now).end }.min()
        deadline = time.map { .now + .microseconds($0.microseconds - now.microseconds) }
    }

    /// Whether that day has started.
    func isOver(at moment: MonotonicTime) -> Bool {
        guard let time, let deadline else { return false }
        return moment >= deadline || WallClock().now >= time
    }
}
