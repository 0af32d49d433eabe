package import CounterModel
import Linux

/// The selected range of a location's history: a named or typed one, which moves on with time, or an earlier neighbour of it.
package struct HistoryChoice {
    package enum Step: Hashable, Sendable {
        case before, after
    }

    private let selection: HistorySelection
    private let unit: HistoryUnit?
    /// The neighbouring range that the user has moved to.
    private var neighbour: Range<Timestamp>?

    /// A choice that moves on with time; without a `unit` its bars have the one that suits the range.
    package init(_ selection: HistorySelection = .today, by unit: HistoryUnit? = nil) {
        (self.selection, self.unit) = (selection, unit)
    }

    /// Reads a choice as it is typed: a range as in `HistorySelection`, and the unit of its bars, if any: `7d by hour`.
    package init(typed text: String) throws(HistoryRangeError) {
        let words = text.split(separator: " ")
        guard words.count > 2, words[words.count - 2] == "by" else {
            self.init(try HistorySelection(text))
            return
        }
        guard let unit = HistoryUnit(rawValue: String(words[words.count - 1])) else {
            throw HistoryRangeError(
                "'\(words[words.count - 1])' is not a unit",
                remedy: "The units are minute, hour, day and week.")
        }
        self.init(try HistorySelection(words.dropLast(2).joined(separator: " ")), by: unit)
    }

    /// - Throws: `HistoryRangeError`, `ProgramError` (64) for a range that is too long.
    package func span(of location: Location, now: Timestamp) throws -> LocationSpan {
        if let neighbour { return LocationSpan(location, neighbour, by: unit) }
        return try LocationSpan(location, selection, by: unit, now: now)
    }

    /// Moves to the preceding or following range, but not into the future; false where there is none.
    package mutating func move(_ step: Step, from span: LocationSpan, now: Timestamp) -> Bool {
        let (start, end, length) = (span.range.start, span.range.end, span.range.duration)
        let calendar = span.location.calendar(for: start - length...end + length)
        let range =
            switch step {
            case .before: span.range.previous(in: calendar)
            case .after: span.range.next(in: calendar)
            }
        guard range.start < now else { return false }
        // Back at the chosen range, it moves on with time again. One that cannot be made is no range to be back at.
        let chosen = try? selection.range(in: calendar, now: now)
        neighbour = range == chosen ? nil : range
        return true
    }

    package mutating func leaveNeighbours() { neighbour = nil }
}
