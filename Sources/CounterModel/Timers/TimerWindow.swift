package import Linux

/// A stretch of wall-clock time in which a timer ran, on the clock of one journal.
package struct RunningInterval: Hashable, Sendable {
    package let from: Timestamp
    /// 0 or more.
    var length = Duration.zero
    /// How long the timer had run before.
    var elapsed = Duration.zero
    /// The journal whose clock and order measure it, as in `TimerRow`.
    let journal: Int64?
    /// The last setting of the clock before it, or the end of the interval before; `.start` where none is known.
    let after: Position
    /// The row that began it.
    let begun: Position
    /// The row of its journal that ended it; nil where it runs, or the timer ended by itself or by another journal.
    var ended: Position?
    /// The settings of the clock after it that let its times come again.
    var repeatedBy: [ClockSetting] = []

    /// When it ended. This moment is not in it.
    package var to: Timestamp { from + length }

    /// How long the timer had run at its end.
    var ran: Duration { elapsed + length }

    /// When a timer of a length ends in it, if it is not interrupted.
    func end(_ total: Duration) -> Timestamp { from + (total - elapsed) }

    /// When it ended by the clock before a setting; nil where it goes on. A clock that was set back by an unknown time, to before
    /// the stretch, has it begin again: what came before is known by the order of its rows alone.
    func end(before setting: ClockSetting, _ shift: Duration?) -> Timestamp? {
        guard let shift else { return journal == setting.journal && setting.begin < from ? from : nil }
        return setting.begin - shift
    }
}

/// The wall clock was set, before a row of the journal.
package struct ClockSetting: Hashable, Sendable {
    package let position: Position
    /// The earliest time by the new clock.
    package let begin: Timestamp
    /// Whose clock it is, as in `TimerRow`.
    let journal: Int64?
}

/// A stretch in which a timer counted.
///
/// An entry is in it if it counts at one of its times and no other moment had the same time. After a clock was set back, times
/// come again: then the order of the journal decides, which no clock changes. Of the entries with a repeated time, those before
/// the row of the setting are of the first moment, those behind it of the second. An entry whose time is not in the stretch
/// though it was appended between the stretch's first and last row shows that the clock was set back by less than is noticed:
/// it is in the stretch too. So an entry is in one window of a timer at most. The order says nothing of rows that were taken
/// over from another journal, or from a file: for these the time alone decides.
package struct TimerWindow: Hashable, Sendable {
    /// Of which round, from 1.
    package let round: Int
    package let from: Timestamp
    /// When it ended. This moment is not in it.
    package let to: Timestamp
    /// The journal whose order decides, as in `TimerRow`.
    package let journal: Int64?
    /// Where its entries are: no entry is in two parts of a timer's windows.
    package internal(set) var parts: [Part] = []

    /// A part of a window whose entries are between two rows; nil for the journal's end.
    package struct Part: Hashable, Sendable {
        /// When it begins, and the first moment after it.
        package var from: Timestamp, to: Timestamp
        /// The row before its entries, and the one after them, in the window's journal.
        package let after: Position, before: Position?
        /// The row after its entries that are of no other journal, where the window is of one.
        package var ownBefore: Position?
        /// When its entries were received at the latest; nil for no limit.
        package var receivedBefore: Timestamp?
        /// Whether rows of other journals than the window's are in it by their time.
        package var hasOthers = true
    }
}

extension TimerWindow {
    /// How far a clock may be set back in steps that are not noticed, of which some rows of timers have one each.
    private static let unnoticed = ClockReference.tolerance * 10
    /// How long an entry may wait before it is appended.
    private static let latency = Duration.milliseconds(100)

    /// A window of a part of an interval, of which `until` is the end if the interval is not interrupted.
    init(
        of interval: RunningInterval, round: Int, from: Timestamp, to: Timestamp, until: Timestamp,
        besides earlier: [TimerWindow]
    ) {
        (self.round, self.from, self.to, journal) = (round, from, max(from, to), interval.journal)
        let found =
            Self.early(from, interval) + Self.timely(from, to, interval)
            + Self.late(max(from, to), until, interval)
        parts = earlier.reduce(found) { parts, window in
            window.parts.filter { $0.hasOthers }.reduce(parts) { parts, other in
                parts.flatMap { $0.pieces(besides: other, isFree: isFree(other, of: window, interval)) }
            }
        }
    }

    /// Whether entries behind the first row of an interval are not in an earlier part by their time.
    private func isFree(_ part: Part, of window: TimerWindow, _ interval: RunningInterval) -> Bool {
        let bound = window.journal == journal ? part.before : part.ownBefore
        return bound.map { $0 <= interval.begun } ?? false
    }

    /// Entries that were received before the interval began, behind its first row.
    private static func early(_ from: Timestamp, _ interval: RunningInterval) -> [Part] {
        guard from == interval.from else { return [] }
        return [
            Part(
                from: from - unnoticed, to: from, after: interval.begun, before: interval.lastRow,
                receivedBefore: from + latency, hasOthers: false)
        ]
    }

    /// Entries by their times.
    private static func timely(_ from: Timestamp, _ to: Timestamp, _ interval: RunningInterval) -> [Part] {
        guard from < to else { return [] }
        var (begin, before, ownBefore) = (from, nil as Position?, nil as Position?)
        var parts: [Part] = []
        func add(until end: Timestamp) {
            parts.append(
                Part(from: begin, to: end, after: interval.after, before: before, ownBefore: ownBefore))
        }
        for setting in interval.repeatedBy.sorted(by: { $0.begin < $1.begin }) where setting.begin < to {
            if begin < setting.begin {
                add(until: setting.begin)
                begin = setting.begin
            }
            if setting.journal == interval.journal {
                before = min(before ?? setting.position, setting.position)
            } else {
                ownBefore = min(ownBefore ?? setting.position, setting.position)
            }
        }
        add(until: to)
        return parts
    }

    /// Entries before the last row of the interval that are later than it.
    private static func late(_ from: Timestamp, _ to: Timestamp, _ interval: RunningInterval) -> [Part] {
        guard from < to else { return [] }
        return [Part(from: from, to: to, after: interval.begun, before: interval.lastRow, hasOthers: false)]
    }
}

extension RunningInterval {
    /// The first row after the entries that only the order puts in it.
    fileprivate var lastRow: Position? {
        let settings = repeatedBy.filter { $0.journal == journal }.map(\.position)
        return (settings + [ended].compactMap(\.self)).min()
    }
}

extension TimerWindow.Part {
    /// What is left of it besides another part; where that has no free entries, without its times.
    fileprivate func pieces(besides other: Self, isFree: Bool) -> [Self] {
        let (begin, end) = (max(from, other.from), min(to, other.to))
        guard begin < end else { return [self] }
        var (first, shared, last) = (self, self, self)
        first.to = begin
        (shared.from, shared.to, shared.hasOthers) = (begin, end, false)
        last.from = end
        return [first, shared, last].filter { $0.from < $0.to && (isFree || $0 != shared) }
    }
}

package struct TimerCount: Hashable, Sendable {
    package let locationId: Identifier
    package var totalIn: Int, totalOut: Int

    package var net: Int { totalIn - totalOut }

    package init(locationId: Identifier, totalIn: Int = 0, totalOut: Int = 0) {
        (self.locationId, self.totalIn, self.totalOut) = (locationId, totalIn, totalOut)
    }
}

/// What was counted while a timer ran. It comes from the entries each time, so that it follows an undo and a late event.
package struct TimerResult: Hashable, Sendable {
    /// By location, in the order of their ids, without locations that have no entries.
    package let locations: [TimerCount]
    /// The entries in and out of each round that has begun, from round 1.
    package let rounds: [TimerCount]

    package var totalIn: Int { locations.reduce(0) { $0 + $1.totalIn } }
    package var totalOut: Int { locations.reduce(0) { $0 + $1.totalOut } }
    package var net: Int { totalIn - totalOut }

    /// Adds up windows; `counts` has those of each window, by location.
    package init(_ windows: [TimerWindow], _ counts: [[TimerCount]]) {
        var byLocation: [Identifier: TimerCount] = [:]
        var byRound: [Int: TimerCount] = [:]
        for (window, found) in zip(windows, counts) where window.from < window.to || !found.isEmpty {
            byRound[window.round, default: TimerCount(locationId: "")].add(found)
            for count in found {
                byLocation[count.locationId, default: TimerCount(locationId: count.locationId)].add([count])
            }
        }
        locations = byLocation.values.sorted { $0.locationId < $1.locationId }
        rounds = byRound.keys.sorted().compactMap { byRound[$0] }
    }
}

extension TimerCount {
    fileprivate mutating func add(_ others: [TimerCount]) {
        for other in others {
            totalIn += other.totalIn
            totalOut += other.totalOut
        }
    }
}
