public import CounterModel

/// A stretch of wall-clock time in which a timer ran.
public struct RunningInterval: Hashable, Sendable {
    /// When it began.
    public let from: Timestamp
    /// In microseconds; 0 or more.
    let length: Int64
    /// How long the timer had run before, in microseconds.
    let elapsed: Int64
    /// The last setting of the clock before it; `.start` where none is known.
    let after: Position
    /// The settings of the clock after it that let its times come again.
    var repeatedBy: [ClockSetting] = []

    /// When it ended. This moment is not in it.
    public var to: Timestamp { from + length }
}

/// The wall clock was set, before a row of the journal.
public struct ClockSetting: Hashable, Sendable {
    /// The position of that row.
    public let position: Position
    /// The earliest time by the new clock.
    public let begin: Timestamp
}

/// A stretch in which a timer counted.
///
/// An entry is in it if it counts at one of its times and no other moment had the same time. After a clock was set back, times
/// come again: then the order of the journal decides, which no clock changes. Of the entries with a repeated time, those before
/// the row of the setting are of the first moment, those behind it of the second. So an entry is in one window of a timer at
/// most, and what was counted before a start is never in it. The order says nothing of rows that were taken over from another
/// journal, or from a file: for these the time alone decides.
public struct TimerWindow: Hashable, Sendable {
    /// Of which round, from 1.
    public let round: Int
    /// When it began.
    public let from: Timestamp
    /// When it ended. This moment is not in it.
    public let to: Timestamp
    /// The journal whose order decides, as in `TimerRow`.
    public let journal: Int64?
    /// The last setting of the clock before it.
    public let after: Position
    let repeatedBy: [ClockSetting]

    /// A part of a window whose entries are between two rows; nil for the journal's end.
    public struct Part: Hashable, Sendable {
        /// When it begins, and the first moment after it.
        public let from: Timestamp, to: Timestamp
        /// The row before its entries, and the one after them.
        public let after: Position, before: Position?
    }

    /// The window as parts without a gap.
    public var parts: [Part] {
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
