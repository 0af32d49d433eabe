/// A day as a place keeps it: from its start hour to the next day's.
public struct OperationalDay: Hashable, Sendable {
    /// Its date: that of its start hour, shown or skipped.
    public let date: CalendarDate
    /// Its first moment.
    public let start: Timestamp
    /// The first moment of the next day, which is not this one's.
    public let end: Timestamp

    /// How long it is: 23, 24 or 25 hours mostly.
    public var duration: Duration { .microseconds(end.microseconds - start.microseconds) }

    /// Whether a moment is of this day.
    public func contains(_ moment: Timestamp) -> Bool { start <= moment && moment < end }
}
