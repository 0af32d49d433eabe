/// An operational day of a location: from its start hour to the start of the next day.
public struct OperationalDay: Hashable, Sendable {
    /// The date of its start hour, even where clocks skip that hour.
    public let date: CalendarDate
    /// Its first moment.
    public let start: Timestamp
    /// The first moment of the next day; not part of this one.
    public let end: Timestamp

    /// Its length: usually 23, 24 or 25 hours.
    public var duration: Duration { .microseconds(end.microseconds - start.microseconds) }

    /// Whether a moment is in this day.
    public func contains(_ moment: Timestamp) -> Bool { start <= moment && moment < end }
}
