extension HistorySelection {
    /// Ranges that have a name.
    private static let named: [String: HistorySelection] = [
        "today": .today, "yesterday": .yesterday,
        "this week": .week(ago: 0), "last week": .week(ago: 1),
        "this month": .month(ago: 0), "last month": .month(ago: 1),
    ]

    /// A hundred years.
    private static let maxDays = 36_525

    /// Reads a name (`today`, `this week`), a length (`10min`, `2h`, `7d`, `2 weeks`), a date, or `FROM to TO` with bounds as
    /// in ``HistoryBound/init(_:)``: `2026-11-01 14:00 to now`. A date alone is its day; a time alone goes on to the end of
    /// today.
    ///
    /// - Throws: ``HistoryRangeError/unreadable(_:)`` with the part that cannot be read;
    ///   ``HistoryRangeError/outOfReach(_:)`` for a length of more than a hundred years.
    public init(_ text: String) throws(HistoryRangeError) {
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

    /// Reads a length of time that ends now: hours and less are exact, the others whole operational days.
    private static func length(_ text: String) throws(HistoryRangeError) -> HistorySelection? {
        let digits = text.prefix(while: \.isDecimalDigit)
        guard !digits.isEmpty else { return nil }
        let perDay: Int
        switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
        case "min", "minute", "minutes": perDay = 1440
        case "h", "hour", "hours": perDay = 24
        case "d", "day", "days": perDay = 1
        case "w", "week", "weeks": perDay = 0
        default: return nil
        }
        let limit = perDay == 0 ? maxDays / 7 : maxDays * perDay
        guard let count = Int(digits), (1...limit).contains(count) else { throw .outOfReach(text) }
        return switch perDay {
        case 0: .lastDays(count * 7)
        case 1: .lastDays(count)
        default: .lastSeconds(count * (86_400 / perDay))
        }
    }
}
