package import Linux

/// The UTC offsets of a zone, over all time.
///
/// A value, so that days and hours are computed without system calls. Changes of the offset are found by binary search.
/// Before the first known change and after the last, the offset is constant.
package struct ZoneOffsets: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        /// The first moment of the new offset, on a whole second.
        package let start: Timestamp
        package let offset: UTCOffset

        package init(start: Timestamp, offset: UTCOffset) { (self.start, self.offset) = (start, offset) }
    }

    /// A time with a constant offset, from `start` (included) to `end` (not included); all in seconds since 1970, UTC.
    struct Span: Hashable {
        var start: Int
        var end: Int
        let offset: Int
    }

    package static let utc = ZoneOffsets(initial: .zero)

    /// Covers all time without gaps; neighbours differ in their offsets.
    private let spans: [Span]

    /// A zone with the offset before its first change, and its changes, each later than the one before. Changes to the same
    /// offset are ignored.
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

    /// The first second with this local time or, where clocks skip it, the end of the gap. It is monotonic in `local`, therefore days
    /// have no gaps or overlaps.
    func firstSecond(showing local: LocalDateTime) -> Int {
        let clock = local.clockSeconds
        // The largest offset gives the earliest second at which a clock can show `local`.
        var index = index(at: clock - UTCOffset.range.upperBound)
        while clock - spans[index].offset >= spans[index].end { index += 1 }
        return max(clock - spans[index].offset, spans[index].start)
    }

    func isRepeated(_ local: LocalDateTime) -> Bool { moments(showing: local).count > 1 }

    /// The moments at which clocks show a local time: none where they skip it, two where they are set back over it.
    package func moments(showing local: LocalDateTime) -> [Timestamp] {
        let clock = local.clockSeconds
        let first = index(at: clock - UTCOffset.range.upperBound)
        let last = index(at: clock - UTCOffset.range.lowerBound)
        return spans[first...last].filter { $0.start <= clock - $0.offset && clock - $0.offset < $0.end }
            .map { Timestamp(seconds: clock - $0.offset) }
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

// MARK: - Times as text

/// In an hour that the zone's clocks show twice, texts for people end in the offset, so that they are unambiguous:
/// `2026-10-25 02:30:00+02:00`. ``HistoryBound`` reads both forms. Fractions of a second are cut off.
extension ZoneOffsets {
    /// `2026-11-21 14:03:05`
    package func text(of moment: Timestamp) -> String {
        "\(local(at: moment).date) \(clock(of: moment, withSeconds: true))"
    }

    /// `2026-11-21 14:03`, for the bounds of hours; `11-21 14:03` without the year.
    package func shortText(of moment: Timestamp, withYear: Bool = true) -> String {
        let date = "\(local(at: moment).date)"
        return
            "\(withYear ? date : String(date.suffix("11-21".count))) \(clock(of: moment, withSeconds: false))"
    }

    /// `14:03:05` or `14:03`
    package func clock(of moment: Timestamp, withSeconds: Bool) -> String {
        let local = local(at: moment)
        let time = withSeconds ? local.timeOfDay : String(local.timeOfDay.prefix("14:03".count))
        return isRepeated(local) ? "\(time)\(offset(at: moment))" : time
    }

    /// Always with the offset, for programs: `2026-10-25T02:30:00+01:00`.
    package func rfc3339(_ moment: Timestamp) -> String {
        let local = local(at: moment)
        return "\(local.date)T\(local.timeOfDay)\(offset(at: moment))"
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

extension ZoneOffsets {
    /// The hours that overlap a range, in order: the times during which clocks show the same date and hour under the same offset.
    ///
    /// A repeated hour is two with different offsets; a skipped hour is none. A change of half an hour makes shorter ones: in
    /// Australia/Lord_Howe, 02:00 to 02:30 is skipped on 2026-10-04, which leaves 30 minutes of hour 2; on 2026-04-05, 01:30 to
    /// 02:00 is repeated, as 30 minutes of a second hour 1. Hours cover time without gaps or overlaps, and every operational day
    /// starts and ends at the edge of one.
    package func hours(in range: Range<Timestamp>) -> [Range<Timestamp>] {
        guard !range.isEmpty else { return [] }
        let hours = sequence(first: hour(at: range.lowerBound.seconds)) { hour(at: $0.upperBound) }
        return hours.prefix { Timestamp(seconds: $0.lowerBound) < range.upperBound }.map {
            Timestamp(seconds: $0.lowerBound)..<Timestamp(seconds: $0.upperBound)
        }
    }

    /// In seconds since 1970, UTC.
    private func hour(at second: Int) -> Range<Int> {
        let span = span(at: second)
        let local = local(at: second)
        let fullStart = second - local.minute * 60 - local.second
        return max(fullStart, span.start)..<min(fullStart + 3600, span.end)
    }
}
