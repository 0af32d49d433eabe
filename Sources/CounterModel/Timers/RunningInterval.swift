/// A stretch of wall-clock time in which a timer ran.
package struct RunningInterval: Hashable, Sendable {
    /// When it began.
    package let from: Timestamp
    /// In microseconds; 0 or more.
    let length: Int64
    /// How long the timer had run before, in microseconds.
    let elapsed: Int64
    /// The last setting of the clock before it; `.start` where none is known.
    let after: Position
    /// The settings of the clock after it that let its times come again.
    var repeatedBy: [ClockSetting] = []

    /// When it ended. This moment is not in it.
    package var to: Timestamp { from + length }
}

/// The wall clock was set, before a row of the journal.
package struct ClockSetting: Hashable, Sendable {
    /// The position of that row.
    package let position: Position
    /// The earliest time by the new clock.
    package let begin: Timestamp
}

/// A stretch in which a timer counted.
///
/// An entry is in it if it counts at one of its times and no other moment had the same time. After a clock was set back, times
/// come again: then the order of the journal decides, which no clock changes. Of the entries with a repeated time, those before
/// the row of the setting are of the first moment, those behind it of the second. So an entry is in one window of a timer at
/// most, and what was counted before a start is never in it. The order says nothing of rows that were taken over from another
/// journal, or from a file: for these the time alone decides.
package struct TimerWindow: Hashable, Sendable {
    /// Of which round, from 1.
    package let round: Int
    /// When it began.
    package let from: Timestamp
    /// When it ended. This moment is not in it.
    package let to: Timestamp
    /// The journal whose order decides, as in `TimerRow`.
    package let journal: Int64?
    /// The last setting of the clock before it.
    package let after: Position
    let repeatedBy: [ClockSetting]

    /// A part of a window whose entries are between two rows; nil for the journal's end.
    package struct Part: Hashable, Sendable {
        /// When it begins, and the first moment after it.
        package let from: Timestamp, to: Timestamp
        /// The row before its entries, and the one after them.
        package let after: Position, before: Position?
    }

    /// The window as parts without a gap.
    package var parts: [Part] {
        var (begin, before, parts) = (from, nil as Position?, [] as [Part])
        for setting in repeatedBy.sorted(by: { $0.begin < $1.begin }) where setting.begin < to {
            if begin < setting.begin {
                parts.append(Part(from: begin, to: setting.begin, after: after, before: before))
                begin = setting.begin
            }
            before = min(before ?? setting.position, setting.position)
        }
        return parts + [Part(from: begin, to: to, after: after, before: before)]
    }
}

extension Timestamp {
    /// The time so many microseconds later.
    package static func + (time: Timestamp, microseconds: Int64) -> Timestamp {
        let (sum, overflow) = time.microseconds.addingReportingOverflow(microseconds)
        return Timestamp(microseconds: overflow ? (microseconds < 0 ? .min : .max) : sum)
    }

    /// Microseconds from another time to this one.
    package static func - (time: Timestamp, other: Timestamp) -> Int64 {
        let (difference, overflow) = time.microseconds.subtractingReportingOverflow(other.microseconds)
        return overflow ? (time < other ? .min : .max) : difference
    }
}
