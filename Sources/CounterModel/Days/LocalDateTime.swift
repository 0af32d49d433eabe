import Glibc

/// A local date and time of day, to the second; without a zone it is no moment.
package struct LocalDateTime: Hashable, Sendable, CustomStringConvertible {
    static let secondsOfDay = 86_400

    /// Seconds since 1970-01-01 00:00:00 local time, as if the offset had never changed.
    let clockSeconds: Int

    init(clockSeconds: Int) { self.clockSeconds = clockSeconds }

    /// `nil` unless hour is in 0...23, minute and second in 0...59.
    package init?(date: CalendarDate, hour: Int, minute: Int = 0, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
            return nil
        }
        clockSeconds = date.dayNumber * Self.secondsOfDay + hour * 3600 + minute * 60 + second
    }

    package var date: CalendarDate { CalendarDate(dayNumber: parts.quotient) }
    package var hour: Int { parts.remainder / 3600 }
    package var minute: Int { parts.remainder / 60 % 60 }
    package var second: Int { parts.remainder % 60 }

    /// In RFC 3339 form with a space and without an offset: `2026-11-21 14:03:05`.
    package var description: String { "\(date) \(timeOfDay)" }

    /// `14:03:05`
    package var timeOfDay: String {
        [hour, minute, second].map { $0.padded(to: 2) }.joined(separator: ":")
    }

    private var parts: (quotient: Int, remainder: Int) {
        clockSeconds.flooredQuotientAndRemainder(dividingBy: Self.secondsOfDay)
    }
}

package struct UTCOffset: Hashable, Sendable, CustomStringConvertible {
    /// The offsets that RFC 8536, section 3.2, allows: more than -25 hours, less than 26.
    package static let range = -89_999...93_599
    package static let zero = UTCOffset(seconds: 0)

    /// Seconds, positive east of Greenwich; in ``range``.
    package let seconds: Int

    package init(seconds: Int) {
        precondition(Self.range.contains(seconds), "no zone is \(seconds) s ahead of UTC")
        self.seconds = seconds
    }

    /// In ISO 8601 form: `+01:00`, `-03:30`; with seconds where they are not 0, as in local mean times: `+00:34:08`.
    package var description: String {
        let size = seconds.magnitude
        let parts = [size / 3600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
        return (seconds < 0 ? "-" : "+") + parts.map { $0.padded(to: 2) }.joined(separator: ":")
    }
}

extension BinaryInteger {
    /// The digits of a value of 0 or more, padded with zeros to a width.
    package func padded(to width: Int, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A date with a time of day by RFC 3339 and ISO 8601: `2026-11-21T14:03:05.12+01:00`. A space may replace the `T`; seconds
/// and offset may be missing.
struct DateTimeText {
    let local: LocalDateTime
    /// Microseconds of the second; digits beyond the sixth are cut off.
    let fraction: Int
    /// `nil` where the text has no seconds.
    let second: Int?
    /// `nil` where the text has none; then it is a local time.
    let offset: UTCOffset?

    init?(_ text: some StringProtocol) {
        var rest = Substring(text)
        let dateText = rest.prefix(10)
        rest = rest.dropFirst(10)
        guard let date = CalendarDate(iso8601: dateText), rest.takeOne(of: "Tt "),
            let hour = rest.takeNumber(2), rest.takeOne(of: ":"), let minute = rest.takeNumber(2)
        else { return nil }
        second = rest.takeOne(of: ":") ? rest.takeNumber(2) ?? -1 : nil
        let fraction = second != nil && rest.takeOne(of: ".,") ? rest.takeFraction() : 0
        offset = UTCOffset(iso8601: rest)
        guard let fraction, rest.isEmpty || offset != nil,
            let local = LocalDateTime(date: date, hour: hour, minute: minute, second: second ?? 0)
        else { return nil }
        (self.local, self.fraction) = (local, fraction)
    }

    /// `nil` where the text has no offset.
    var moment: Timestamp? {
        offset.map {
            Timestamp(microseconds: Int64(local.clockSeconds - $0.seconds) * 1_000_000 + Int64(fraction))
        }
    }
}

extension Timestamp {
    /// Reads an ISO 8601 time with its offset: `2026-01-14T13:03:59Z`, `…59.120+01:00`. Without one it is ambiguous.
    package init?(iso8601 text: String) {
        guard let text = DateTimeText(text), text.second != nil, let moment = text.moment else { return nil }
        self = moment
    }

    /// The moment in UTC in ISO 8601 form, with microseconds: `2026-01-14T13:03:59.120000Z`.
    package var iso8601: String {
        let local = ZoneOffsets.utc.local(at: self)
        let date = local.date
        guard 0...9_999 ~= date.year else { return "\(date)T\(local.timeOfDay).\(fraction.padded(to: 6))Z" }
        // The text of rows is mostly times: without the strings of their parts.
        return String(unsafeUninitializedCapacity: 27) { bytes in
            var start = 27
            func put(_ number: Int, width: Int, before sign: UnicodeScalar) {
                start -= width + 1
                bytes[start + width] = UInt8(ascii: sign)
                var rest = number
                for index in (start..<start + width).reversed() {
                    bytes[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
            }
            put(fraction, width: 6, before: "Z")
            put(local.second, width: 2, before: ".")
            put(local.minute, width: 2, before: ":")
            put(local.hour, width: 2, before: ":")
            put(date.day, width: 2, before: "T")
            put(date.month, width: 2, before: "-")
            put(date.year, width: 4, before: "-")
            return 27
        }
    }

    /// The moment in UTC with microseconds, as systemd.time(7) reads it: `2026-01-14 13:03:59.120000 UTC`.
    package var systemdTime: String { "\(ZoneOffsets.utc.local(at: self)).\(fraction.padded(to: 6)) UTC" }
}

extension UTCOffset {
    /// Reads `Z`, `+01:00`, `-0330`, `+01`; offsets of a day or more are none.
    init?(iso8601 text: Substring) {
        var rest = text
        if text == "Z" || text == "z" {
            self = .zero
            return
        }
        guard let sign = rest.popFirst(), "+-".contains(sign), let hours = rest.takeNumber(2) else {
            return nil
        }
        let isMinuteDue = rest.takeOne(of: ":") || !rest.isEmpty
        guard let minutes = isMinuteDue ? rest.takeNumber(2) : 0, rest.isEmpty, hours < 24, minutes < 60
        else {
            return nil
        }
        self.init(seconds: (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
    }
}

/// A date, mostly with a time of day, as people's tables have it: `2025-11-18 10:02:00`, `17.11.2025 9:05`, `17.11.2025`.
package struct TableTime {
    package let date: CalendarDate
    /// nil where there is only a date.
    package let local: LocalDateTime?
    /// In microseconds.
    package let fraction: Int
    /// nil where the text has no offset, so that its zone decides.
    package let moment: Timestamp?

    /// - Returns: nil for any other text, such as `11/18/2025`, of which nobody can tell the month.
    package init?(_ text: String) {
        let words = text.split(maxSplits: 1) { " Tt".contains($0) }
        guard let first = words.first, let day = Self.day(first) else { return nil }
        date = day
        guard words.count == 2 else {
            (local, fraction, moment) = (nil, 0, nil)
            return
        }
        let rest = words[1].drop { $0 == " " }
        let clock = rest.dropFirst().first == ":" ? "0\(rest)" : String(rest)
        guard let time = DateTimeText("\(day) \(clock)") else { return nil }
        (local, fraction, moment) = (time.local, time.fraction, time.moment)
    }

    private static func day(_ text: Substring) -> CalendarDate? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return CalendarDate(iso8601: text) }
        guard parts[2].count == 4, parts[..<2].allSatisfy({ 1...2 ~= $0.count }),
            parts.joined().allSatisfy(\.isDecimalDigit), let day = Int(parts[0]), let month = Int(parts[1]),
            let year = Int(parts[2])
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }
}

// MARK: Reading from the left

extension Substring {
    fileprivate mutating func takeOne(of characters: String) -> Bool {
        guard let first, characters.contains(first) else { return false }
        removeFirst()
        return true
    }

    fileprivate mutating func takeNumber(_ digits: Int) -> Int? {
        let part = prefix(digits)
        guard part.count == digits, part.allSatisfy(\.isDecimalDigit) else { return nil }
        removeFirst(digits)
        return Int(part)
    }

    /// Takes all decimal digits that follow, as a fraction of a second; returns microseconds.
    fileprivate mutating func takeFraction() -> Int? {
        let digits = prefix(while: \.isDecimalDigit)
        removeFirst(digits.count)
        let six = digits.prefix(6)
        return digits.isEmpty ? nil : Int(six + String(repeating: "0", count: 6 - six.count))
    }
}

extension Character {
    /// 0 to 9 of ASCII only; other scripts have digits too.
    var isDecimalDigit: Bool { isASCII && isNumber }
}

// MARK: - Times in the zone of this process

extension Timestamp {
    /// `14:03:59`
    package var localTime: String { local("%H:%M:%S") }

    /// `14:03`
    package var localMinute: String { local("%H:%M") }

    /// `2026-03-29 14:03`
    package var localDateAndTime: String { local("%Y-%m-%d %H:%M") }

    /// The local time of day, with the date before it where that is another day's than `now`: `2026-03-30 14:03:59`.
    package func localTime(at now: Timestamp) -> String {
        let day = "%Y-%m-%d"
        return local(day) == now.local(day) ? localTime : local("%Y-%m-%d %H:%M:%S")
    }

    /// The corresponding C functions are `localtime_r(3)` and `strftime(3)`.
    private func local(_ format: String) -> String {
        var seconds = time_t(seconds)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "?" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            let count = strftime(buffer.baseAddress, buffer.count, format, &parts)
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
