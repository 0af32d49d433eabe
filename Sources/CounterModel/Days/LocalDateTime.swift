/// A local date and time of day, to the second; without a zone it is no moment.
package struct LocalDateTime: Comparable, Hashable, Sendable, CustomStringConvertible {
    static let secondsOfDay = 86_400

    /// Seconds since 1970-01-01 00:00:00 local time, as if the offset had never changed.
    let clockSeconds: Int

    init(clockSeconds: Int) {
        self.clockSeconds = clockSeconds
    }

    /// Creates a date and a time of day.
    ///
    /// - Returns: `nil` unless hour is in 0...23, minute and second in 0...59.
    package init?(date: CalendarDate, hour: Int, minute: Int = 0, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
            return nil
        }
        clockSeconds = date.dayNumber * Self.secondsOfDay + hour * 3600 + minute * 60 + second
    }

    /// The date.
    package var date: CalendarDate { CalendarDate(dayNumber: parts.quotient) }
    /// 0...23.
    package var hour: Int { parts.remainder / 3600 }
    /// 0...59.
    package var minute: Int { parts.remainder / 60 % 60 }
    /// 0...59.
    package var second: Int { parts.remainder % 60 }

    /// In RFC 3339 form with a space and without an offset: `2026-11-21 14:03:05`.
    package var description: String { "\(date) \(timeOfDay)" }

    /// The time of day: `14:03:05`.
    package var timeOfDay: String {
        [hour, minute, second].map { $0.padded(to: 2) }.joined(separator: ":")
    }

    /// Whether one is earlier than the other in local time, without regard to changes of the offset.
    package static func < (left: LocalDateTime, right: LocalDateTime) -> Bool {
        left.clockSeconds < right.clockSeconds
    }

    private var parts: (quotient: Int, remainder: Int) {
        clockSeconds.flooredQuotientAndRemainder(dividingBy: Self.secondsOfDay)
    }
}
