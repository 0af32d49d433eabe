import CounterModel
import CounterTUI
import Reports

/// Which range of a location's history is looked at: one that was chosen, which goes on with time, or one before it.
struct HistoryChoice {
    private let selection: HistorySelection
    /// Where somebody has moved to since.
    private var neighbour: HistoryRange?

    init(_ selection: HistorySelection = .today) { self.selection = selection }

    /// The range at a time.
    ///
    /// - Throws: `HistoryRangeError`, `Failure` (64) for a range that is too long.
    func span(of location: Location, now: Timestamp) throws -> LocationSpan {
        if let neighbour { return LocationSpan(location, neighbour) }
        return try LocationSpan(location, selection, now: now)
    }

    /// Moves to the range right before one or after it; not into the future.
    ///
    /// - Returns: Whether there is one.
    mutating func move(_ step: HistoryIntent.Step, from span: LocationSpan, now: Timestamp) -> Bool {
        let calendar = span.calendarBeyond()
        let range =
            switch step {
            case .before: span.range.previous(in: calendar)
            case .after: span.range.next(in: calendar)
            }
        guard range.start < now else { return false }
        // Back at the beginning it goes on with time again.
        let chosen = try? selection.range(in: calendar, now: now)
        neighbour = range == chosen ? nil : range
        return true
    }

    /// Goes back to the range that was chosen.
    mutating func leaveNeighbours() { neighbour = nil }
}

extension LocationSpan {
    /// The days of this range, of the one before and the one after.
    fileprivate func calendarBeyond() -> OperationalCalendar {
        let length = range.end.seconds - range.start.seconds
        let first = Timestamp(seconds: range.start.seconds - length)
        return location.calendar(for: first...Timestamp(seconds: range.end.seconds + length))
    }
}
