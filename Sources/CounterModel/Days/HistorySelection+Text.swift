extension HistorySelection {
    /// Ranges that have a name.
    private static let named: [String: HistorySelection] = [
        "today": .today, "yesterday": .yesterday,
        "this week": .week(ago: 0), "last week": .week(ago: 1),
        "this month": .month(ago: 0), "last month": .month(ago: 1),
    ]

    /// A hundred years.
    private static let maxDays = 36_525

    /// Reads a name (`today`, `this week`), a length (`10min`, `1h30m`, `7d`, `2 weeks`), a date, or `FROM to TO` with bounds as
    /// in ``HistoryBound/init(_:)``: `2026-11-01 14:00 to now`. A date alone is its day; a time alone goes on to the end of
    /// today.
    ///
    /// - Throws: ``HistoryRangeError/unreadable(_:)`` with the part that cannot be read;
    ///   ``HistoryRangeError/length(_:)`` for a length of nothing or of more than a hundred years.
    package init(_ text: String) throws(HistoryRangeError) {
        let words = text.split(separator: " ")
        let plain = words.joined(separator: " ")
        if let named = Self.named[plain] {
            self = named
        } else if let length = try Self.length(plain) {
            self = length
        } else if let divider = words.firstIndex(of: "to") {
            let (from, to) = (words[..<divider], words[(divider + 1)...])
            self = .between(
                try HistoryBound(from.joined(separator: " ")), try HistoryBound(to.joined(separator: " ")))
        } else if case .date(let date) = try HistoryBound(plain) {
            self = .between(.date(date), .date(date.advanced(by: 1)))
        } else {
            self = .between(try HistoryBound(plain), nil)
        }
    }

    /// The units of a length, in seconds.
    private static let units: [String: Int] = [
        "s": 1, "sec": 1, "second": 1, "seconds": 1,
        "m": 60, "min": 60, "minute": 60, "minutes": 60,
        "h": 3600, "hour": 3600, "hours": 3600,
        "d": day, "day": day, "days": day,
        "w": 7 * day, "week": 7 * day, "weeks": 7 * day,
    ]
    private static let day = 86_400

    /// Reads a length of time that ends now: `90s`, `1h30m`, `2 weeks`. Hours and less are exact, the others whole operational
    /// days.
    private static func length(_ text: String) throws(HistoryRangeError) -> HistorySelection? {
        var rest = text[...]
        var (seconds, smallest) = (0, Int.max)
        repeat {
            let digits = rest.prefix(while: \.isDecimalDigit)
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count).drop { $0 == " " }
            guard !digits.isEmpty, let unit = units[String(name)], unit < smallest else { return nil }
            guard let count = Int(digits), count <= maxDays * day / unit else { throw .length(text) }
            (seconds, smallest) = (seconds + count * unit, unit)
        } while !rest.isEmpty && smallest < day
        guard rest.isEmpty else { return nil }
        guard 1...maxDays * day ~= seconds else { throw .length(text) }
        return smallest < day ? .lastSeconds(seconds) : .lastDays(seconds / day)
    }
}
