/// What the entries of one UTC minute come to, of one location and between two of its resets.
///
/// An entry counts at its time, but never before the reset that it comes after.
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
    /// The highest and the lowest that the level stood above where the minute found it, in the order of times: 0 or
    /// more, 0 or less.
    public internal(set) var high = 0, low = 0
    /// The latest time of an entry.
    public internal(set) var last: Int64 = .min
    /// How many of its entries say that they happened before the reset that they come after.
    public internal(set) var early = 0

    /// The minute of a time in microseconds.
    public static func minute(of time: Int64) -> Int64 {
        time >= 0 ? time / length : (time + 1) / length - 1
    }

    /// A minute without an entry.
    public init(minute: Int64) { self.minute = minute }

    /// A minute as it was stored.
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

    /// What the minute adds to the level.
    public var net: Int { ins - outs + manualIns - manualOuts }

    /// Whether no entry is in it.
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

    /// Adds an entry that is no earlier than those before it.
    ///
    /// - parameters:
    ///     - type: In or out.
    ///     - time: When it counts, within this minute.
    ///     - isManual: Whether somebody counted it by hand.
    ///     - isEarly: Whether it says that it happened before the reset that it comes after.
    /// - returns: False where it is earlier; then nothing has changed, and the minute is to be added up anew.
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
