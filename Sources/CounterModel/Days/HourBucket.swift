/// An hour of a zone: the time during which its clocks show the same date and hour under the same offset.
///
/// A repeated hour is two buckets with different offsets; a skipped hour has no bucket. A change of half an hour makes
/// shorter buckets: in Australia/Lord_Howe, 02:00 to 02:30 is skipped on 2026-10-04, which leaves 30 minutes of hour 2; on
/// 2026-04-05, 01:30 to 02:00 is repeated, as 30 minutes of a second hour 1. Buckets cover time without gaps or overlaps, and
/// every operational day starts and ends at the edge of a bucket.
package struct HourBucket: Hashable, Sendable {
    /// The local date, whichever operational day the hour belongs to.
    package let date: CalendarDate
    /// The local hour, 0...23.
    package let hour: Int
    /// The offset during the hour.
    package let offset: UTCOffset
    /// Its first moment.
    package let start: Timestamp
    /// The first moment after it.
    package let end: Timestamp
}

extension ZoneOffsets {
    /// The hour that contains a moment.
    package func hour(containing moment: Timestamp) -> HourBucket { hour(at: moment.seconds).bucket }

    /// The hours that overlap a range, in order.
    package func hours(in range: Range<Timestamp>) -> [HourBucket] {
        guard !range.isEmpty else { return [] }
        let hours = sequence(first: hour(at: range.lowerBound.seconds)) { hour(at: $0.end) }
        return hours.lazy.map(\.bucket).prefix { $0.start < range.upperBound }
    }

    /// The hour, and its end in seconds since 1970, UTC.
    private func hour(at second: Int) -> (bucket: HourBucket, end: Int) {
        let span = span(at: second)
        let local = local(at: second)
        let fullStart = second - local.minute * 60 - local.second
        let end = min(fullStart + 3600, span.end)
        let bucket = HourBucket(
            date: local.date, hour: local.hour, offset: UTCOffset(seconds: span.offset),
            start: Timestamp(seconds: max(fullStart, span.start)), end: Timestamp(seconds: end))
        return (bucket, end)
    }
}
