package import Linux

/// The UTC offsets of a zone, over all time.
///
/// A value, so that days and hours are computed without system calls. Changes of the offset are found by binary search.
/// Before the first known change and after the last, the offset is constant.
package struct ZoneOffsets: Hashable, Sendable {
    /// A change of the offset.
    package struct Change: Hashable, Sendable {
        /// The first moment of the new offset, on a whole second.
        package let start: Timestamp
        /// The offset from then on.
        package let offset: UTCOffset

        /// Creates a change.
        package init(start: Timestamp, offset: UTCOffset) {
            self.start = start
            self.offset = offset
        }
    }

    /// A time with a constant offset, from `start` (included) to `end` (not included); all in seconds since 1970, UTC.
    struct Span: Hashable {
        var start: Int
        var end: Int
        let offset: Int
    }

    /// UTC, without changes.
    package static let utc = ZoneOffsets(initial: .zero)

    /// Covers all time without gaps; neighbours differ in their offsets.
    private let spans: [Span]

    /// Creates a zone.
    ///
    /// - Parameters:
    ///     - initial: The offset before the first change.
    ///     - changes: The changes, each later than the one before. Changes to the same offset are ignored.
    package init(initial: UTCOffset, changes: [Change] = []) {
        var spans = [Span(start: .min, end: .max, offset: initial.seconds)]
        for change in changes {
            let last = spans[spans.count - 1]
            precondition(change.start.seconds > last.start, "changes of an offset are out of order")
            guard change.offset.seconds != last.offset else { continue }
            spans[spans.count - 1].end = change.start.seconds
            spans.append(Span(start: change.start.seconds, end: .max, offset: change.offset.seconds))
        }
        self.spans = spans
    }

    /// The offset at a moment.
    package func offset(at moment: Timestamp) -> UTCOffset {
        UTCOffset(seconds: span(at: moment.seconds).offset)
    }

    /// The local date and time of a moment; fractions of a second are cut off.
    package func local(at moment: Timestamp) -> LocalDateTime { local(at: moment.seconds) }

    /// The first moment with this local time or, where clocks skip it, the first moment after the gap.
    package func firstMoment(showing local: LocalDateTime) -> Timestamp {
        Timestamp(seconds: firstSecond(showing: local))
    }

    // MARK: In seconds, which cannot overflow

    func span(at second: Int) -> Span { spans[index(at: second)] }

    func local(at second: Int) -> LocalDateTime {
        LocalDateTime(clockSeconds: second + span(at: second).offset)
    }

    /// The first second with this local time or, where clocks skip it, the end of the gap.
    ///
    /// Monotonic in `local`, therefore days have no gaps or overlaps.
    func firstSecond(showing local: LocalDateTime) -> Int {
        let clock = local.clockSeconds
        // The largest offset gives the earliest second at which a clock can show `local`.
        var index = index(at: clock - UTCOffset.range.upperBound)
        while clock - spans[index].offset >= spans[index].end { index += 1 }
        return max(clock - spans[index].offset, spans[index].start)
    }

    /// Whether clocks show this local time more than once.
    func isRepeated(_ local: LocalDateTime) -> Bool {
        let clock = local.clockSeconds
        let first = index(at: clock - UTCOffset.range.upperBound)
        let last = index(at: clock - UTCOffset.range.lowerBound)
        return spans[first...last].count { $0.start <= clock - $0.offset && clock - $0.offset < $0.end } > 1
    }

    private func index(at second: Int) -> Int {
        var (low, high) = (0, spans.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if spans[middle].start <= second { low = middle } else { high = middle }
        }
        return low
    }
}

extension ZoneOffsets {
    /// The local date and time of a moment, `2026-11-21 14:03:05`; fractions of a second are cut off.
    ///
    /// In an hour that the zone's clocks show twice, the offset is appended to make it unambiguous: `2026-10-25
    /// 02:30:00+02:00`. ``HistoryBound`` reads both forms.
    package func text(of moment: Timestamp) -> String {
        let local = local(at: moment)
        return isRepeated(local) ? "\(local)\(offset(at: moment))" : "\(local)"
    }
}

extension ZoneOffsets {
    /// The offsets of a zone of the system's database, and their changes within the range; before and after it, the offset is constant.
    package init(of identifier: String, in range: Range<Timestamp>) throws(ZoneError) {
        let zones = ZoneDatabase()
        guard
            let (initial, changes) = try zones.offsets(
                of: identifier, from: range.lowerBound.seconds, through: range.upperBound.seconds)
        else {
            self = .utc
            return
        }
        let all = try ([(0, initial)] + changes).map { (start, offset) throws(ZoneError) in
            guard UTCOffset.range.contains(offset) else { throw .notAZone(path: identifier) }
            return Change(start: Timestamp(seconds: start), offset: UTCOffset(seconds: offset))
        }
        self.init(initial: all[0].offset, changes: Array(all.dropFirst()))
    }
}
