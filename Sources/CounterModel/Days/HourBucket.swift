/// An hour of a zone: the time for which its clocks show the same date and hour, under the same offset.
///
/// So a repeated hour is two buckets, which differ in their offsets, and a skipped one is none. Where clocks are set by
/// half an hour, what they cut is shorter: in Australia/Lord_Howe, 02:00 to 02:30 is skipped on 2026-10-04, which
/// leaves 30 minutes of hour 2; on 2026-04-05, 01:30 to 02:00 is repeated, as 30 minutes of a second hour 1. Buckets
/// tile time, and every operational day starts and ends where one does.
public struct HourBucket: Hashable, Sendable {
    /// The date that clocks show, whichever operational day this is of.
    public let date: CalendarDate
    /// The hour that they show, 0...23.
    public let hour: Int
    /// How far they are ahead of UTC meanwhile.
    public let offset: UTCOffset
    /// Its first moment.
    public let start: Timestamp
    /// The first moment after it.
    public let end: Timestamp
}

extension ZoneOffsets {
    /// The hour that a moment is of.
    public func hour(containing moment: Timestamp) -> HourBucket { hour(at: moment.seconds).bucket }

    /// The hours that have a part in a range, in order.
    public func hours(in range: Range<Timestamp>) -> [HourBucket] {
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
