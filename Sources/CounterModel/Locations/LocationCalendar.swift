import Linux

extension Location {
    /// The location's operational days, computed from some days before the range to some days after it. Where the system does
    /// not have its zone, they are those of UTC; `zoneNote` says so.
    package func calendar(for range: ClosedRange<Timestamp>) -> OperationalCalendar {
        // Covers the day before the range and the day after it, with any offset.
        let margin = 3 * 86_400
        let first = Timestamp(seconds: range.lowerBound.seconds - margin)
        let last = Timestamp(seconds: range.upperBound.seconds + margin)
        let zone = (try? ZoneOffsets(of: timezone, in: first..<last)) ?? .utc
        return OperationalCalendar(zone: zone, startHour: dayStart)
    }

    /// The location's operational days around a time.
    package func calendar(about time: Timestamp) -> OperationalCalendar { calendar(for: time...time) }

    /// Why times are in UTC although the location has another zone; nil where they are in its own zone.
    package var zoneNote: String? {
        do throws(ZoneError) {
            try ZoneDatabase().require(timezone)
            return nil
        } catch { return "\(error); times are in UTC" }
    }
}
