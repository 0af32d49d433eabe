package import CounterModel
import Linux

/// How a device writes a time: by RFC 3339, in seconds or milliseconds since 1970, or in a format of its own.
package struct ReadingTime: Hashable {
    /// Such as `%Y%m%d%H%M%S`; nil for RFC 3339 and numbers.
    var format: String?

    /// 2000 to 2099: when the changes of a zone's offset are known.
    package static let years = Timestamp(seconds: 946_684_800)..<Timestamp(seconds: 4_102_444_800)

    /// 2001. A clock that was never set begins at 1970 or 2000.
    static let firstPlausible = Timestamp(seconds: 978_307_200)

    /// `zone`: of times without an offset. Where its clocks show a time twice, the moment that is nearer to the arrival is meant.
    func moment(_ text: String, in zone: ZoneOffsets, near arrival: Timestamp) -> Timestamp? {
        func moment(showing local: LocalDateTime) -> Timestamp {
            func distance(_ moment: Timestamp) -> Duration { max(moment - arrival, arrival - moment) }
            return zone.moments(showing: local).min { distance($0) < distance($1) }
                ?? zone.firstMoment(showing: local)
        }
        if let format { return Self.local(text, format).map(moment) }
        if let number = Self.sinceEpoch(text) { return number }
        guard let time = TableTime(Self.withWholeOffset(text)) else { return nil }
        return time.moment ?? time.local.map { moment(showing: $0) + .microseconds(time.fraction) }
    }

    /// Seconds, with or without decimals, or milliseconds, of 1973 to 2099: which of them, the size tells. Digits like 20260503112756 are
    /// neither.
    private static func sinceEpoch(_ text: String) -> Timestamp? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let latest = Int64(years.upperBound.seconds)
        guard let whole = Int64(parts[0]) else { return nil }
        let decimals = parts.count > 1 ? parts[1] : "0"
        guard !decimals.isEmpty, decimals.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        if 100_000_000_000..<latest * 1000 ~= whole { return Timestamp(microseconds: whole * 1000) }
        guard 0..<latest ~= whole else { return nil }
        let six = decimals.prefix(6)
        let fraction = Int64(six + String(repeating: "0", count: 6 - six.count)) ?? 0
        return Timestamp(microseconds: whole * 1_000_000 + fraction)
    }

    /// `-05:00` for `-5:00`, which RFC 3339 does not know and Hikvision sends.
    private static func withWholeOffset(_ text: String) -> String {
        let end = Array(text.suffix(5))
        guard end.count == 5, "+-".contains(end[0]), end[1].isNumber, end[2] == ":" else { return text }
        return "\(text.dropLast(4))0\(text.suffix(4))"
    }

    /// How many digits each directive of a format has, as in strftime(3): `%Y/%m/%d %H:%M:%S`.
    private static let digits: [Character: Int] = ["Y": 4, "m": 2, "d": 2, "H": 2, "M": 2, "S": 2]

    /// Whether a format has a date, and nothing that is not read.
    static func admits(_ format: String) -> Bool {
        let directives = format.split(separator: "%", omittingEmptySubsequences: false).dropFirst().map(
            \.first)
        return ["Y", "m", "d"].allSatisfy(directives.contains)
            && directives.allSatisfy { $0.map { digits[$0] != nil } ?? false }
    }

    private static func local(_ text: String, _ format: String) -> LocalDateTime? {
        var rest = text[...], signs = format[...]
        var values: [Character: Int] = [:]
        while let sign = signs.popFirst() {
            if sign == "%", let directive = signs.popFirst(), let count = digits[directive] {
                let digits = rest.prefix(count)
                guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
                    return nil
                }
                values[directive] = Int(digits)
                rest.removeFirst(count)
            } else if rest.popFirst() != sign {
                return nil
            }
        }
        guard rest.isEmpty, let year = values["Y"], let month = values["m"], let day = values["d"],
            let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }
        return LocalDateTime(
            date: date, hour: values["H"] ?? 0, minute: values["M"] ?? 0, second: values["S"] ?? 0)
    }
}
