/// The sums over the entries of one UTC minute, for one location between two of its resets.
///
/// An entry counts at its own time, but never before the reset that precedes it in the journal.
public struct MinuteRollup: Hashable, Sendable {
    /// Microseconds in a minute.
    public static let length: Int64 = 60_000_000

    /// Minutes since 1970-01-01 00:00 UTC, rounded down.
    public let minute: Int64
    /// Entries in and out by devices and files.
    public internal(set) var ins = 0, outs = 0
    /// Entries in and out by hand.
    public internal(set) var manualIns = 0, manualOuts = 0
    /// The sum of each entry's delta times its microseconds after the start of the minute.
    public internal(set) var moment: Int64 = 0
    /// The highest and the lowest level relative to the level at the start of the minute, in order of time: 0 or more, 0 or
    /// less.
    public internal(set) var high = 0, low = 0
    /// The latest time of an entry, in microseconds since 1970-01-01 UTC.
    public internal(set) var last: Int64 = .min
    /// How many of its entries have a time before the reset that precedes them in the journal.
    public internal(set) var early = 0

    /// The minute of a time in microseconds.
    public static func minute(of time: Int64) -> Int64 {
        time >= 0 ? time / length : (time + 1) / length - 1
    }

    /// A minute without an entry.
    public init(minute: Int64) { self.minute = minute }

    /// Creates a minute from its stored values.
    public init(
        minute: Int64, ins: Int, outs: Int, manualIns: Int, manualOuts: Int, moment: Int64, high: Int,
        low: Int,
        last: Int64, early: Int
    ) {
        self.minute = minute
        self.ins = ins
        self.outs = outs
        self.manualIns = manualIns
        self.manualOuts = manualOuts
        self.moment = moment
        self.high = high
        self.low = low
        self.last = last
        self.early = early
    }

    /// The change of the level over the minute.
    public var net: Int { ins - outs + manualIns - manualOuts }

    /// Whether it has no entries.
    public var isEmpty: Bool { ins + outs + manualIns + manualOuts == 0 }

    /// When it begins, in microseconds since 1970-01-01 UTC.
    public var start: Int64 {
        let (product, overflow) = minute.multipliedReportingOverflow(by: MinuteRollup.length)
        return overflow ? .min : product
    }

    /// Its last microsecond.
    public var end: Int64 {
        let (next, overflow) = (minute + 1).multipliedReportingOverflow(by: MinuteRollup.length)
        return overflow ? .max : next - 1
    }

    /// Adds an entry. Entries are added in order of time.
    ///
    /// - parameters:
    ///     - type: In or out.
    ///     - time: When it counts, within this minute.
    ///     - isManual: Whether the entry is by hand.
    ///     - isEarly: Whether its time is before the reset that precedes it.
    /// - returns: False where the entry is earlier than the last one added. Nothing has changed then, and the caller has to
    ///   compute the minute anew.
    public mutating func add(_ type: EntryType, at time: Int64, isManual: Bool, isEarly: Bool) -> Bool {
        guard time >= last else { return false }
        switch (type, isManual) {
        case (.in, false): ins += 1
        case (.out, false): outs += 1
        case (.in, true): manualIns += 1
        case (.out, true): manualOuts += 1
        }
        moment += Int64(type.delta) * (time &- minute &* MinuteRollup.length)
        high = max(high, net)
        low = min(low, net)
        last = time
        if isEarly { early += 1 }
        return true
    }
}
